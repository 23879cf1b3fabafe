/// Reads nodes by the types of their fields: it reports all that is wrong, each cause once (codes K, T and N406), and
/// keeps in each scalar what it says, so that nobody parses a text again.
///
/// `wait: 1m30s` read as a step leaves `.duration(.seconds(90))` in the value's node and marks the step's node as read.
/// `wait: "${pause}"` in a block is sound but not known yet: the step stays unmarked, and is read again when a `use`
/// has put the parameter in. What is marked is passed over then.
package struct FieldReader {
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
      switch key.text {
      case "to", "for", "by": field.noun = name
      default: break
      }
      return field
    }
  }

  package var diagnostics: DiagnosticCollector
  var names: DefinedNames
  var alreadyReported: Set<YAMLDocument.Place>
  var text: SourceText?
  var runTime: RunTimeNames?
  var kind: DocumentKind?
  /// What the steps of the document's blocks may use.
  var blocks = BlockParameters([])
  /// Whether the steps of one of them are read.
  var isInBlock = false
  /// `item` and `index` in a loop over a list that only the run knows.
  var loopNames: Set<String> = []
  /// Names that unrolling gives a value: a text with one of them is read when its value is known.
  var placeholders: Set<String> = []
  /// Texts so far that wait for such a name.
  private(set) var waiting = 0
  /// What reading scalars depends on.
  var context = ScalarContext()

  init(
    diagnostics: DiagnosticCollector, names: DefinedNames = DefinedNames(),
    alreadyReported: Set<YAMLDocument.Place> = [],
    text: SourceText? = nil, runTime: RunTimeNames? = nil, kind: DocumentKind? = nil,
    zones: TimeZoneDatabase = TimeZoneDatabase()
  ) {
    self.diagnostics = diagnostics
    self.names = names
    self.alreadyReported = alreadyReported
    self.text = text
    self.runTime = runTime
    self.kind = kind
    context.zones = zones
  }

  /// Reads a node and everything below it; false when something was reported.
  @discardableResult
  package mutating func read(_ node: inout YAMLNode, as type: FieldType, field: Field) -> Bool {
    readUnlessRead(&node, isFree: type.isFree) { $0.readForm(&$1, as: type, field) }
  }

  /// Reads a node unless it is marked as read, and marks it if nothing in it was reported or waits for a value.
  /// - Parameter isFree: Whether it may be read as something else, too, where it is put in.
  mutating func readUnlessRead(
    _ node: inout YAMLNode, isFree: Bool = false, _ read: (inout FieldReader, inout YAMLNode) -> Bool
  ) -> Bool {
    if node.isRead { return true }
    let (before, told) = (waiting, diagnostics.diagnostics.count)
    let isSound = read(&self, &node)
    node.isRead = isSound && waiting == before && diagnostics.diagnostics.count == told && !isFree
    return isSound
  }

  private mutating func readForm(_ node: inout YAMLNode, as type: FieldType, _ field: Field) -> Bool {
    if !alreadyReported.isEmpty, node.text != nil, isAlreadyReported(node) { return false }
    if hasPlaceholder(node), !type.isID { return true }
    if case .savable(let inner) = type {
      return isKnownLater(node, inner) || read(&node, as: inner, field: field)
    }
    switch NodeType(type, of: node) {
    case .scalar(let single): return readScalar(&node, as: single, field)
    case .list(let item): return readList(&node, of: item, type, field)
    case .steps: return readSteps(&node)
    case .step: return readStep(&node)
    case .map(let spec):
      if spec === LanguageSchema.block { return readBlock(&node, field) }
      return readMap(&node, spec, field) && (spec !== LanguageSchema.secret || checkSecretSource(node))
    case .entries(let value, _):
      if value.mapSpec === LanguageSchema.block { blocks = BlockParameters(node.pairs ?? []) }
      return readEntries(&node, value, field)
    case .free:
      if case .anyMap = type { return readFreeData(node, field) }
      return true
    case .unfit: return reportUnfit(node, type, field)
    }
  }

  /// Whether a text takes a value that only the run knows.
  private func isKnownLater(_ node: YAMLNode, _ type: FieldType) -> Bool {
    guard case .scalar(let scalar) = node.content, scalar.deferred != nil else { return false }
    return type.kind == .text || node.savedName != nil
  }

  /// Whether a message about the text concerns a scalar already.
  func isAlreadyReported(_ node: YAMLNode) -> Bool {
    let file = node.span.file == text?.name ? "" : node.span.file
    return alreadyReported.contains(YAMLDocument.Place(line: node.span.line, column: node.span.column, file: file))
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

  private mutating func readList(
    _ node: inout YAMLNode, of item: FieldType, _ type: FieldType, _ field: Field
  ) -> Bool {
    let count = node.items?.count ?? 0
    if count == 0, case .oneOrMany = type, item.kind == .hours {
      diagnostics.report(
        .error, .t210, "expected \(item.described), found an empty list", at: .init(node.span, "never comes"),
        footers: [.help("leave `\(ScalarText.shown(field.name))` out for the whole day")])
      return false
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
      if !read(&node[item: index], as: item, field: field) { isSound = false }
    }
    return isSound
  }

  private enum Foreign {
    case known, told
  }

  /// Whether an item is nothing like a map of the table; all such items are one mistake, told once.
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

  private mutating func readFreeData(_ node: YAMLNode, _ field: Field) -> Bool {
    switch node.content {
    case .mapping(let pairs):
      var isSound = true
      for pair in pairs where diagnostics.budget.isSpent || !readFreeData(pair.value, field) { isSound = false }
      return isSound
    case .sequence(let items):
      var isSound = true
      for item in items where diagnostics.budget.isSpent || !readFreeData(item, field) { isSound = false }
      return isSound
    case .scalar(let scalar):
      if hasPlaceholder(node) { return true }
      if scalar.deferred != nil { return reportDeferred(node, field) }
      let before = diagnostics.errorCount
      _ = FreeData.json(node, reportingTo: diagnostics)
      return diagnostics.errorCount == before
    }
  }
}
