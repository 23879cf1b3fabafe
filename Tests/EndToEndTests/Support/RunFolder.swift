import Foundation

/// The folders that runs leave.
enum RunFolder {
  /// Their names, the ids of the runs, oldest first; what is hidden is none of them.
  static func ids(in runs: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: runs).filter { !$0.hasPrefix(".") }.sorted()
  }
}
