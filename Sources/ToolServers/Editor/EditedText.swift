/// The text of an open document, changed as its editor tells. Source: LSP 3.17 "DidChangeTextDocument".
package struct EditedText: Hashable, Sendable {
  /// Larger ones are not kept.
  package static let limit = 2 << 20

  package private(set) var bytes: [UInt8]

  package init(_ text: String) { bytes = Array(text.utf8) }

  /// Whether it is larger than a document may be kept.
  package var isTooLarge: Bool { bytes.count > Self.limit }

  package mutating func replaceAll(by text: String) { bytes = Array(text.utf8) }

  /// Puts a text in place of a range; a place behind the end of a line is that end, one behind the last line the text's.
  package mutating func replace(_ range: EditorRange, by text: String, in encoding: PositionEncoding) {
    let start = offset(of: range.start, in: encoding)
    let end = max(start, offset(of: range.end, in: encoding))
    bytes.replaceSubrange(start..<end, with: Array(text.utf8))
  }

  /// The byte at a place.
  func offset(of position: EditorPosition, in encoding: PositionEncoding) -> Int {
    var index = 0
    var line = 0
    while line < position.line {
      guard index < bytes.count else { return bytes.count }
      let byte = bytes[index]
      index += 1
      // CR LF is one end of a line, CR or LF alone is one, too.
      if byte == 0x0D, index < bytes.count, bytes[index] == 0x0A { index += 1 }
      if byte == 0x0A || byte == 0x0D { line += 1 }
    }
    var left = position.character
    while left > 0, index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D {
      let length = Self.length(ofScalarBeginning: bytes[index])
      let width =
        switch encoding {
        case .utf8: length
        case .utf16: length == 4 ? 2 : 1
        case .utf32: 1
        }
      if width > left { break }
      left -= width
      index = min(index + length, bytes.count)
    }
    return index
  }

  /// The place of the text's end.
  func end(in encoding: PositionEncoding) -> EditorPosition {
    var line = 0
    var start = 0
    for (index, byte) in bytes.enumerated()
    where byte == 0x0A || byte == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A) {
      line += 1
      start = index + 1
    }
    let last = String(decoding: bytes[start...], as: UTF8.self)
    return EditorPosition(line: line, character: last.unicodeScalars.reduce(0) { $0 + encoding.width(of: $1) })
  }

  private static func length(ofScalarBeginning byte: UInt8) -> Int {
    byte < 0x80 ? 1 : byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
  }
}
