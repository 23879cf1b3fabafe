/// Puts libyaml's complaints into words that name the cure (T211, Y306, Y309).
enum YAMLSyntaxError {
  static func diagnostic(_ failure: YAMLFailure, in text: SourceText) -> Diagnostic {
    tab(failure, in: text) ?? wideSpace(failure, in: text) ?? comment(failure, in: text)
      ?? missingSpace(failure, in: text) ?? slip(failure, in: text) ?? known(failure, in: text)
  }

  private static func span(_ text: SourceText, _ place: YAMLDocument.Place, length: Int = 1) -> SourceSpan {
    // The end of the text is shown behind the last line that has something.
    var place = place
    if place.line > text.lineCount || (place.line == text.lineCount && text.line(place.line).isEmpty) {
      place.line = min(place.line, text.lineCount)
      while place.line > 1, text.line(place.line).isEmpty { place.line -= 1 }
      place.column = text.line(place.line).unicodeScalars.count + 1
    }
    return SourceSpan(
      file: text.name, line: place.line, column: place.column, endLine: place.line, endColumn: place.column + length)
  }

  /// What stands before a line's content: white space, and the dashes of list items.
  private static func indentation(_ line: String) -> [Unicode.Scalar] {
    let scalars = Array(line.unicodeScalars)
    var end = 0
    while end < scalars.count {
      let isSpace = scalars[end] == " " || scalars[end] == "\t"
      let isDash =
        scalars[end] == "-" && end + 1 < scalars.count && (scalars[end + 1] == " " || scalars[end + 1] == "\t")
      guard isSpace || isDash else { break }
      end += 1
    }
    return Array(scalars[..<end])
  }

  /// A tab where only spaces may stand, at the place of the failure or in the line before it.
  private static func tab(_ failure: YAMLFailure, in text: SourceText) -> Diagnostic? {
    for number in [failure.place.line, failure.place.line - 1] where number >= 1 {
      let line = text.line(number)
      guard let column = indentation(line).firstIndex(of: "\t"), !line.allSatisfy(\.isWhitespace) else { continue }
      return Diagnostic(
        .error, .t211, "a tab cannot be used for indentation",
        at: .init(span(text, YAMLDocument.Place(line: number, column: column + 1)), "tab (shown as →)"),
        footers: [.help("use spaces; `showcaller fmt` fixes the whole file")])
    }
    return nil
  }

  private struct Words {
    var message: String
    var label = ""
    var help: String?
    /// What `context_mark` points at.
    var context: String?
    var isAtContext = false
    var code = Code.y309
  }

  private static func known(_ failure: YAMLFailure, in text: SourceText) -> Diagnostic {
    let words = words(failure, in: text)
    var place = failure.place
    var related: [Diagnostic.Label] = []
    if let contextPlace = failure.contextPlace {
      if words.isAtContext {
        place = contextPlace
      } else if let context = words.context, contextPlace != failure.place {
        related = [.init(span(text, contextPlace), context)]
      }
    }
    return Diagnostic(
      .error, words.code, words.message, at: .init(span(text, place), words.label), related: related,
      footers: words.help.map { [.help($0)] } ?? [])
  }

  /// The word of a line such as `  - play`.
  private static func bareItem(_ line: String) -> String? {
    let item = line.drop { $0 == " " }
    guard item.hasPrefix("- ") else { return nil }
    let word = item.dropFirst(2)
    return !word.isEmpty && word.utf8.allSatisfy { $0 == 0x5F || (0x61...0x7A).contains($0) } ? String(word) : nil
  }

  /// What stands before a failure in its line, without the white space at its end.
  private static func textBefore(_ failure: YAMLFailure, in text: SourceText) -> String {
    var scalars = Array(text.line(failure.place.line).unicodeScalars.prefix(max(failure.place.column - 1, 0)))
    while scalars.last == " " || scalars.last == "\t" { scalars.removeLast() }
    return String(String.UnicodeScalarView(scalars))
  }

  /// `"a" b` and `[a] b`.
  private static func behindValue(_ failure: YAMLFailure, in text: SourceText) -> Words {
    let before = textBefore(failure, in: text)
    guard let last = before.last, last == "\"" || last == "'" else {
      return Words(
        message: "something follows a list or map that is complete", label: "not part of it",
        help: "quote the whole value if it is a text; a comment begins with ` #`")
    }
    if before.count(where: { $0 == last }) % 2 == 1 {
      return Words(
        message: "something follows a text in quotes", label: "not part of it",
        help: "is a quote further up never closed? This one ends it")
    }
    return Words(
      message: "something follows a text in quotes", label: "not part of it",
      help: "put all of it into quotes, or none; a comment begins with ` #`")
  }

  /// Whether the last line with content before a failure is `...`.
  private static func followsDocumentEnd(_ failure: YAMLFailure, in text: SourceText) -> Bool {
    var number = failure.place.line - 1
    while number >= 1 {
      let line = text.line(number)
      if line.hasPrefix("...") { return true }
      guard line.allSatisfy(\.isWhitespace) || line.drop(while: { $0 == " " }).first == "#" else { return false }
      number -= 1
    }
    return false
  }

  private static func words(_ failure: YAMLFailure, in text: SourceText) -> Words {
    let line = text.line(failure.place.line)
    // Tags and directives have messages of their own, however they are misspelled.
    if failure.context.hasSuffix("directive") {
      let word = text.line(failure.contextPlace?.line ?? failure.place.line).prefix { $0 != " " && $0 != "\t" }
      return Words(
        message: "directives (`\(ScalarText.shown(word))`) are not supported", help: YAMLComposer.directiveHelp,
        isAtContext: true,
        code: .y306)
    }
    switch failure.problem {
    case "found incompatible YAML document", "found duplicate %YAML directive", "found duplicate %TAG directive":
      return Words(message: "directives (`%…`) are not supported", help: YAMLComposer.directiveHelp, code: .y306)
    case "mapping values are not allowed in this context":
      let before = String(line.unicodeScalars.prefix(max(failure.place.column - 1, 0)).map(Character.init))
      if before.hasPrefix("--- ") {
        return Words(
          message: "keys cannot stand in the line of `---`", label: "a map cannot begin here",
          help: "begin the document on the next line, or leave `---` out")
      }
      if before.contains(": ") {
        return Words(
          message: "a second `: ` in one line", label: "a map cannot begin here",
          help: "quote a text that holds `: `, or begin the map on the next line")
      }
      if let item = item(above: failure, in: text) {
        return Words(
          message: "this key does not fit under the line above", label: "the line above is complete",
          help: "write `- \(item)`")
      }
      if let item = bareItem(text.line(failure.place.line - 1)) {
        return Words(
          message: "this key does not fit under the line above", label: "the line above is complete",
          help: "write `- \(item):`, with a colon, to put keys next to it")
      }
      return Words(
        message: "this key does not fit under the line above", label: "the line above already has a value",
        help: "indent it like the key above, or leave that key without a value of its own")
    case "did not find expected key" where textBefore(failure, in: text).last.map({ "\"']}".contains($0) }) == true:
      return behindValue(failure, in: text)
    case "did not find expected key" where line.unicodeScalars.dropFirst(failure.place.column - 1).first == ":":
      return Words(message: "a key is missing here", help: "write `key: value`", code: .y307)
    case "did not find expected key":
      return Words(
        message: "this line is not indented like the lines it belongs to", label: "no key of the map above",
        help: "keys of one map begin in the same column", context: "the map begins here")
    case "did not find expected '-' indicator":
      let isKey = line.drop { $0 == " " }.first?.isLetter == true && line.contains(": ")
      return Words(
        message: "expected another `- ` here", label: "not an item of the list above",
        help: "items of one list begin with `- ` in the same column"
          + (isKey ? "; a key of the item above stands two columns further right" : ""), context: "the list begins here"
      )
    case "could not find expected ':'":
      let written = text.line(failure.contextPlace?.line ?? failure.place.line)
      let word = String(written.drop { $0 == " " })
      if LanguageSchema.verb(word) != nil {
        return Words(
          message: "expected `key: value`", label: "no `: ` behind this", help: "a new step is `- \(word)`",
          isAtContext: true)
      }
      return Words(
        message: "expected `key: value`", label: "no `: ` behind this",
        help: "a key ends with `:` and a space", isAtContext: true)
    case "did not find expected ',' or ']'":
      return Words(
        message: "a list in [ ] goes wrong here", label: "expected `,` or `]`",
        help: "separate items by `,` and close the list with `]`", context: "the list begins here")
    case "did not find expected ',' or '}'":
      return Words(
        message: "a map in { } goes wrong here", label: "expected `,` or `}`",
        help: "separate keys by `,` and close the map with `}`", context: "the map begins here")
    case "did not find expected node content":
      return Words(message: "a value is missing here", help: "write it, or remove the punctuation")
    case "found unexpected end of stream", "found unexpected document indicator":
      return Words(
        message: "a quote is opened and never closed", label: "opened here", help: "close it with the same quote",
        isAtContext: true)
    case "found unknown escape character":
      return Words(
        message: "an unknown escape in double quotes", label: "not an escape",
        help: "write `\\\\` for a backslash, or use single quotes", context: "the text begins here")
    case "found character that cannot start any token":
      let character = line.unicodeScalars.dropFirst(failure.place.column - 1).first.map { ScalarText.shown(String($0)) }
      return Words(
        message: "a value cannot begin with \(character == "`" ? "a backtick" : "`\(character ?? "this")`")",
        help: "quote the value")
    case "block sequence entries are not allowed in this context":
      return Words(message: "a list cannot begin here", help: "put the first `- ` on the next line")
    case "mapping keys are not allowed in this context":
      return Words(
        message: "`? ` cannot stand here", help: "write `key: value`, or quote a text that begins with `? `",
        code: .y307)
    case "did not find expected hexdecimal number":
      return Words(
        message: "an escape without its digits", label: "not a hexadecimal digit",
        help: "`\\x` takes 2 digits, `\\u` 4 and `\\U` 8; write `\\\\` for a backslash", context: "the text begins here"
      )
    case "found invalid Unicode character escape code":
      return Words(
        message: "this escape stands for no character", label: "no character has this number",
        help: "write the character itself", context: "the text begins here")
    case "did not find expected comment or line break", "found an indentation indicator equal to 0":
      return Words(
        message: "a text after `|` or `>` begins on the next line", label: "not here",
        help: "put the text on lines of its own below, indented", context: "announced here")
    case "did not find expected <document start>" where followsDocumentEnd(failure, in: text):
      return Words(
        message: "a file holds one document, this one ended above", label: "behind the end of the document",
        help: "remove the line `...`, or put what follows into a file of its own", code: .y305)
    case "did not find expected <document start>":
      return Words(
        message: "something follows the end of the document", help: "check the indentation of the lines above")
    case "found undefined tag handle", "did not find expected tag URI", "did not find expected '!'":
      return Words(message: "tags (`!x`) are not supported", help: "quote a text that begins with `!`", code: .y306)
    case "did not find expected alphabetic or numeric character":
      return Words(
        message: "`*` and `&` begin names of aliases and anchors", help: "quote a text that begins with them",
        isAtContext: true)
    case "found a tab character that violates indentation",
      "found a tab character where an indentation space is expected":
      return Words(message: "a tab cannot be used for indentation", help: "use spaces", code: .t211)
    case _ where failure.context.hasSuffix("a tag"):
      return Words(
        message: "tags (`!x`) are not supported", help: "quote a text that begins with `!`", isAtContext: true,
        code: .y306)
    default:
      return Words(
        message: "this is not YAML: \(ScalarText.shown(failure.problem))",
        context: failure.context.isEmpty ? nil : ScalarText.shown(failure.context))
    }
  }
}
