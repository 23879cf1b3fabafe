/// Slips that show in a line's own letters and whose cure is the line written anew (Y309).
extension YAMLSyntaxError {
  static func slip(_ failure: YAMLFailure, in text: SourceText) -> Diagnostic? {
    foreignComment(failure, in: text) ?? keyInSameLine(failure, in: text) ?? apostrophe(failure, in: text)
      ?? colonInText(failure, in: text) ?? commentInBrackets(failure, in: text) ?? missingColon(failure, in: text)
  }

  private static func line(_ number: Int, of text: SourceText) -> [Unicode.Scalar] {
    Array(text.line(number).unicodeScalars.prefix(400))
  }

  private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var result = ""
    for scalar in scalars { result.unicodeScalars.append(scalar) }
    return result
  }

  private static func report(
    _ message: String, _ text: SourceText, _ number: Int, _ columns: Range<Int>, _ label: String, help: String
  ) -> Diagnostic {
    Diagnostic(.error, .y309, message, at: .init(span(text, number, columns), label), footers: [.help(help)])
  }

  /// `// comment`, as other languages have it.
  private static func foreignComment(_ failure: YAMLFailure, in text: SourceText) -> Diagnostic? {
    for number in suspects(failure, in: text) {
      let line = line(number, of: text)
      guard let start = line.firstIndex(where: { $0 != " " }), start + 1 < line.count, line[start] == "/",
        line[start + 1] == "/" || line[start + 1] == "*"
      else { continue }
      return report(
        "a comment begins with `#`", text, number, start..<start + 2, "no comment in YAML",
        help: "write `#` instead of `\(string(line[start..<start + 2]))`, in each line of the comment")
    }
    return nil
  }

  /// `- load: film timeout: 20s`: a key that stands next to the verb, in the verb's line.
  private static func keyInSameLine(_ failure: YAMLFailure, in text: SourceText) -> Diagnostic? {
    let line = line(failure.place.line, of: text)
    var start = failure.place.column - 1
    switch failure.problem {
    case "did not find expected key": break
    case "mapping values are not allowed in this context":
      while start > 0, start <= line.count, isPlain(line[start - 1]) { start -= 1 }
    default: return nil
    }
    guard start > 0, start < line.count, line[start - 1] == " " else { return nil }
    let word = string(line[start...].prefix(while: isPlain))
    let colon = start + word.unicodeScalars.count
    guard LanguageSchema.modifiers.contains(word), colon < line.count, line[colon] == ":",
      let first = line.firstIndex(where: { $0 != " " && $0 != "-" }), first < start
    else { return nil }
    var end = start
    while end > 0, line[end - 1] == " " || line[end - 1] == "," { end -= 1 }
    let indentation = String(repeating: " ", count: first)
    return report(
      "two keys of a step in one line", text, failure.place.line, failure.place.column - 1..<failure.place.column,
      "a key begins on a line of its own",
      help: "put `\(word):` on a line of its own:\n\(ScalarText.shown(string(line[..<end])))\n"
        + indentation + ScalarText.shown(string(line[start...])))
  }

  /// `'Bob's film'`: the apostrophe ends the text.
  private static func apostrophe(_ failure: YAMLFailure, in text: SourceText) -> Diagnostic? {
    let problems = [
      "did not find expected ',' or '}'", "did not find expected ',' or ']'", "did not find expected key",
      "could not find expected ':'",
    ]
    guard problems.contains(failure.problem) else { return nil }
    let line = line(failure.place.line, of: text)
    let opening = line.indices.first { index in
      line[index] == "'" && index > 0 && " [{,".unicodeScalars.contains(line[index - 1])
    }
    guard let opening,
      let inner = line.indices.first(where: { index in
        index > opening + 1 && index + 1 < line.count && line[index] == "'" && line[index - 1].properties.isAlphabetic
          && line[index + 1].properties.isAlphabetic
      }), let closing = line.lastIndex(of: "'"), closing > inner,
      // A pair that ends before the apostrophe is another text.
      !line[(opening + 1)..<inner].contains("'")
    else { return nil }
    let whole = string(line[(opening + 1)..<closing]).replacing("''", with: "'").replacing("'", with: "''")
    return report(
      "this `'` ends the text", text, failure.place.line, inner..<inner + 1, "not the last one",
      help: "inside single quotes a `'` is written `''`: `'\(ScalarText.shown(whole))'`")
  }

  /// `{ title: What? Yes: no }`.
  private static func colonInText(_ failure: YAMLFailure, in text: SourceText) -> Diagnostic? {
    guard failure.problem == "did not find expected ',' or '}'" else { return nil }
    let line = line(failure.place.line, of: text)
    let place = failure.place.column - 1
    guard place > 0, place + 1 < line.count, line[place] == ":", line[place + 1] == " " else { return nil }
    let start = line[..<place].lastIndex { "{,[\"'".unicodeScalars.contains($0) }.map { $0 + 1 } ?? 0
    let colon = line[start..<place].indices.first { line[$0] == ":" && line[$0 + 1] == " " }
    guard let colon, let end = line[place...].firstIndex(where: { ",}]".unicodeScalars.contains($0) }) else {
      return nil
    }
    var value = line[(colon + 2)..<end]
    while value.last == " " { value.removeLast() }
    let shown = ScalarText.shown(string(value.drop { $0 == " " }))
    return report(
      "a second `: ` in one value", text, failure.place.line, place..<place + 1, "a map cannot begin here",
      help: "quote a text that holds `: `: `\"\(shown)\"`")
  }

  /// `[a # b, c]`: the comment took the closing bracket.
  private static func commentInBrackets(_ failure: YAMLFailure, in text: SourceText) -> Diagnostic? {
    let closing: Unicode.Scalar
    switch failure.problem {
    case "did not find expected ',' or ']'": closing = "]"
    case "did not find expected ',' or '}'": closing = "}"
    default: return nil
    }
    guard let opened = failure.contextPlace else { return nil }
    for number in [opened.line] + suspects(failure, in: text) where number >= opened.line {
      let line = line(number, of: text)
      let start = number == opened.line ? opened.column : 1
      guard let mark = line.indices.first(where: { $0 >= start && line[$0] == "#" && line[$0 - 1] == " " }),
        line[mark...].contains(closing), !line[..<mark].contains("\""), !line[..<mark].contains("'")
      else { continue }
      return report(
        "`\(closing)` stands in a comment", text, number, mark..<mark + 1, "a comment from here on",
        help: "put the comment behind the `\(closing)`, or quote a text that holds ` #`")
    }
    return nil
  }

  /// `scenario x`: a key whose colon was left out.
  private static func missingColon(_ failure: YAMLFailure, in text: SourceText) -> Diagnostic? {
    let problems = ["could not find expected ':'", "mapping values are not allowed in this context"]
    guard problems.contains(failure.problem) else { return nil }
    for number in suspects(failure, in: text) + (failure.contextPlace.map { [$0.line] } ?? []) {
      let line = line(number, of: text)
      var start = 0
      while start < line.count, line[start] == " " { start += 1 }
      let isItem = start + 1 < line.count && line[start] == "-" && line[start + 1] == " "
      let front = start
      if isItem { start += 2 }
      var end = start
      while end < line.count, isPlain(line[end]) { end += 1 }
      guard end > start, end + 1 < line.count, line[end] == " ", line[end + 1] != "#" else { continue }
      let rest = string(line[(end + 1)...])
      guard isKnown(string(line[start..<end])), !rest.contains(": "), !rest.hasSuffix(":") else { continue }
      return report(
        "expected `key: value`", text, number, end..<end + 1, "no `:` here",
        help: "write `\(ScalarText.shown(string(line[front..<end]))): \(ScalarText.shown(rest))`")
    }
    return nil
  }

  /// `- menu` with `for: 30s` below it, in a playlist: the item as one map.
  static func item(above failure: YAMLFailure, in text: SourceText) -> String? {
    guard (1...min(text.lineCount, 50)).contains(where: { text.line($0).hasPrefix("playlist:") }) else { return nil }
    let above = text.line(failure.place.line - 1).drop { $0 == " " }
    guard above.hasPrefix("- ") else { return nil }
    let media = above.dropFirst(2)
    guard !media.isEmpty, !media.contains(": "), !media.hasSuffix(":"), !media.contains(" ") else { return nil }
    var keys: [String] = []
    let column = text.line(failure.place.line).prefix { $0 == " " }.count
    for number in failure.place.line...failure.place.line + 4 {
      let line = text.line(number)
      let pair = line.drop { $0 == " " }
      guard line.prefix(while: { $0 == " " }).count == column, let colon = pair.firstIndex(of: ":"),
        LanguageSchema.playlistItem.contains(String(pair[..<colon]))
      else { break }
      keys.append(ScalarText.shown(pair))
    }
    return keys.isEmpty ? nil : "{ media: \(ScalarText.shown(media)), \(keys.joined(separator: ", ")) }"
  }
}
