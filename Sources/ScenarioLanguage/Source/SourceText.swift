/// A document's lines, for messages that quote it.
package struct SourceText: Sendable {
  package let name: String
  private let bytes: [UInt8]
  /// Where each line begins.
  private let starts: [Int]

  package init(_ file: SourceFile) {
    name = file.name
    // The mark of a UTF-8 file is no part of its first line.
    bytes = file.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(file.bytes.dropFirst(3)) : file.bytes
    var starts = [0]
    for (index, byte) in bytes.enumerated() where byte == 0x0A || (byte == 0x0D && !Self.isLineFeed(bytes, index + 1)) {
      starts.append(index + 1)
    }
    self.starts = starts
  }

  private static func isLineFeed(_ bytes: [UInt8], _ index: Int) -> Bool { index < bytes.count && bytes[index] == 0x0A }

  package var lineCount: Int { starts.count }

  /// The text of a line, counted from 1, without its end; empty where there is no such line.
  package func line(_ number: Int) -> String {
    guard number >= 1, number <= starts.count else { return "" }
    var end = number < starts.count ? starts[number] : bytes.count
    let start = starts[number - 1]
    while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// What stands at a span of one line; `nil` for several lines.
  package func text(at span: SourceSpan) -> String? {
    guard span.line == span.endLine, span.column >= 1, span.endColumn >= span.column else { return nil }
    let scalars = line(span.line).unicodeScalars.dropFirst(span.column - 1).prefix(span.endColumn - span.column)
    var result = ""
    result.unicodeScalars.append(contentsOf: scalars)
    return result
  }
}
