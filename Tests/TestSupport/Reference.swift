package import Foundation

/// Data that others published, read from the folder named by `SHOWCALLER_REFERENCE`, `../shared/reference` if unset.
package enum Reference {
  package static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["SHOWCALLER_REFERENCE"], !path.isEmpty {
      return URL(filePath: path)
    }
    var package = URL(filePath: #filePath)
    for _ in 0..<3 { package.deleteLastPathComponent() }
    return package.deletingLastPathComponent().appending(path: "shared/reference")
  }()

  /// Whether `name` is there; says loudly that its tests are skipped when it is not.
  package static func has(_ name: String) -> Bool {
    let path = folder.appending(path: name).path()
    if FileManager.default.fileExists(atPath: path) { return true }
    print("SKIPPED: no reference data at \(path); set SHOWCALLER_REFERENCE to run these tests")
    return false
  }

  package static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: name)))
  }

  /// The names in folder `name`, sorted.
  package static func files(in name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: name).path()).sorted()
  }
}
