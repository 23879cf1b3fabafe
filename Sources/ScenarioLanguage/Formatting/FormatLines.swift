/// The lines of a formatted document while they are written.
struct FormatLines {
  private struct Line {
    var code: String
    /// In Unicode scalars.
    var width: Int
    var comment: FormatGap.Comment?
  }

  private var lines: [Line] = []
  private var wantsBlank = false
  /// Set when the last line must not get a line break: it would become part of a text.
  var endsWithoutBreak = false

  /// The width of the line that is being written.
  var column: Int { lines.last?.width ?? 0 }

  mutating func startLine(indent: Int) {
    if wantsBlank, !lines.isEmpty { lines.append(Line(code: "", width: 0)) }
    wantsBlank = false
    lines.append(Line(code: String(repeating: " ", count: indent), width: indent))
  }

  mutating func append(_ text: some Collection<Unicode.Scalar>) {
    if lines.isEmpty { startLine(indent: 0) }
    lines[lines.count - 1].code.unicodeScalars.append(contentsOf: text)
    lines[lines.count - 1].width += text.count
  }

  mutating func append(_ text: String) { append(text.unicodeScalars) }

  /// Puts a comment behind the line that is being written.
  mutating func appendComment(_ comment: FormatGap.Comment) {
    if lines.isEmpty { startLine(indent: 0) }
    lines[lines.count - 1].comment = comment
  }

  /// Asks for one empty line before the next one, however often.
  mutating func separate() { wantsBlank = true }

  /// A line of a text of several lines, which stays as it is.
  mutating func appendRaw(indent: Int, _ text: some Collection<Unicode.Scalar>) {
    startLine(indent: text.isEmpty ? 0 : indent)
    append(text)
  }

  /// The document; comments that stood below each other within a paragraph still do.
  func rendered() -> String {
    var result = ""
    var start = 0
    while start < lines.count {
      var end = start
      while end < lines.count, lines[end].width > 0 || lines[end].comment != nil { end += 1 }
      render(lines[start..<end], into: &result)
      if end < lines.count { result += "\n" }
      start = end + 1
    }
    if endsWithoutBreak, result.hasSuffix("\n") { result.removeLast() }
    return result
  }

  private struct Column {
    var count = 0
    var width = 0
    var space = Int.max
  }

  private func render(_ paragraph: ArraySlice<Line>, into result: inout String) {
    var columns: [Int: Column] = [:]
    for line in paragraph {
      guard let comment = line.comment, let space = comment.space else { continue }
      var column = columns[comment.column] ?? Column()
      column.count += 1
      column.width = max(column.width, line.width)
      column.space = min(column.space, max(space, 1))
      columns[comment.column] = column
    }
    for line in paragraph {
      result += line.code
      if let comment = line.comment {
        var space = max(comment.space ?? 2, 1)
        if comment.space != nil, let column = columns[comment.column], column.count > 1 {
          space = column.width + column.space - line.width
        }
        result += String(repeating: " ", count: space)
        result += comment.text
      }
      result += "\n"
    }
  }
}
