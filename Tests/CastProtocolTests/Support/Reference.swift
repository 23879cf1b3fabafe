import Foundation

/// Test data that others published. It stays out of the repository, so that a clone alone has none.
enum Reference {
  /// The folder named by `SHOWCALLER_REFERENCE`, else `../shared/reference` beside the package.
  static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["SHOWCALLER_REFERENCE"], !path.isEmpty {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    var package = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { package.deleteLastPathComponent() }
    return package.deletingLastPathComponent().appendingPathComponent("shared/reference", isDirectory: true)
  }()

  /// Whether `name` is there; says loudly that its tests are skipped when it is not.
  static func has(_ name: String) -> Bool {
    let path = folder.appendingPathComponent(name).path
    if FileManager.default.fileExists(atPath: path) { return true }
    print("SKIPPED: no reference data at \(path); set SHOWCALLER_REFERENCE to run these tests")
    return false
  }

  /// The names in folder `name`, sorted.
  static func files(in name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(name).path).sorted()
  }

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appendingPathComponent(name)))
  }
}
