/// Mistakes that show in a line's own letters, whatever libyaml stumbled over (T208, Y309).
extension YAMLSyntaxError {
  static func span(_ text: SourceText, _ line: Int, _ columns: Range<Int>) -> SourceSpan {
    SourceSpan(
      file: text.name, line: line, column: columns.lowerBound + 1, endLine: line, endColumn: columns.upperBound + 1)
  }

  static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
  }

  /// The lines in which a failure may have its cause: its own and the one above with something in it.
  static func suspects(_ failure: YAMLFailure, in text: SourceText) -> [Int] {
    var above = failure.place.line - 1
    while above > 1, text.line(above).allSatisfy(\.isWhitespace) { above -= 1 }
    return [failure.place.line, above].filter { $0 >= 1 && $0 <= text.lineCount }
  }

  /// A no-break or wide space, as web pages have, where a space means something: in front of a line, behind its dash
  /// or behind its key.
  static func wideSpace(_ failure: YAMLFailure, in text: SourceText) -> Diagnostic? {
    for number in suspects(failure, in: text) {
      let line = Array(text.line(number).unicodeScalars.prefix(400))
      guard let (place, message) = wideSpace(in: line), let meaning = Lookalike.meaning(of: line[place]) else {
        continue
      }
      return Diagnostic(
        .error, .y309, message,
        at: .init(span(text, number, place..<place + 1), "\(Lookalike.number(of: line[place])), \(meaning.words)"),
        footers: [.help("replace it by a space; it often comes with text from a web page")])
    }
    return nil
  }

  private static func isWideSpace(_ scalar: Unicode.Scalar) -> Bool { Lookalike.meaning(of: scalar)?.plain == " " }

  private static func wideSpace(in line: [Unicode.Scalar]) -> (Int, String)? {
    var place = 0
    while place < line.count {
      if isWideSpace(line[place]) {
        let isBehindDash = place > 0 && line[place - 1] == "-"
        return (
          place, isBehindDash ? "an item begins with `-` and a plain space" : "a line is indented by spaces alone"
        )
      }
      let isDash =
        line[place] == "-" && place + 1 < line.count && (line[place + 1] == " " || isWideSpace(line[place + 1]))
      guard line[place] == " " || isDash else { break }
      place += 1
    }
    while place < line.count, isPlain(line[place]) { place += 1 }
    guard place + 1 < line.count, line[place] == ":", isWideSpace(line[place + 1]) else { return nil }
    return (place + 1, "a key ends with `:` and a plain space")
  }

  /// `{ color: #FFFFFF }`: the comment took the value, and the closing bracket with it.
  static func comment(_ failure: YAMLFailure, in text: SourceText) -> Diagnostic? {
    let problems = [
      "did not find expected node content", "did not find expected ',' or '}'", "did not find expected ',' or ']'",
    ]
    guard problems.contains(failure.problem) else { return nil }
    for number in suspects(failure, in: text) + [failure.contextPlace?.line ?? failure.place.line] {
      let line = Array(text.line(number).unicodeScalars.prefix(2_000))
      guard let mark = line.indices.first(where: { $0 > 0 && line[$0] == "#" && line[$0 - 1] == " " }),
        !line[..<mark].contains("\""), !line[..<mark].contains("'"), mark + 1 < line.count, line[mark + 1] != " "
      else { continue }
      var colon = mark - 1
      while colon > 0, line[colon] == " " { colon -= 1 }
      guard line[colon] == ":", line[..<colon].contains(where: { $0 == "{" || $0 == "[" }) else { continue }
      var start = colon
      while start > 0, isPlain(line[start - 1]) { start -= 1 }
      guard start < colon else { continue }
      let key = String(String.UnicodeScalarView(line[start..<colon]))
      let value = String(String.UnicodeScalarView(line[mark...].prefix { $0 == "#" || isPlain($0) }))
      // Only a color has three digits that stand for six.
      let quoted = key.hasSuffix("color") || key == "background" ? ColorScalar.long(value) ?? value : value
      return Diagnostic(
        .error, .t208, "`\(ScalarText.shown(key))` is empty: `#` starts a comment in YAML",
        at: .init(span(text, number, start..<colon), "no value here"),
        related: [.init(span(text, number, mark..<line.count), "everything from `#` on is a comment")],
        footers: [.help("quote it, `\"\(ScalarText.shown(quoted))\"`")])
    }
    return nil
  }

  /// `device:TV` and `-load: film`: the space that makes a key a key, or an item an item, is not there.
  static func missingSpace(_ failure: YAMLFailure, in text: SourceText) -> Diagnostic? {
    let problems = [
      "could not find expected ':'", "mapping values are not allowed in this context", "did not find expected key",
      "did not find expected '-' indicator",
    ]
    guard problems.contains(failure.problem) else { return nil }
    var numbers = suspects(failure, in: text)
    if let place = failure.contextPlace { numbers.append(place.line) }
    for number in numbers {
      let line = Array(text.line(number).unicodeScalars.prefix(400))
      var start = 0
      while start < line.count, line[start] == " " { start += 1 }
      if start + 1 < line.count, line[start] == "-", isPlain(line[start + 1]), !("0"..."9").contains(line[start + 1]) {
        let rest = String(String.UnicodeScalarView(line[(start + 1)...]))
        return Diagnostic(
          .error, .y309, "an item begins with `-` and a space",
          at: .init(span(text, number, start..<start + 1), "no space behind it"),
          footers: [.help("write `- \(ScalarText.shown(rest))`")])
      }
      if start + 1 < line.count, line[start] == "-", line[start + 1] == " " { start += 2 }
      var colon = start
      while colon < line.count, isPlain(line[colon]) { colon += 1 }
      guard colon > start, colon + 1 < line.count, line[colon] == ":", line[colon + 1] != " ", line[colon + 1] != "/",
        !line[colon...].elementsEqual([":"])
      else { continue }
      let key = String(String.UnicodeScalarView(line[start..<colon]))
      let rest = String(String.UnicodeScalarView(line[(colon + 1)...]))
      guard isKnown(key), !rest.contains(": ") else { continue }
      return Diagnostic(
        .error, .y309, "a key ends with `:` and a space",
        at: .init(span(text, number, colon..<colon + 1), "no space behind it"),
        footers: [.help("write `\(ScalarText.shown(key)): \(ScalarText.shown(rest))`")])
    }
    return nil
  }

  /// Whether a word is a key of documents or steps, so that it was hardly meant as text.
  static func isKnown(_ word: String) -> Bool {
    DocumentKind(rawValue: word) != nil || LanguageSchema.verb(word) != nil || LanguageSchema.modifiers.contains(word)
      || DocumentKind.allCases.contains { LanguageSchema.document($0).contains(word) }
  }
}
