import ScenarioLanguage

/// Lines of documents with a span underlined, for the failure blocks of a console.
struct SourceSnippet {
  private let lines: [String: [String]]

  /// Takes texts by file name.
  init(_ texts: [String: String]) {
    lines = texts.mapValues { text in
      text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        line.hasSuffix("\r") ? String(line.dropLast()) : String(line)
      }
    }
  }

  /// The line with carets below it; empty where the text is not known.
  func block(file: String, line: Int, column: Int, endLine: Int?, endColumn: Int?) -> [String] {
    guard let text = lines[file], line >= 1, line <= text.count, column >= 1 else { return [] }
    // Tabs would shift the carets.
    let source = text[line - 1].map { $0 == "\t" ? " " : String($0) }.joined()
    let length = source.unicodeScalars.count
    guard column <= length + 1 else { return [] }
    let end = endLine == line ? min(endColumn ?? column + 1, length + 1) : endLine == nil ? column + 1 : length + 1
    let number = String(line)
    let margin = String(repeating: " ", count: number.count)
    let carets = String(repeating: " ", count: column - 1) + String(repeating: "^", count: max(1, end - column))
    return ["\(margin) |", "\(number) | \(TerminalText.escaped(source))", "\(margin) | \(carets)"]
  }
}
