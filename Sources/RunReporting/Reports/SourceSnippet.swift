import ScenarioLanguage

/// Lines of documents with a span underlined, for the failure blocks of a console.
struct SourceSnippet {
  private let texts: [String: SourceText]

  /// Takes texts by file name.
  init(_ texts: [String: String]) {
    // Lines end as they do for the compiler, which counted them.
    self.texts = Dictionary(
      uniqueKeysWithValues: texts.map { ($0, SourceText(SourceFile(name: $0, bytes: Array($1.utf8)))) })
  }

  /// The line with carets below it; empty where the text is not known.
  /// - Parameter width: The cells there are for a line of it; a longer source line is cut to what surrounds the carets.
  func block(
    file: String, line: Int, column: Int, endLine: Int?, endColumn: Int?, width: Int? = nil
  ) -> [String] {
    guard let text = texts[file], line >= 1, line <= text.lineCount, column >= 1 else { return [] }
    // Tabs would shift the carets.
    let source = text.line(line).map { $0 == "\t" ? " " : String($0) }.joined()
    let length = source.unicodeScalars.count
    guard column <= length + 1 else { return [] }
    let end = endLine == line ? min(endColumn ?? column + 1, length + 1) : endLine == nil ? column + 1 : length + 1
    let number = String(line)
    let margin = String(repeating: " ", count: number.count)
    if let width {
      return block(Array(source.unicodeScalars), marked: column - 1..<max(column, end - 1), number, width: width)
    }
    let carets = String(repeating: " ", count: column - 1) + String(repeating: "^", count: max(1, end - column))
    return ["\(margin) |", "\(number) | \(TerminalText.escaped(source))", "\(margin) | \(carets)"]
  }

  private func block(_ source: [Unicode.Scalar], marked: Range<Int>, _ number: String, width: Int) -> [String] {
    let margin = String(repeating: " ", count: number.count)
    let scalars = source.map(TerminalText.inPlace)
    let window = TextWrap.window(scalars, marked: marked, width: max(1, width - number.count - 3))
    let isCut = window.lowerBound > 0
    var shown = isCut ? "…" : ""
    shown.unicodeScalars.append(contentsOf: scalars[window])
    if window.upperBound < scalars.count { shown += "…" }
    let start = min(max(marked.lowerBound, window.lowerBound), window.upperBound)
    let end = min(marked.upperBound, window.upperBound)
    let before = DisplayWidth.of(scalars[window.lowerBound..<start]) + (isCut ? 1 : 0)
    let cells = max(1, DisplayWidth.of(scalars[start..<max(start, end)]))
    let carets = String(repeating: " ", count: before) + String(repeating: "^", count: cells)
    return ["\(margin) |", "\(number) | \(shown)", "\(margin) | \(carets)"]
  }
}
