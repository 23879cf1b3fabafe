extension Files {
  /// A file name that nobody can make into a path: letters, digits and `-`, all else `_`; `nil` for an empty text.
  static func plainName(_ text: String) -> String? {
    let name = text.utf8.prefix(100).map { byte in
      let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
      return isPlain || byte == 0x2D ? Character(UnicodeScalar(byte)) : "_"
    }
    return name.isEmpty ? nil : String(name)
  }
}
