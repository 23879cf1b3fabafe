import Foundation

/// Seeds from files: of the project, and what other people published where that is at hand.
enum Corpus {
  /// The project's folder, which fuzzing is started in.
  static func files(below folder: String, endingIn suffix: String, largest: Int = 60_000) -> [[UInt8]] {
    guard let names = FileManager.default.enumerator(atPath: folder) else { return [] }
    let paths = names.compactMap { $0 as? String }.filter { $0.hasSuffix(suffix) }.sorted()
    return paths.compactMap { path in
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(path)"), data.count <= largest else {
        return nil
      }
      return Array(data)
    }
  }

  /// The folder of what others published (CONTRIBUTING.md "Testing").
  static func reference(_ folder: String, endingIn suffix: String = "") -> [[UInt8]] {
    let root = ProcessInfo.processInfo.environment["SHOWCALLER_REFERENCE"] ?? "../shared/reference"
    return files(below: "\(root)/\(folder)", endingIn: suffix)
  }
}
