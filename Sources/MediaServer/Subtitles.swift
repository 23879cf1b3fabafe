/// Subtitles as receivers read them: WebVTT in UTF-8, whatever the file is.
package enum Subtitles {
  /// A file of subtitles is a few hundred kilobytes; more is something else.
  package static let mostBytes = 8 << 20

  /// Whether a file is read as subtitles, by its name.
  package static func areIn(_ name: String) -> Bool { ["srt", "vtt"].contains(MediaType.ending(of: name)) }

  /// The same as WebVTT in UTF-8.
  package static func webVTT(_ bytes: [UInt8]) -> [UInt8] {
    let text = text(of: bytes)
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    if lines.first?.hasPrefix("WEBVTT") == true { return Array(text.utf8) }
    var result = "WEBVTT\n\n"
    for line in lines { result += (timing(line) ?? String(line)) + "\n" }
    return Array(result.utf8)
  }

  /// A line of SubRip that says when, as WebVTT says it: with a point, not a comma.
  private static func timing(_ line: Substring) -> String? {
    let parts = line.split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count >= 3, parts[1] == "-->", let start = clock(parts[0]), let end = clock(parts[2]) else {
      return nil
    }
    return "\(start) --> \(end)"
  }

  /// `1:02:03,4` as `01:02:03.400`.
  private static func clock(_ text: Substring) -> String? {
    let halves = text.split(omittingEmptySubsequences: false) { $0 == "," || $0 == "." }
    let fields = halves[0].split(separator: ":", omittingEmptySubsequences: false)
    guard (1...2).contains(halves.count), (2...3).contains(fields.count),
      (fields + halves.dropFirst()).allSatisfy({ !$0.isEmpty && $0.count <= 3 && $0.allSatisfy(\.isNumber) })
    else { return nil }
    func padded(_ field: Substring) -> String { field.count < 2 ? "0\(field)" : String(field) }
    let whole = (fields.count == 2 ? ["00"] : []) + fields.map(padded)
    let thousandths = halves.count == 2 ? String(halves[1]) : ""
    return whole.joined(separator: ":") + "." + (thousandths + "000").prefix(3)
  }

  /// UTF-8, UTF-16 with its mark, else Windows-1252, in which every byte is a character.
  static func text(of bytes: [UInt8]) -> String {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(decoding: bytes.dropFirst(3), as: UTF8.self) }
    if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes.dropFirst(2), isLittleEndian: true) }
    if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2), isLittleEndian: false) }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(bytes.map { windows1252[Int($0)] }))
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, isLittleEndian: Bool) -> String {
    let bytes = Array(bytes)
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      isLittleEndian
        ? UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8 : UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
    }
    return String(decoding: units, as: UTF16.self)
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
