/// Suggestions for short forms that do not exist: the long form, ready to be pasted.
extension FieldReader {
  /// The character of the document with which a place begins.
  func sourceScalar(at span: SourceSpan) -> Unicode.Scalar? {
    guard let text, text.name == span.file else { return nil }
    return text.scalar(ofLine: span.line, at: span.column - 1)
  }

  /// For one map in braces where a list is needed.
  func flowLabel(_ place: SourceSpan, _ pairs: [YAMLNode.Pair], _ type: FieldType) -> String {
    if case .list(let item, _) = type, item.takesScalar, !pairs.isEmpty {
      // Names that are switched on in a map are listed.
      let names = pairs.filter { !["off", "no", "false"].contains($0.value.text ?? "") }
      return "write `[\(names.map { ScalarText.shown($0.key.text) }.joined(separator: ", "))]`"
    }
    if itemLabel(pairs, type) != "add `- ` in front" {
      let items = pairs.allOrNil { pair in
        flowText(pair.value).map { "{ id: \(ScalarText.shown(pair.key.text)), \($0) }" }
      }
      return "write `[\(items?.joined(separator: ", ") ?? "{ id: \(ScalarText.shown(pairs[0].key.text)), … }")]`"
    }
    let written = text?.text(at: place) ?? ""
    let isShort = !written.isEmpty && written.count <= 60
    return Suggestions.label(isShort ? "[\(ScalarText.shown(written))]" : nil, else: "write `[{ … }]`")
  }

  /// `menu: https://…` under `media:` and `tv: TV` under `inventory:`.
  func entryHint(_ node: YAMLNode, _ spec: MapSpec) -> String? {
    guard let text = node.text, !text.isEmpty else { return nil }
    let shown = ScalarText.shown(self.text?.text(at: node.span) ?? text)
    if spec.contains("url"), URLScalar.looksLikeURL(text) { return "write `{ url: \(shown) }`" }
    return spec.contains("host") && spec.contains("name") ? "write `{ name: \(shown) }`" : nil
  }

  /// `save: p0`.
  func savedHint(_ node: YAMLNode, _ type: FieldType, _ field: Field) -> String? {
    guard type.kind == .statusPath, let name = node.text, (try? NameScalar.id(name, isVariable: true)) != nil else {
      return nil
    }
    return "`\(field.name): { \(name): position }` keeps the position by this name"
  }

  /// Typographic quotes around a text, which are part of it.
  mutating func warnOfQuotes(_ scalar: YAMLNode.Scalar, _ node: YAMLNode) {
    guard scalar.style == .plain, scalar.deferred == nil, let first = scalar.text.unicodeScalars.first, !first.isASCII,
      let last = scalar.text.unicodeScalars.last, Lookalike.meaning(of: first)?.words == "a typographic quote",
      Lookalike.meaning(of: last)?.words == "a typographic quote"
    else { return }
    let inner = ScalarText.shown(scalar.text.dropFirst().dropLast())
    if inner.contains("\"") || inner.contains("\\") { return }
    diagnostics.report(
      .warning, .y308, "typographic quotes are part of the text", at: .init(node.span, "write `\"\(inner)\"`"),
      footers: [.help("to keep them, put the whole text into plain quotes: `\"\(ScalarText.shown(scalar.text))\"`")])
  }

  // MARK: Items of playlists

  /// Whether an item is written as `soup: 20s`.
  func isTimedItem(_ pair: YAMLNode.Pair, in spec: MapSpec) -> Bool {
    spec === LanguageSchema.playlistItem && isMedia(pair.key.text)
      && pair.value.text.map { (try? DurationScalar.read($0)) != nil } == true
  }

  private func isMedia(_ text: String) -> Bool { names[.media].places[text] != nil || URLScalar.looksLikeURL(text) }

  /// For a media that stands as a key of an item.
  func itemHint(_ pair: YAMLNode.Pair, in spec: MapSpec) -> String? {
    guard spec === LanguageSchema.playlistItem, isMedia(pair.key.text) else { return nil }
    let name = ScalarText.shown(pair.key.text)
    if isTimedItem(pair, in: spec), let time = pair.value.text {
      return Suggestions.label("{ media: \(name), for: \(time) }")
    }
    return pair.value.isEmpty ? Suggestions.label("media: \(name)") : nil
  }

  /// `soup for 20s` and `soup 20s`, in a playlist.
  func timedItem(_ text: String) -> String? {
    guard kind == .playlist, text.utf8.count <= 400, let end = text.firstIndex(of: " ") else { return nil }
    let media = String(text[..<end])
    var time = text[end...].drop { $0 == " " }
    if time.hasPrefix("for ") { time = time.dropFirst(4) }
    guard isMedia(media), (try? DurationScalar.read(String(time))) != nil else { return nil }
    return "{ media: \(media), for: \(time) }"
  }

  /// A URL with something behind it, where the cure is not to write `%20`.
  func timedItem(_ text: String, _ problem: ScalarProblem) -> ScalarProblem? {
    guard problem.code == .t215, let space = text.firstIndex(of: " ") else { return nil }
    if let item = timedItem(text) {
      return ScalarProblem(problem.code, problem.message, label: Suggestions.label(item))
    }
    let rest = text[space...].drop { $0 == " " }
    var help: String?
    if rest.hasPrefix("#") {
      help = "a comment stands outside the quotes"
    } else if rest.hasPrefix("//") || rest.hasPrefix("/*") {
      help = "a comment begins with ` #`"
    } else if text[..<space].hasSuffix(","), URLScalar.looksLikeURL(rest) {
      help = "each URL is an item of its own"
    }
    guard let help else { return nil }
    return ScalarProblem(problem.code, problem.message, label: "not part of the URL", at: problem.range, help: help)
  }

  // MARK: Times

  /// `fri`, `12:00-14:00` or both where a daypart's name is needed: the condition in place.
  static func daypart(_ text: String) -> String? {
    if ["always", "all", "all_day", "all-day", "anytime", "daily"].contains(text.lowercased()) { return "any_time" }
    let words = text.split(separator: " ").map(String.init)
    guard (1...2).contains(words.count), text.utf8.count <= 100 else { return nil }
    var keys: [String] = []
    for word in words {
      let plural = ["weekday": "weekdays", "weekend": "weekends"][word.lowercased()] ?? word
      if (try? TimeScalar.days(plural)) != nil {
        keys.append("days: \(plural.contains(",") ? "\"\(plural)\"" : plural)")
      } else if (try? TimeScalar.hours(word)) != nil {
        keys.append("hours: \(word)")
      } else {
        return nil
      }
    }
    return "{ \(keys.joined(separator: ", ")) }"
  }

  // MARK: Colors

  /// `{ color: rgb(1,2,3) }`, of which YAML makes three keys: the whole call for the first, nothing for the others.
  func colorCalls(in pairs: [YAMLNode.Pair], _ spec: MapSpec) -> [Int: String?] {
    var result: [Int: String?] = [:]
    for (index, pair) in pairs.enumerated() {
      guard result[index] == nil, spec[pair.key.text]?.type.kind == .color, let start = pair.value.text,
        start.contains("("), !start.contains(")")
      else { continue }
      var call = start
      for next in pairs.indices.dropFirst(index + 1).prefix(4) {
        guard pairs[next].value.isEmpty else { break }
        call += ",\(pairs[next].key.text)"
        guard call.hasSuffix(")") else { continue }
        result[index] = .some(call)
        for other in index + 1...next { result[other] = .some(nil) }
        break
      }
    }
    return result
  }

  /// Tells a color that a style sheet would take.
  mutating func report(_ call: String, of pair: YAMLNode.Pair) {
    var span = pair.value.span
    // Up to the closing bracket, which stands in the same line as a rule.
    if let text, span.file == text.name, span.line == span.endLine {
      // Another file may have the document's name, and its lines are longer.
      let start = span.column - 1
      let line = text.scalars(ofLine: span.line, start..<max(start, text.length(ofLine: span.line)))
      if let end = line.firstIndex(of: ")") { span.endColumn = span.column + end + 1 }
    }
    let meant = ColorScalar.ofFunction(call)
    diagnostics.report(
      .error, .t209, "\(ScalarText.quoted(call)) is not a color",
      at: .init(span, Suggestions.label(meant.map { "\"\($0)\"" })),
      footers: [.help("`\"#RRGGBB\"` or `\"#RRGGBBAA\"`, or a name such as `magenta`")])
  }
}
