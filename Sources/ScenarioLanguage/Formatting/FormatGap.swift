/// What stands between two tokens: white space, line breaks and comments.
struct FormatGap {
  struct Comment {
    /// From `#` to the end of the line, without trailing white space.
    var text: String
    /// From 0.
    var column: Int
    /// The white space before it; `nil` when there is a tab in it.
    var space: Int?
  }

  enum Line {
    case blank
    case comment(Comment)
  }

  /// The comment at the end of the line of the token before.
  private(set) var trailing: Comment?
  /// The lines between the two tokens' own.
  private(set) var lines: [Line] = []
  private(set) var hasBreak = false

  /// `startsLine`: the text begins a line; `endsText`: no token follows it on its last line.
  init(_ text: [Unicode.Scalar], _ range: Range<Int>, startsLine: Bool, endsText: Bool) {
    var lineStart = range.lowerBound
    while true {
      let end = text[lineStart..<range.upperBound].firstIndex(of: "\n")
      let isOwnLine = hasBreak || startsLine
      if end == nil, !endsText, isOwnLine { break }
      let comment = Self.comment(text, lineStart..<(end ?? range.upperBound))
      if !isOwnLine {
        trailing = comment
      } else if let comment {
        lines.append(.comment(comment))
      } else if end != nil {
        lines.append(.blank)
      }
      guard let end else { break }
      hasBreak = true
      lineStart = end + 1
    }
  }

  private static func comment(_ text: [Unicode.Scalar], _ line: Range<Int>) -> Comment? {
    guard let start = text[line].firstIndex(of: "#") else { return nil }
    var end = line.upperBound
    while end > start, FormatGap.isSpace(text[end - 1]) { end -= 1 }
    var shown = ""
    shown.unicodeScalars.append(contentsOf: text[start..<end])
    var column = start
    while column > 0, text[column - 1] != "\n" { column -= 1 }
    let space = text[line.lowerBound..<start].contains("\t") ? nil : start - line.lowerBound
    return Comment(text: shown, column: start - column, space: space)
  }

  static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" || scalar == "\r" }
}
