import Glibc

/// An encoding of text, by the names that the web has for it (WHATWG Encoding Standard).
package struct TextEncoding: Hashable, Sendable {
  /// Lower-case.
  package let name: String
  /// What iconv calls it: where there are several, the one that knows most characters.
  private let iconvName: String

  /// - Returns: `nil` where no such encoding is known.
  package init?(_ name: String) {
    let name = name.lowercased().filter { !$0.isWhitespace }.replacing("_", with: "-")
    let plain = Self.aliases[name] ?? name
    guard let iconvName = Self.names[plain] else { return nil }
    (self.name, self.iconvName) = (plain, iconvName)
  }

  package static let known = names.keys.sorted()

  private static let names: [String: String] = {
    var names = [
      "utf-8": "UTF-8", "utf-16le": "UTF-16LE", "utf-16be": "UTF-16BE", "shift-jis": "CP932", "euc-jp": "EUC-JP",
      "gbk": "GB18030", "gb18030": "GB18030", "big5": "CP950", "euc-kr": "CP949", "koi8-r": "KOI8-R",
      "koi8-u": "KOI8-U", "ibm866": "CP866", "macintosh": "MACINTOSH", "windows-874": "CP874",
    ]
    for number in 1_250...1_258 { names["windows-\(number)"] = "CP\(number)" }
    for number in [2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 16] { names["iso-8859-\(number)"] = "ISO-8859-\(number)" }
    return names
  }()

  private static let aliases: [String: String] = [
    "utf8": "utf-8", "utf-16": "utf-16le", "gb2312": "gb18030", "sjis": "shift-jis", "cp932": "shift-jis",
    "big5-hkscs": "big5", "ascii": "windows-1252", "us-ascii": "windows-1252", "latin1": "windows-1252",
    "latin2": "iso-8859-2", "iso-8859-1": "windows-1252", "iso-8859-11": "windows-874", "cp866": "ibm866",
    "cp949": "euc-kr", "cp1250": "windows-1250", "cp1251": "windows-1251", "cp1252": "windows-1252",
  ]

  /// The text; `nil` where the bytes are none of this encoding.
  package func text(of bytes: [UInt8]) -> String? {
    if bytes.isEmpty { return "" }
    // Bytes that Windows leaves out are in many files, and no reason to refuse the rest.
    if iconvName == "CP1252" { return String(String.UnicodeScalarView(bytes.map { Self.windows1252[Int($0)] })) }
    guard let converter = iconv_open("UTF-8", iconvName), Int(bitPattern: converter) != -1 else { return nil }
    defer { iconv_close(converter) }
    // A character of two bytes has at most four in UTF-8, one of one byte at most three.
    var result = [UInt8](repeating: 0, count: bytes.count * 4)
    var source = bytes
    let used: Int? = source.withUnsafeMutableBytes { source in
      result.withUnsafeMutableBytes { result in
        var from = source.baseAddress?.assumingMemoryBound(to: CChar.self)
        var to = result.baseAddress?.assumingMemoryBound(to: CChar.self)
        var (left, room) = (source.count, result.count)
        guard iconv(converter, &from, &left, &to, &room) != -1, left == 0 else { return nil }
        // The last letter may wait for an accent.
        guard iconv(converter, nil, nil, &to, &room) != -1 else { return nil }
        return result.count - room
      }
    }
    return used.flatMap { String(validating: result[..<$0], as: UTF8.self) }
  }

  /// What Windows-1252 has between 0x80 and 0x9F; the rest is as in Unicode.
  private static let windows1252: [Unicode.Scalar] = {
    let special: [UInt32] = [
      0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD,
      0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
      0x0153, 0xFFFD, 0x017E, 0x0178,
    ]
    return (0..<256).map { byte in
      let value = (0x80..<0xA0).contains(byte) ? special[byte - 0x80] : UInt32(byte)
      return Unicode.Scalar(value) ?? "\u{FFFD}"
    }
  }()
}
