/// Checks nodes against the tables and reports all that is wrong, each cause once: codes K, T and N406.
///
/// Whoever compiles what the tables leave open (the inside of conditions) can use it for single nodes:
/// `checker.check(node, as: .duration, field: .init(name: "within", keySpan: span))` is false after a report.
package struct TableChecker {
  /// What a node is the value of.
  package struct Field {
    package var name: String
    package var keySpan: SourceSpan?
    /// How messages name the field's value where its key says too little: `to` of `volume`.
    var noun: String?
    /// What is missing may be what a key that was reported before was meant to be.
    var skipsRequired = false

    package init(name: String, keySpan: SourceSpan? = nil) {
      self.name = name
      self.keySpan = keySpan
    }

    func under(_ key: YAMLNode.Key) -> Field {
      var field = Field(name: key.text, keySpan: key.span)
      if ["to", "for", "by"].contains(key.text) { field.noun = name }
      return field
    }
  }

  package let diagnostics: DiagnosticCollector
  var names: DefinedNames
  var broken: Set<YAMLDocument.Place>
  var text: SourceText?
  var runTime: RunTimeNames?
  var kind: DocumentKind?
  /// The blocks of the document as written.
  var blocks: [String: YAMLNode] = [:]
  /// `item` and `index` in a loop over a list that only the run knows.
  var loopNames: Set<String> = []
  /// Names that unrolling gives a value: where one stands in a value, that value is checked where it is known.
  var placeholders: Set<String> = []
  /// What reading scalars depends on.
  var context = ScalarContext()

  init(
    diagnostics: DiagnosticCollector, names: DefinedNames = DefinedNames(), broken: Set<YAMLDocument.Place> = [],
    text: SourceText? = nil, runTime: RunTimeNames? = nil, kind: DocumentKind? = nil,
    zones: TimeZoneDatabase = TimeZoneDatabase()
  ) {
    self.diagnostics = diagnostics
    self.names = names
    self.broken = broken
    self.text = text
    self.runTime = runTime
    self.kind = kind
    context.zones = zones
  }

  /// Checks a node and everything below it; false when something was reported.
  @discardableResult
  package mutating func check(_ node: YAMLNode, as type: FieldType, field: Field) -> Bool {
    if !broken.isEmpty, node.text != nil, isBroken(node) { return false }
    if !placeholders.isEmpty, hasPlaceholder(node), !type.isID { return true }
    switch type {
    case .savable(let inner):
      if case .scalar(let scalar) = node.content, scalar.deferred != nil {
        if inner.kind == .text { return true }
        if node.savedName != nil { return true }
      }
      return check(node, as: inner, field: field)
    case .list(let item, let what): return checkList(node, of: item, what, field)
    case .oneOrMany(let item, let what):
      if node.items?.isEmpty == true, item.kind == .hours {
        diagnostics.report(
          Diagnostic(
            .error, .t210, "expected \(item.described), found an empty list", at: .init(node.span, "never comes"),
            footers: [.help("leave `\(ScalarText.shown(field.name))` out for the whole day")]))
        return false
      }
      return node.items == nil ? check(node, as: item, field: field) : checkList(node, of: item, what, field)
    case .byShape(let scalar, let list, let map):
      let fitting: FieldType? =
        switch node.content {
        case .scalar: scalar
        case .sequence: list
        case .mapping: map
        }
      if let fitting { return check(node, as: fitting, field: field) }
      if case .scalar = node.content, isEmptyOrDeferred(node, type, field) { return false }
      return reportShape(
        node, expected: type.described, field, list: list == nil ? nil : type,
        help: field.name == "device" && node.items != nil ? "several devices are `devices: […]`" : nil)
    case .map(let spec):
      if spec === LanguageSchema.block { return checkBlock(node, field) }
      return checkMap(node, spec, field) && (spec !== LanguageSchema.secret || checkSecretSource(node))
    case .mapOf(let value, let what):
      if case .map(let spec) = value, spec === LanguageSchema.block { blocks = Blocks.nodes(node) }
      return checkNamedEntries(node, value, what, field)
    case .steps: return checkSteps(node, field)
    case .condition, .matchers:
      if node.pairs != nil || isEmptyOrDeferred(node, type, field) { return node.pairs != nil }
      return reportShape(node, expected: "a map of status fields", field, help: conditionHint(node))
    case .anyValue: return true
    case .anyMap:
      guard node.pairs != nil else {
        if isEmptyOrDeferred(node, type, field) { return false }
        let help = "a message is a JSON object: `message: { type: \(node.text.map { ScalarText.shown($0) } ?? "…") }`"
        return reportShape(node, expected: "a map", field, help: field.name == "message" ? help : nil)
      }
      return checkFreeData(node, field)
    default: return checkScalar(node, as: type, field)
    }
  }

  /// Whether a message about the text concerns a scalar already.
  func isBroken(_ node: YAMLNode) -> Bool {
    let file = node.span.file == text?.name ? "" : node.span.file
    return broken.contains(YAMLDocument.Place(line: node.span.line, column: node.span.column, file: file))
  }

  /// Whether a text waits for a name that unrolling fills.
  private func hasPlaceholder(_ node: YAMLNode) -> Bool {
    guard case .scalar(let scalar) = node.content, let parts = scalar.deferred?.parts else { return false }
    return parts.contains { part in
      if case .value(let name) = part { placeholders.contains(String(name.prefix { $0 != "." })) } else { false }
    }
  }

  // MARK: Lists and free data

  private mutating func checkList(_ node: YAMLNode, of item: FieldType, _ what: String, _ field: Field) -> Bool {
    guard let items = node.items else {
      if isEmptyOrDeferred(node, .list(item, of: what), field) { return false }
      return reportShape(node, expected: "a list of \(what)", field, list: .list(item, of: what))
    }
    var isSound = true
    var unknownKeys = 0
    // What an item lacks is told at the item.
    var field = field
    field.keySpan = nil
    for entry in items {
      if diagnostics.budget.isSpent { return false }
      // Items that are all no maps are one mistake, too.
      if case .map(let spec) = item, entry.pairs == nil, !entry.isEmpty, entry.text != nil {
        unknownKeys += 1
        if unknownKeys > 1 { continue }
        if let text = entry.text, LanguageSchema.verb(text) != nil, spec.contains("steps") {
          reportShape(
            entry, expected: "a map", field, help: "`- { steps: [\(ScalarText.shown(text))] }`")
          isSound = false
          continue
        }
      }
      // A list of something else altogether is one mistake, not one in each item.
      if case .map(let spec) = item, let pairs = entry.pairs, !pairs.isEmpty,
        pairs.allSatisfy({ spec[$0.key.text] == nil })
      {
        unknownKeys += 1
        if unknownKeys > 2 { continue }
      }
      if !check(entry, as: item, field: field) { isSound = false }
    }
    return isSound
  }

  private mutating func checkFreeData(_ node: YAMLNode, _ field: Field) -> Bool {
    switch node.content {
    case .mapping(let pairs):
      var isSound = true
      for pair in pairs where diagnostics.budget.isSpent || !checkFreeData(pair.value, field) { isSound = false }
      return isSound
    case .sequence(let items):
      var isSound = true
      for item in items where diagnostics.budget.isSpent || !checkFreeData(item, field) { isSound = false }
      return isSound
    case .scalar(let scalar):
      if !placeholders.isEmpty, hasPlaceholder(node) { return true }
      if scalar.deferred != nil { return reportDeferred(node, field) }
      let before = diagnostics.errorCount
      _ = FreeData.json(node, reportingTo: diagnostics)
      return diagnostics.errorCount == before
    }
  }

  // MARK: Maps

  private mutating func checkNamedEntries(
    _ node: YAMLNode, _ type: FieldType, _ what: String, _ field: Field
  ) -> Bool {
    guard let pairs = node.pairs else {
      if node.isEmpty { return true }
      return reportShape(
        node, expected: "a map of \(what)", field, help: savedHint(node, type, field) ?? namesHint(node))
    }
    var isSound = true
    for pair in pairs {
      if diagnostics.budget.isSpent { return false }
      let name = pair.key.ownName
      do throws(ScalarProblem) { _ = try NameScalar.id(name) } catch {
        report(error, at: YAMLNode(.scalar(.init(text: name, style: .plain)), span: pair.key.span))
        isSound = false
      }
      if !check(pair.value, as: type, field: field.under(pair.key)) { isSound = false }
    }
    return isSound
  }

  mutating func checkMap(_ node: YAMLNode, _ spec: MapSpec, _ field: Field) -> Bool {
    guard let pairs = node.pairs else {
      if isEmptyOrDeferred(node, .map(spec), field) { return false }
      return reportShape(
        node, expected: "a map", field, help: spec === LanguageSchema.block ? nil : entryHint(node, spec))
    }
    var field = field
    // A merge key may have brought anything.
    if !broken.isEmpty, isBroken(node) { field.skipsRequired = true }
    return checkPairs(pairs, spec, field, span: node.span)
  }

  /// Checks the pairs of a map; `field` is what the map is the value of.
  mutating func checkPairs(_ pairs: [YAMLNode.Pair], _ spec: MapSpec, _ field: Field, span: SourceSpan) -> Bool {
    var isSound = true
    var hasUnknownKeys = false
    for group in spec.exclusive {
      let present = pairs.map(\.key).filter { group.contains($0.text) }
      guard present.count > 1 else { continue }
      diagnostics.report(
        Diagnostic(
          .error, .k107, "`\(present[0].text)` and `\(present[1].text)` exclude each other",
          at: .init(present[1].span, "leave one of them out"), related: [.init(present[0].span)]))
      isSound = false
    }
    let kind = spec.defaultKind.map { kind in pairs.first { $0.key.text == "kind" }?.value.text ?? kind }
    let isElsewhere = pairs.count > 2 && pairs.allSatisfy { spec[$0.key.text] == nil }
    let calls = colorCalls(in: pairs, spec)
    for (index, pair) in pairs.enumerated() {
      if diagnostics.budget.isSpent { return false }
      if calls[index] != nil {
        if let call = calls[index] ?? nil { report(call, of: pair) }
        isSound = false
        continue
      }
      guard let key = spec[pair.key.text] else {
        // A map of something else altogether is one mistake, not one in each key.
        if index > 0, isElsewhere { continue }
        if !reportSplitDays(pair, of: pairs, in: spec) {
          reportUnknownKey(pair, in: spec, others: isElsewhere ? pairs.count - 1 : 0)
        }
        hasUnknownKeys = true
        continue
      }
      if let kinds = key.kinds, let kind, !kinds.contains(kind) {
        reportWrongKind(pair.key, kinds: kinds, kind: kind, spec, pairs)
        isSound = false
        continue
      }
      if let replacement = key.replacement { reportDeprecated(pair.key, replacement) }
      if !check(pair.value, as: key.type, field: field.under(pair.key)) { isSound = false }
    }
    let places = Dictionary(pairs.map { ($0.key.text, $0.key.span) }, uniquingKeysWith: { first, _ in first })
    // What is missing may be what an unknown key was meant to be.
    if !hasUnknownKeys, !field.skipsRequired,
      !checkRequired(places, spec, field, span: span, firstKey: pairs.first?.key.span)
    {
      isSound = false
    }
    return isSound && !hasUnknownKeys
  }

  private mutating func checkRequired(
    _ places: [String: SourceSpan], _ spec: MapSpec, _ field: Field, span: SourceSpan, firstKey: SourceSpan?
  ) -> Bool {
    let missing = spec.keys.filter { $0.isRequired && places[$0.name] == nil }.map(\.name)
    let groups = spec.needsOneOf.filter { group in !group.contains { places[$0] != nil } }
    guard let first = missing.first.map({ [$0] }) ?? groups.first else { return true }
    let place = field.keySpan ?? firstKey ?? span
    let list = first.map { "`\($0)`" }.joined(separator: " or ")
    diagnostics.report(
      Diagnostic(
        .error, .k105, "\(spec.place) needs \(list)", at: .init(place, "no `\(first.first ?? "")` here"),
        footers: [.help("`showcaller explain \(spec.topic)` shows all keys")]))
    return false
  }
}
