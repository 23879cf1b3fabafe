/// The lines of a formatted document while they are written.
struct FormatLines {
  private struct Line {
    var code: String
    /// In Unicode scalars.
    var width: Int
    var indent: Int
    var comment: FormatGap.Comment?
    var cells: [FormatColumns.Cell] = []
    /// Nothing else stands in it.
    var isComment = false

    /// Widens the space before each of its cells.
    mutating func pad(_ padding: [Int]) {
      guard padding.contains(where: { $0 > 0 }) else { return }
      var padded = ""
      var start = code.startIndex
      for (cell, count) in zip(cells, padding) {
        let end = code.utf8.index(code.startIndex, offsetBy: cell.offset)
        padded += code[start..<end]
        padded += String(repeating: " ", count: count)
        start = end
        width += count
      }
      code = padded + code[start...]
    }
  }

  private var lines: [Line] = []
  private var wantsBlank = false
  /// Set when the last line must not get a line break: it would become part of a text.
  var endsWithoutBreak = false

  /// The width of the line that is being written.
  var column: Int { lines.last?.width ?? 0 }
  /// The line that is being written, from 0.
  var lineIndex: Int { max(lines.count - 1, 0) }

  mutating func startLine(indent: Int) {
    if wantsBlank, !lines.isEmpty { lines.append(Line(code: "", width: 0, indent: 0)) }
    wantsBlank = false
    lines.append(Line(code: String(repeating: " ", count: indent), width: indent, indent: indent))
  }

  mutating func append(_ text: some Collection<Unicode.Scalar>) {
    if lines.isEmpty { startLine(indent: 0) }
    // One by one: `append(contentsOf:)` reserves no spare room, so that every call would copy the line.
    for scalar in text { lines[lines.count - 1].code.unicodeScalars.append(scalar) }
    lines[lines.count - 1].width += text.count
  }

  mutating func append(_ text: String) { append(text.unicodeScalars) }

  /// Puts a comment behind the line that is being written.
  mutating func appendComment(_ comment: FormatGap.Comment) {
    if lines.isEmpty { startLine(indent: 0) }
    lines[lines.count - 1].comment = comment
  }

  /// Writes a line that is a comment and nothing else.
  mutating func startComment(_ text: String, indent: Int) {
    startLine(indent: indent)
    append(text)
    lines[lines.count - 1].isComment = true
  }

  /// Writes the space before a part that may stand below one of the line above; `source` is its column there.
  mutating func appendSpace(source: Int, space: Int, depth: Int) {
    if lines.isEmpty { startLine(indent: 0) }
    let offset = lines[lines.count - 1].code.utf8.count
    lines[lines.count - 1].cells.append(
      FormatColumns.Cell(offset: offset, width: column, source: source, space: space, depth: depth))
    append(" ")
  }

  /// Leaves the parts of the line where they are: lines below depend on its columns.
  mutating func fixColumns() {
    if !lines.isEmpty { lines[lines.count - 1].cells = [] }
  }

  /// Asks for one empty line before the next one, however often.
  mutating func separate() { wantsBlank = true }

  /// A line of a text of several lines, which stays as it is.
  mutating func appendRaw(indent: Int, _ text: some Collection<Unicode.Scalar>) {
    startLine(indent: text.isEmpty ? 0 : indent)
    append(text)
  }

  /// The document; what stood below each other on purpose within a paragraph still does.
  func rendered() -> String {
    var result = ""
    var start = 0
    while start < lines.count {
      var end = start
      while end < lines.count, lines[end].width > 0 || lines[end].comment != nil { end += 1 }
      render(aligned(lines[start..<end]), into: &result)
      if end < lines.count { result += "\n" }
      start = end + 1
    }
    if endsWithoutBreak, result.hasSuffix("\n") { result.removeLast() }
    return result
  }

  /// The lines with the spaces that keep their columns.
  private func aligned(_ paragraph: ArraySlice<Line>) -> ArraySlice<Line> {
    guard paragraph.contains(where: { $0.cells.contains { $0.space > 1 } }) else { return paragraph }
    // A column goes on below a comment between its lines.
    let indices = paragraph.indices.filter { !paragraph[$0].isComment }
    let rows = indices.map { FormatColumns.Row(indent: paragraph[$0].indent, cells: paragraph[$0].cells) }
    var result = paragraph
    for (index, padding) in zip(indices, FormatColumns.paddings(of: rows)) {
      result[index].pad(padding)
    }
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
