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

  package var diagnostics: DiagnosticCollector
  var names: DefinedNames
  var broken: Set<YAMLDocument.Place>
  var text: SourceText?
  var runTime: RunTimeNames?
  var kind: DocumentKind?
  /// What the steps of the document's blocks may use.
  var blocks = BlockParameters([])
  /// Whether the steps of one of them are checked.
  var isInBlock = false
  /// `item` and `index` in a loop over a list that only the run knows.
  var loopNames: Set<String> = []
  /// Names that unrolling gives a value: where one stands in a value, that value is checked where it is known.
  var placeholders: Set<String> = []
  /// Texts so far that wait for such a name.
  private(set) var waiting = 0
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

  /// Checks a node and everything below it, and keeps what its scalars say; false when something was reported.
  ///
  /// What was read before is not read again: behind a value that unrolling puts in, only that value is.
  @discardableResult
  package mutating func check(_ node: inout YAMLNode, as type: FieldType, field: Field) -> Bool {
    reading(&node, isFree: type.isFree) { $0.read(&$1, as: type, field) }
  }

  /// Reads a node with `read` unless that was done, and remembers that it was.
  /// - Parameter isFree: Whether it may be read as something else, too, where it is put in.
  mutating func reading(
    _ node: inout YAMLNode, isFree: Bool = false, _ read: (inout TableChecker, inout YAMLNode) -> Bool
  ) -> Bool {
    if node.isRead { return true }
    let (before, told) = (waiting, diagnostics.diagnostics.count)
    let isSound = read(&self, &node)
    node.isRead = isSound && waiting == before && diagnostics.diagnostics.count == told && !isFree
    return isSound
  }

  private mutating func read(_ node: inout YAMLNode, as type: FieldType, _ field: Field) -> Bool {
    if !broken.isEmpty, node.text != nil, isBroken(node) { return false }
    if hasPlaceholder(node), !type.isID { return true }
    switch type {
    case .savable(let inner):
      if case .scalar(let scalar) = node.content, scalar.deferred != nil {
        if inner.kind == .text { return true }
        if node.savedName != nil { return true }
      }
      return check(&node, as: inner, field: field)
    case .list(let item, let what): return checkList(&node, of: item, what, field)
    case .oneOrMany(let item, let what):
      if node.items?.isEmpty == true, item.kind == .hours {
        diagnostics.report(
          Diagnostic(
            .error, .t210, "expected \(item.described), found an empty list", at: .init(node.span, "never comes"),
            footers: [.help("leave `\(ScalarText.shown(field.name))` out for the whole day")]))
        return false
      }
      return node.items == nil ? check(&node, as: item, field: field) : checkList(&node, of: item, what, field)
    case .byShape(let scalar, let list, let map):
      let fitting: FieldType? =
        switch node.content {
        case .scalar: scalar
        case .sequence: list
        case .mapping: map
        }
      if let fitting { return check(&node, as: fitting, field: field) }
      if case .scalar = node.content, isEmptyOrDeferred(node, type, field) { return false }
      return reportShape(
        node, expected: type.described, field, list: list == nil ? nil : type,
        help: field.name == "device" && node.items != nil ? "several devices are `devices: […]`" : nil)
    case .map(let spec):
      if spec === LanguageSchema.block { return checkBlock(&node, field) }
      return checkMap(&node, spec, field) && (spec !== LanguageSchema.secret || checkSecretSource(node))
    case .mapOf(let value, let what):
      if case .map(let spec) = value, spec === LanguageSchema.block {
        blocks = BlockParameters(node.pairs ?? [])
      }
      return checkNamedEntries(&node, value, what, field)
    case .steps: return checkSteps(&node, field)
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
    default: return checkScalar(&node, as: type, field)
    }
  }

  /// Whether a message about the text concerns a scalar already.
  func isBroken(_ node: YAMLNode) -> Bool {
    let file = node.span.file == text?.name ? "" : node.span.file
    return broken.contains(YAMLDocument.Place(line: node.span.line, column: node.span.column, file: file))
  }

  /// Whether a text waits for a name that unrolling fills.
  private mutating func hasPlaceholder(_ node: YAMLNode) -> Bool {
    guard isInBlock || !placeholders.isEmpty, case .scalar(let scalar) = node.content,
      let parts = scalar.deferred?.parts
    else { return false }
    for case .value(let path) in parts {
      let name = String(path.prefix { $0 != "." })
      if placeholders.contains(name) || isInBlock && blocks.contains(name) {
        waiting += 1
        return true
      }
    }
    return false
  }

  // MARK: Lists and free data

  private mutating func checkList(_ node: inout YAMLNode, of item: FieldType, _ what: String, _ field: Field) -> Bool {
    guard let count = node.items?.count else {
      if isEmptyOrDeferred(node, .list(item, of: what), field) { return false }
      return reportShape(node, expected: "a list of \(what)", field, list: .list(item, of: what))
    }
    var isSound = true
    var unknownKeys = 0
    // What an item lacks is told at the item.
    var field = field
    field.keySpan = nil
    for index in 0..<count {
      if diagnostics.budget.isSpent { return false }
      if case .map(let spec) = item {
        switch isForeign(node[item: index], spec, field, &unknownKeys) {
        case .none: break
        case .known: continue
        case .told:
          isSound = false
          continue
        }
      }
      if !check(&node[item: index], as: item, field: field) { isSound = false }
    }
    return isSound
  }

  private enum Foreign {
    case known, told
  }

  /// Whether an item is something else altogether than a map of the table, which is one mistake for all items that are.
  /// - Returns: `nil` for one that is checked like any other.
  private mutating func isForeign(
    _ entry: YAMLNode, _ spec: MapSpec, _ field: Field, _ count: inout Int
  ) -> Foreign? {
    if let text = entry.text, !entry.isEmpty {
      count += 1
      if count > 1 { return .known }
      guard LanguageSchema.verb(text) != nil, spec.contains("steps") else { return nil }
      reportShape(entry, expected: "a map", field, help: "`- { steps: [\(ScalarText.shown(text))] }`")
      return .told
    }
    if let pairs = entry.pairs, !pairs.isEmpty, pairs.allSatisfy({ spec[$0.key.text] == nil }) {
      count += 1
      if count > 2 { return .known }
    }
    return nil
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
      if hasPlaceholder(node) { return true }
      if scalar.deferred != nil { return reportDeferred(node, field) }
      let before = diagnostics.errorCount
      _ = FreeData.json(node, reportingTo: diagnostics)
      return diagnostics.errorCount == before
    }
  }

  // MARK: Maps

  private mutating func checkNamedEntries(
    _ node: inout YAMLNode, _ type: FieldType, _ what: String, _ field: Field
  ) -> Bool {
    guard let count = node.pairs?.count else {
      if node.isEmpty { return true }
      return reportShape(
        node, expected: "a map of \(what)", field, help: savedHint(node, type, field) ?? namesHint(node))
    }
    var isSound = true
    for index in 0..<count {
      if diagnostics.budget.isSpent { return false }
      guard let key = node.pairs?[index].key else { break }
      do throws(ScalarProblem) { _ = try NameScalar.id(key.ownName) } catch {
        report(error, at: YAMLNode(.scalar(.init(text: key.ownName, style: .plain)), span: key.span))
        isSound = false
      }
      if !check(&node[value: index], as: type, field: field.under(key)) { isSound = false }
    }
    return isSound
  }

  mutating func checkMap(_ node: inout YAMLNode, _ spec: MapSpec, _ field: Field) -> Bool {
    guard node.pairs != nil else {
      if isEmptyOrDeferred(node, .map(spec), field) { return false }
      return reportShape(
        node, expected: "a map", field, help: spec === LanguageSchema.block ? nil : entryHint(node, spec))
    }
    var field = field
    // A merge key may have brought anything.
    if !broken.isEmpty, isBroken(node) { field.skipsRequired = true }
    return checkPairs(of: &node, spec, field)
  }

  /// Checks the pairs of a map but for those at `skipped`; `field` is what the map is the value of.
  mutating func checkPairs(
    of node: inout YAMLNode, _ spec: MapSpec, _ field: Field, but skipped: Set<Int> = []
  ) -> Bool {
    var form = MapForm(node, spec, but: skipped)
    form.calls = colorCalls(in: node.pairs ?? [], spec)
    var isSound = reportExclusive(node, spec, skipped)
    var hasUnknownKeys = false
    for index in 0..<(node.pairs?.count ?? 0) where !skipped.contains(index) {
      if diagnostics.budget.isSpent { return false }
      switch checkKey(index, of: node, spec, form) {
      case .sound(let key, let type):
        if !check(&node[value: index], as: type, field: field.under(key)) { isSound = false }
      case .wrong: isSound = false
      case .unknown: hasUnknownKeys = true
      }
    }
    // What is missing may be what an unknown key was meant to be.
    if !hasUnknownKeys, !field.skipsRequired,
      !checkRequired(form.places, spec, field, span: node.span, firstKey: form.firstKey)
    {
      isSound = false
    }
    return isSound && !hasUnknownKeys
  }

  /// What the keys of a map say together.
  private struct MapForm {
    /// What its `kind` says, where keys belong to some kinds only.
    let kind: String?
    /// Whether it is a map of something else: none of several keys is known.
    let isElsewhere: Bool
    /// Where each key stands.
    let places: [String: SourceSpan]
    let firstKey: SourceSpan?
    let count: Int
    let first: Int
    /// Colors as a style sheet writes them, of which YAML makes several keys.
    var calls: [Int: String?] = [:]

    init(_ node: YAMLNode, _ spec: MapSpec, but skipped: Set<Int>) {
      let pairs = node.pairs ?? []
      let written = pairs.first { $0.key.text == "kind" }?.value
      // Which keys belong to a kind that an argument says is known where the argument is.
      kind = written?.planText?.isLiteral == false ? nil : spec.defaultKind.map { written?.text ?? $0 }
      var places: [String: SourceSpan] = [:]
      var known = 0
      for (index, pair) in pairs.enumerated() where !skipped.contains(index) {
        if spec.contains(pair.key.text) { known += 1 }
        if places[pair.key.text] == nil { places[pair.key.text] = pair.key.span }
      }
      count = pairs.count - skipped.count
      isElsewhere = count > 2 && known == 0
      first = pairs.indices.first { !skipped.contains($0) } ?? 0
      firstKey = pairs.isEmpty ? nil : pairs[first].key.span
      self.places = places
    }
  }

  private enum KeyFinding {
    case sound(YAMLNode.Key, FieldType)
    case wrong, unknown
  }

  private mutating func checkKey(_ index: Int, of node: YAMLNode, _ spec: MapSpec, _ form: MapForm) -> KeyFinding {
    guard let pairs = node.pairs else { return .wrong }
    let pair = pairs[index]
    if let call = form.calls[index] {
      if let call { report(call, of: pair) }
      return .wrong
    }
    guard let key = spec[pair.key.text] else {
      // A map of something else altogether is one mistake, not one in each key.
      if index > form.first, form.isElsewhere { return .unknown }
      if !reportSplitDays(pair, of: pairs, in: spec) {
        reportUnknownKey(pair, in: spec, others: form.isElsewhere ? form.count - 1 : 0)
      }
      return .unknown
    }
    if let kinds = key.kinds, let kind = form.kind, !kinds.contains(kind) {
      reportWrongKind(pair.key, kinds: kinds, kind: kind, spec, pairs)
      return .wrong
    }
    if let replacement = key.replacement { reportDeprecated(pair.key, replacement) }
    return .sound(pair.key, key.type)
  }

  /// K107 for keys of which only one may be there; false when it was reported.
  private mutating func reportExclusive(_ node: YAMLNode, _ spec: MapSpec, _ skipped: Set<Int>) -> Bool {
    var isSound = true
    for group in spec.exclusive {
      let present = (node.pairs ?? []).enumerated().filter {
        group.contains($0.element.key.text) && !skipped.contains($0.offset)
      }.map(\.element.key)
      guard present.count > 1 else { continue }
      diagnostics.report(
        Diagnostic(
          .error, .k107, "`\(present[0].text)` and `\(present[1].text)` exclude each other",
          at: .init(present[1].span, "leave one of them out"), related: [.init(present[0].span)]))
      isSound = false
    }
    return isSound
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
