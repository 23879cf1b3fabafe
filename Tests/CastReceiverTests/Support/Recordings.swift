import CastProtocol
import Foundation

/// Messages that were recorded from real devices, read from the folder named by `SHOWCALLER_REFERENCE`.
enum Recordings {
  static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["SHOWCALLER_REFERENCE"], !path.isEmpty {
      return URL(filePath: path)
    }
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return package.deletingLastPathComponent().appending(path: "shared/reference")
  }()

  /// Whether they are there; says so loudly when not.
  static let areAvailable: Bool = {
    if FileManager.default.fileExists(atPath: folder.appending(path: "recordings").path()) { return true }
    print("SKIPPED: no recordings in \(folder.path()); set SHOWCALLER_REFERENCE to run these tests")
    return false
  }()

  /// What devices sent; payloads written by hand from documentation are left out.
  static func fromDevices() throws -> [JSONValue] {
    let files = try FileManager.default.contentsOfDirectory(
      at: folder.appending(path: "recordings"), includingPropertiesForKeys: nil)
    var payloads: [JSONValue] = []
    for file in files.sorted(by: { $0.path() < $1.path() }) where file.pathExtension == "json" {
      if file.lastPathComponent == "synthetic-from-docs.json" { continue }
      let messages = try JSONValue(parsing: Array(Data(contentsOf: file))).array ?? []
      payloads += messages.filter { $0["direction"] == "in" }.compactMap { $0["payload"] }
    }
    return payloads
  }
}
