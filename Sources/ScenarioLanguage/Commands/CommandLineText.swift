/// The command line as messages show it, and where its words stand in it.
package struct CommandLineText: Sendable {
  package let shown: String
  /// Each argument with its own text and the column where that begins.
  package let arguments: [(text: String, column: Int)]
  /// The first argument of a text, by the column where it begins.
  private let columns: [String: Int]

  /// - Parameter arguments: All that stands behind the program's name.
  package init(_ arguments: [String]) {
    var shown = "showcaller"
    var placed: [(text: String, column: Int)] = []
    for argument in arguments {
      let line = String(argument.map { $0.isNewline ? " " : $0 })
      let isPlain = !line.isEmpty && line.allSatisfy { $0.isLetter || $0.isNumber || "-_./:=+,%@#&?".contains($0) }
      shown += isPlain ? " " : " '"
      placed.append((argument, shown.unicodeScalars.count + 1))
      shown += isPlain ? line : line + "'"
    }
    self.shown = shown
    self.arguments = placed
    columns = Dictionary(placed.map { ($0.text, $0.column) }, uniquingKeysWith: { first, _ in first })
  }

  /// As the renderers of messages take a file.
  package var source: SourceFile { SourceFile(name: SourceSpan.commandLine, bytes: Array((shown + "\n").utf8)) }

  /// All that stands behind the program's name.
  package var span: SourceSpan { Self.span(12..<max(13, shown.unicodeScalars.count + 1)) }

  /// Where somebody typed a word: an argument, or a side of `key=value`; the whole line where it is not found.
  package func span(of word: String) -> SourceSpan {
    let length = max(1, word.unicodeScalars.count)
    if let column = columns[word] { return Self.span(column..<column + length) }
    if let left = arguments.first(where: { $0.text.hasPrefix(word + "=") }) {
      return Self.span(left.column..<left.column + length)
    }
    guard let right = arguments.first(where: { $0.text.hasSuffix(word) }) else { return span }
    let start = right.column + right.text.unicodeScalars.count - word.unicodeScalars.count
    return Self.span(start..<start + length)
  }

  /// Where the value of an option stands; the whole line where it is not found.
  /// - Parameter value: Which of several; `nil`: the first.
  package func span(ofOption names: [String], _ value: String? = nil) -> SourceSpan {
    for (index, argument) in arguments.enumerated() {
      for name in names {
        let found: (text: String, column: Int)?
        let glued = name.hasPrefix("--") ? name + "=" : name
        if argument.text == name {
          found = arguments.indices.contains(index + 1) ? arguments[index + 1] : nil
        } else if argument.text.hasPrefix(glued) {
          found = (String(argument.text.dropFirst(glued.count)), argument.column + glued.unicodeScalars.count)
        } else {
          found = nil
        }
        guard let found, value == nil || found.text == value || found.text.hasSuffix("=" + (value ?? "")) else {
          continue
        }
        let skipped = value.map { found.text.unicodeScalars.count - $0.unicodeScalars.count } ?? 0
        let length = found.text.unicodeScalars.count - skipped
        return Self.span(found.column + skipped..<found.column + skipped + max(1, length))
      }
    }
    return span
  }

  private static func span(_ columns: Range<Int>) -> SourceSpan {
    SourceSpan(
      file: SourceSpan.commandLine, line: 1, column: columns.lowerBound, endLine: 1, endColumn: columns.upperBound)
  }
}
