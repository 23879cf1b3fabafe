import Foundation

/// Data that others published, read from the folder named by `SHOWCALLER_REFERENCE`, `../shared/reference` if unset.
enum Reference {
  static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["SHOWCALLER_REFERENCE"], !path.isEmpty {
      return URL(filePath: path)
    }
    var package = URL(filePath: #filePath)
    for _ in 0..<4 { package.deleteLastPathComponent() }
    return package.deletingLastPathComponent().appending(path: "shared/reference")
  }()

  /// Whether `name` is there; says loudly that its tests are skipped when it is not.
  static func has(_ name: String) -> Bool {
    let path = folder.appending(path: name).path()
    if FileManager.default.fileExists(atPath: path) { return true }
    print("SKIPPED: no reference data at \(path); set SHOWCALLER_REFERENCE to run these tests")
    return false
  }

  static func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.appending(path: name))) }

  /// The names in folder `name`, sorted.
  static func files(in name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: name).path()).sorted()
  }
}

/// Unix time of a moment in UTC.
func utc(_ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0, _ second: Int = 0) -> Int {
  var parts = tm()
  (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
  (parts.tm_hour, parts.tm_min, parts.tm_sec) = (Int32(hour), Int32(minute), Int32(second))
  return timegm(&parts)
}

/// Unix time by the computer's clock, by which TLS certificates are made.
func utcNow() -> Int { Int(Date().timeIntervalSince1970) }
