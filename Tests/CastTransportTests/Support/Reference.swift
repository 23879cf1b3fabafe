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
}

/// Unix time of a moment in UTC.
func utc(_ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0, _ second: Int = 0) -> Int {
  var parts = tm()
  (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
  (parts.tm_hour, parts.tm_min, parts.tm_sec) = (Int32(hour), Int32(minute), Int32(second))
  return timegm(&parts)
}

extension Reference {
  /// The names in folder `name`, sorted.
  static func files(in name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: name).path()).sorted()
  }
}

/// The base64 blocks of a text, by their names.
struct PEMBlocks {
  private var blocks: [String: [UInt8]] = [:]

  init(_ bytes: [UInt8]) {
    var name: Substring?
    var text = ""
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      if line.hasPrefix("-----BEGIN ") {
        name = line.dropFirst(11).dropLast(5)
        text = ""
      } else if line.hasPrefix("-----END "), let begun = name {
        blocks[String(begun)] = Data(base64Encoded: text).map { Array($0) }
        name = nil
      } else {
        text += line.trimmingCharacters(in: .whitespaces)
      }
    }
  }

  subscript(name: String) -> [UInt8]? { blocks[name] }
}
