extension FieldReader {
  // MARK: Scalars

  /// Reports what a reader said about a scalar; always false.
  @discardableResult
  mutating func report(_ problem: ScalarProblem, at node: YAMLNode) -> Bool {
    let place = node.span(of: problem.range)
    let continuation = Self.continuation(node)
    // The line break itself is what a URL has no room for.
    let label = problem.code == .t215 && !continuation.isEmpty ? "goes on in the next line" : problem.label
    var diagnostic = Diagnostic(
      .error, problem.code, problem.message, at: .init(place, label), related: node.origins,
      footers: problem.footers + continuation)
    diagnostic.commandLineHint = problem.commandLineHint
    diagnostics.report(diagnostic)
    return false
  }

  /// A plain text of several lines is often two lines of which the second is indented too far.
  static func continuation(_ node: YAMLNode) -> [Diagnostic.Footer] {
    guard case .scalar(let scalar) = node.content, scalar.style == .plain, node.span.endLine > node.span.line else {
      return []
    }
    return [.note("line \(node.span.line + 1) is indented deeper, so it is read as part of this text")]
  }

  /// Whether a value is missing or only known to a run, either of which is reported.
  mutating func isEmptyOrDeferred(_ node: YAMLNode, _ type: FieldType, _ field: Field) -> Bool {
    guard case .scalar(let scalar) = node.content else { return false }
    if scalar.deferred != nil {
      reportDeferred(node, field)
      return true
    }
    guard scalar.text.isEmpty else { return false }
    if node.isEmpty, type.takesScalar, let comment = commentSpan(of: node, field), let keySpan = field.keySpan {
      let quoted = text?.text(at: comment).map(ScalarText.shown) ?? "#…"
      var help = "quote it, `\"\(quoted)\"`"
      if type.kind == .color {
        help =
          "quote it, `\"\(ColorScalar.long(quoted) ?? quoted)\"`, or use a name: "
          + "`\(ColorScalar.nearestName(to: quoted))`"
      }
      diagnostics.report(
        .error, .t208, "`\(ScalarText.shown(field.name))` is empty: `#` starts a comment in YAML",
        at: .init(keySpan, "no value here"),
        related: [.init(comment, "everything from `#` on is a comment")], footers: [.help(help)])
      return true
    }
    diagnostics.report(
      .error, .t210, "expected \(type.described), found nothing",
      at: .init(node.isEmpty ? field.keySpan ?? node.span : node.span, "no value here"))
    return true
  }

  /// The comment that took a value's place: it begins right behind the key's colon.
  func commentSpan(of node: YAMLNode, _ field: Field) -> SourceSpan? {
    guard let text, let key = field.keySpan, key.file == text.name, node.isEmpty, key.line == key.endLine else {
      return nil
    }
    func scalars(from start: Int, count: Int) -> [Unicode.Scalar] {
      text.scalars(ofLine: key.line, start..<(start + count))
    }
    // A quoted key ends behind its quote; then comes the colon.
    let colon = key.endColumn - 1
    guard scalars(from: colon, count: 1) == [":"] else { return nil }
    let start = colon + 1 + text.space(inLine: key.line, from: colon + 1).count
    guard scalars(from: start, count: 1) == ["#"] else { return nil }
    let comment = scalars(from: start, count: text.length(ofLine: key.line) - start)
    let end = start + (comment.lastIndex { !$0.properties.isWhitespace } ?? 0) + 1
    return SourceSpan(file: text.name, line: key.line, column: start + 1, endLine: key.line, endColumn: end + 1)
  }

  /// A value that only the run knows, where one is needed before; always false.
  @discardableResult
  mutating func reportDeferred(_ node: YAMLNode, _ field: Field) -> Bool {
    guard case .scalar(let scalar) = node.content, let deferred = scalar.deferred else { return false }
    let names = deferred.parts.compactMap { if case .value(let name) = $0 { name } else { nil } }
    // Names that nobody knows were reported where they were put in.
    let known = names.first { name in
      runTime?.contains(name) == true || loopNames.contains(String(name.prefix { $0 != "." }))
    }
    guard let name = known else { return false }
    let place = node.place
    diagnostics.report(
      .error, .n407, "`${\(ScalarText.shown(name))}` is only known while the scenario runs",
      at: .init(place, "`\(ScalarText.shown(field.name))` needs its value before"),
      related: runTime?.saved[name].map { [.init($0, "saved here")] } ?? [])
    return false
  }

  // MARK: Shapes

  /// Reports a node of the wrong shape (T210); always false. `list`: the type, where a list is expected.
  @discardableResult
  mutating func reportShape(
    _ node: YAMLNode, expected: String, _ field: Field, list: FieldType? = nil, help: String? = nil
  ) -> Bool {
    var place = node.span
    var label = ""
    let found: String
    switch node.content {
    case .scalar:
      found = "one value"
      if let list, let word = node.text, !word.isEmpty { label = listLabel(word, list) }
    case .sequence: found = "a list"
    case .mapping(let pairs):
      found = "one map"
      let isFlow = place.line == place.endLine && sourceScalar(at: place) == "{"
      if !isFlow, let first = pairs.first { place = first.key.span }
      if let list { label = isFlow ? flowLabel(place, pairs, list) : itemLabel(pairs, list) }
    }
    if let used = node.substitutedAt { place = used }
    diagnostics.report(
      .error, .t210, "expected \(expected), found \(found)", at: .init(place, label),
      footers: help.map { [.help($0)] } ?? [])
    return false
  }

  // MARK: Keys

  private static let deprecationNote = "it still works; a later revision of the language will refuse it"

  /// A key on its way out (K108).
  mutating func reportDeprecated(_ key: YAMLNode.Key, _ replacement: String) {
    diagnostics.report(
      .warning, .k108, "`\(key.text)` is deprecated", at: .init(key.span, "write `\(replacement)`"),
      footers: [.note(Self.deprecationNote)])
  }

  /// `{ days: sat,sun }`: inside braces a comma ends the value, and `sun` looks like a key. False when it is none of this.
  mutating func reportSplitDays(_ pair: YAMLNode.Pair, of pairs: [YAMLNode.Pair], in spec: MapSpec) -> Bool {
    guard spec.contains("days"), pair.value.isEmpty, (try? TimeScalar.days(pair.key.text)) != nil,
      let first = pairs.firstIndex(where: { $0.key.text == "days" }), let start = pairs[first].value.text
    else { return false }
    let rest = pairs[(first + 1)...].prefix {
      !spec.contains($0.key.text) && $0.value.isEmpty && (try? TimeScalar.days($0.key.text)) != nil
    }
    guard let second = rest.first else { return false }
    let whole = ScalarText.shown(([start] + rest.map(\.key.text)).joined(separator: ","))
    diagnostics.report(
      .error, .k101, "unknown key \(ScalarText.quoted(second.key.text)) in \(spec.place)",
      at: .init(second.key.span, "inside `{ }` a comma ends the value"),
      footers: [.help("quote the list: `days: \"\(whole)\"`")])
    return true
  }

  /// `others`: so many further keys of the same map are unknown as well, and there are no known ones.
  mutating func reportUnknownKey(_ pair: YAMLNode.Pair, in spec: MapSpec, others: Int = 0) {
    let name = pair.key.text
    let suggestion =
      diagnostics.budget.allowsSuggestions
      ? Suggestions.spaced(name, among: spec.allowedNames) ?? Suggestions.key(name, among: spec.allowedNames) : nil
    var label = Suggestions.label(suggestion)
    if spec === LanguageSchema.programEntry, LanguageSchema.interrupt.contains(name) {
      label = "belongs under `interrupts:`"
    }
    if label.isEmpty, let cure = itemHint(pair, in: spec) { label = cure }
    if spec.topic == "wait", StatusField.find(FieldPath([name])) != nil {
      label = Suggestions.label("wait_until: { \(brief(pair)) }")
    }
    if label.isEmpty, LanguageSchema.modifiers.contains(name), let verb = LanguageSchema.verb(spec.topic) {
      label = "goes next to `\(verb.name):`, not inside"
    }
    var footers = [Diagnostic.Footer.help(allowedKeys(spec.allowedNames, topic: spec.topic))]
    if others > 0 { footers.append(.note("nor do the \(others) keys below it belong here: is a line missing above?")) }
    diagnostics.report(
      .error, .k101, "unknown key \(ScalarText.quoted(name)) in \(spec.place)",
      at: .init(isTimedItem(pair, in: spec) ? pair.span : pair.key.span, label), footers: footers)
  }

  /// "keys allowed here: a, b, … (`showcaller explain TOPIC`)".
  func allowedKeys(_ keys: [String], topic: String) -> String { "keys allowed here: \(listed(keys, topic: topic))" }

  /// Names in alphabetical order, cut after six.
  func listed(_ names: [String], topic: String) -> String {
    "\(ScalarText.listed(names)) (`showcaller explain \(topic)`)"
  }

  mutating func reportWrongKind(
    _ key: YAMLNode.Key, kinds: [String], kind: String, _ spec: MapSpec, _ pairs: [YAMLNode.Pair]
  ) {
    let place = pairs.first { $0.key.text == "kind" }?.value.span
    diagnostics.report(
      .error, .k103, "`\(key.text)` belongs in metadata of kind \(kinds.joined(separator: ", ")), this is \(kind)",
      at: .init(key.span, "not a key of \(kind) metadata"),
      related: place.map { [.init($0, "the kind")] } ?? [],
      footers: place == nil ? [.help("add `kind: \(kinds[0])`")] : [])
  }
}
