/// `[${x}]`: braces are punctuation inside `[ ]` and `{ }`, so libyaml stops there. Says so (Y304) and makes the rest
/// of the document readable.
struct FlowSubstitution {
  let diagnostic: Diagnostic
  /// The whole word that must be quoted.
  let span: SourceSpan

  /// `nil` when the failure has another cause.
  init?(_ failure: YAMLFailure, in text: SourceText) {
    guard failure.problem.hasPrefix("did not find expected ',' or") else { return nil }
    let line = Array(text.line(failure.place.line).unicodeScalars)
    // The failure lies at the opening brace or at the word after it.
    let column = failure.place.column - 1
    let brace = [column, column - 1].first { $0 >= 1 && $0 < line.count && line[$0] == "{" && line[$0 - 1] == "$" }
    guard let brace else { return nil }
    let stops = " \t,[]{}\"'".unicodeScalars
    var start = brace - 1
    while start > 0, !stops.contains(line[start - 1]) { start -= 1 }
    guard let close = line[brace...].firstIndex(of: "}") else { return nil }
    var end = close + 1
    while end < line.count, !stops.contains(line[end]) {
      end += 1
      // Another placeholder in the same word.
      if end < line.count, line[end] == "{", line[end - 1] == "$", let next = line[end...].firstIndex(of: "}") {
        end = next + 1
      }
    }
    var word = ""
    word.unicodeScalars.append(contentsOf: line[start..<end])
    let number = failure.place.line
    span = SourceSpan(file: text.name, line: number, column: start + 1, endLine: number, endColumn: end + 1)
    let shown = ScalarText.shown(word)
    let isList = failure.problem.hasSuffix("']'")
    let before = line[..<start].lastIndex { !" \t".unicodeScalars.contains($0) }.map { line[$0] }
    let example = isList && before != ":" ? "`[\"\(shown)\"]`, or one item per line" : "`\"\(shown)\"`"
    diagnostic = Diagnostic(
      .error, .y304, "`\(shown)` must be quoted inside [ ] and { }",
      at: .init(span, "`{` and `}` are YAML punctuation here"),
      footers: [.help("\(example); quoting does not turn numbers into text")])
  }

  /// Puts other brackets in place of the braces, so that nothing moves; `false` when the text is not as expected.
  func repair(_ bytes: inout [UInt8]) -> Bool {
    var line = 1
    var index = 0
    while index < bytes.count, line < span.line {
      let byte = bytes[index]
      index += 1
      if byte == 0x0A || (byte == 0x0D && !(index < bytes.count && bytes[index] == 0x0A)) { line += 1 }
    }
    var column = 1
    var isChanged = false
    while index < bytes.count, column < span.endColumn {
      if column >= span.column, bytes[index] == 0x7B || bytes[index] == 0x7D {
        bytes[index] = bytes[index] == 0x7B ? 0x28 : 0x29
        isChanged = true
      }
      index += 1
      // Continuation bytes of UTF-8 are no columns.
      if index < bytes.count, bytes[index] & 0xC0 != 0x80 { column += 1 }
    }
    return isChanged
  }
}
