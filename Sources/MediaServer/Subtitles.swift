/// Subtitles as receivers read them: WebVTT in UTF-8, whatever the file is.
package enum Subtitles {
  /// A file of subtitles is a few hundred kilobytes; more is something else.
  package static let mostBytes = 8 << 20

  /// Whether a file is read as subtitles, by its name.
  package static func isSubtitles(_ name: String) -> Bool { ["srt", "vtt"].contains(MediaType.ending(of: name)) }

  /// What is known of a file besides its bytes.
  package struct Hint: Hashable, Sendable {
    /// As a person named it.
    package var encoding: String?
    /// A BCP 47 tag.
    package var language: String?

    package init(encoding: String? = nil, language: String? = nil) {
      self.encoding = encoding
      self.language = language
    }

    /// Tells one reading of a file from another.
    var key: String { self == Hint() ? "" : "\n\(encoding ?? "") \(language ?? "")" }
  }

  /// The same as WebVTT in UTF-8.
  package static func webVTT(_ bytes: [UInt8], _ hint: Hint = Hint()) throws(MediaFile.Failure) -> [UInt8] {
    let text = try text(of: bytes, hint)
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

  /// As its mark says; else as somebody said it is; else UTF-8, where it is that, and otherwise the most likely.
  static func text(of bytes: [UInt8], _ hint: Hint) throws(MediaFile.Failure) -> String {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(decoding: bytes.dropFirst(3), as: UTF8.self) }
    if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes.dropFirst(2), isLittleEndian: true) }
    if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2), isLittleEndian: false) }
    if let name = hint.encoding {
      guard let encoding = TextEncoding(name) else {
        throw MediaFile.Failure(
          "`\(name)` is no encoding that is known: \(TextEncoding.known.joined(separator: ", "))")
      }
      guard let text = encoding.text(of: bytes) else {
        throw MediaFile.Failure("these subtitles are not in \(encoding.name)")
      }
      return text
    }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return EncodingGuess.text(of: bytes, language: hint.language) ?? TextEncoding("windows-1252")?.text(of: bytes) ?? ""
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, isLittleEndian: Bool) -> String {
    let bytes = Array(bytes)
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      isLittleEndian
        ? UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8 : UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }
}
