extension Files {
  /// The longest file name that a key is written into in full.
  static let nameLimit = 180

  /// A name that nobody can make into a path, or into the name of another key (docs/security.md S13).
  static func uniqueName(_ key: String) -> String {
    var name = ""
    for byte in key.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: name.unicodeScalars.append(UnicodeScalar(byte))
      default: name += "_" + hex(UInt64(byte), digits: 2)
      }
      if name.utf8.count > nameLimit { return name.prefix(nameLimit) + "_" + hex(fingerprint(of: key), digits: 16) }
    }
    return name.isEmpty ? "_" : name
  }

  private static func hex(_ number: UInt64, digits: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// FNV-1a: the same in every process, which Swift's own hash is not.
  private static func fingerprint(of key: String) -> UInt64 {
    key.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
