/// The names whose values only the run knows, by type: what `save:` keeps, what `set` changes, and what is built in
/// (docs/language/variables.md "Saved values").
///
/// A stretch of steps that may not run is compiled between ``enter()`` and ``leave()``; what it saved is then known
/// only as far as ``merge(_:isExhaustive:doubt:)`` says.
struct SavedNames: Sendable {
  /// What is known of one name.
  struct Value: Hashable, Sendable {
    var type: StatusField.ValueType
    /// The status field it was taken from.
    var field: FieldPath?
    /// Where it comes from, as messages say it: "saved from `position`".
    var origin: Diagnostic.Label?
  }

  /// Why a saved name may have no value.
  private struct Partial: Sendable {
    var saved: SourceSpan?
    var doubt: Uncertainty
  }

  /// Why a stretch of steps may not run.
  struct Uncertainty: Sendable {
    enum Kind: Sendable { case branch, condition, skip, loop }
    var kind: Kind
    var label: Diagnostic.Label

    /// As in "`p0` is saved in one branch only".
    fileprivate var text: String {
      switch kind {
      case .branch: "in one branch only"
      case .condition: "by a step that may be skipped"
      case .skip: "by a step that is skipped"
      case .loop: "in a loop that may not run"
      }
    }

    fileprivate var cure: String {
      switch kind {
      case .branch: "save it in every branch, or before them"
      case .condition: "save it in a step without `if`"
      case .skip: "save it in a step without `skip`"
      case .loop: "save it before the loop or behind it"
      }
    }
  }

  private var known: [String: Value] = [
    "attempt": Value(type: .int), "device.name": Value(type: .text), "device.id": Value(type: .text),
    "device.model": Value(type: .text), "device.ip": Value(type: .text), "run.id": Value(type: .text),
    "run.started": Value(type: .text), "run.dir": Value(type: .text),
  ]
  /// Those of the document: known from the first step on, unless a step gives the name another value.
  var variables = VariableTable() {
    didSet { for name in known.keys { known[name] = declared(name) ?? known[name] } }
  }
  private var partial: [String: Partial] = [:]
  private var places: [String: SourceSpan] = [:]
  /// What each name was before the stretch of steps that may not run, innermost last.
  private var journals: [[String: Value?]] = []
  /// Parameters of a block that is checked without arguments: they fit anywhere.
  var placeholders: Set<String> = []

  /// Notes a name before any step is compiled, so that early use can be told from a wrong name.
  mutating func declare(_ name: String, at key: SourceSpan) {
    if places[name] == nil { places[name] = key }
  }

  /// From the next step on the name holds a field of the status.
  mutating func save(_ name: String, field: FieldPath, at key: SourceSpan) {
    let origin = Diagnostic.Label(key, "saved from `\(field.text)`")
    define(name, Value(type: StatusField.type(of: field), field: field, origin: origin))
  }

  /// From here on the name has a value of this type.
  mutating func define(_ name: String, _ value: Value) {
    if !journals.isEmpty, journals[journals.count - 1][name] == nil {
      journals[journals.count - 1].updateValue(known[name], forKey: name)
    }
    known[name] = value
  }

  private func declared(_ name: String) -> Value? {
    variables[name].map { Value(type: $0.valueType, origin: Diagnostic.Label($0.nameSpan, "declared here")) }
  }

  private func isValue(_ name: String) -> Bool { known[name] != nil || variables[name] != nil }

  // MARK: Steps that may not run

  mutating func enter() { journals.append([:]) }

  /// Forgets what was saved since ``enter()``, and returns it.
  mutating func leave() -> [String: Value] {
    var saved: [String: Value] = [:]
    for (name, before) in journals.popLast() ?? [:] {
      saved[name] = known[name]
      known[name] = before
    }
    return saved
  }

  /// Joins what several ways through a step saved: known is what all of them save.
  ///
  /// - Parameters:
  ///   - isExhaustive: Whether one of the ways is always taken.
  ///   - doubt: Why the others may have no value.
  mutating func merge(_ ways: [[String: Value]], isExhaustive: Bool, doubt: Uncertainty) {
    var found: [String: (value: Value, count: Int, isAlike: Bool)] = [:]
    for way in ways {
      for (name, value) in way {
        guard let before = found[name] else {
          found[name] = (value, 1, true)
          continue
        }
        found[name] = (before.value, before.count + 1, before.isAlike && before.value.type == value.type)
      }
    }
    // Every name by itself: the order does not matter.
    for (name, (value, count, isAlike)) in found {
      if isExhaustive, count == ways.count {
        define(name, isAlike ? value : Value(type: .free, origin: value.origin))
      } else if !isValue(name) {
        partial[name] = Partial(saved: value.origin?.span, doubt: doubt)
      }
    }
  }

  // MARK: Reading

  /// What is known of a name or of a part of it: `p0`, `b.id`.
  private func value(_ name: String) -> Value? {
    if let value = known[name] ?? declared(name) { return value }
    guard let head = name.dottedPrefixes.first(where: isValue), let whole = known[head] ?? declared(head) else {
      return nil
    }
    let rest = name.dropFirst(head.count).split(separator: ".").map(String.init)
    guard let field = whole.field, let member = StatusField.find(FieldPath(field.parts + rest)) else {
      return Value(type: .free, origin: whole.origin)
    }
    return Value(type: member.type, field: member.path, origin: whole.origin)
  }

  private static func head(_ name: String) -> String { String(name.prefix { $0 != "." }) }

  /// The type of a name that has a value here.
  func type(of name: String) -> StatusField.ValueType? { value(name)?.type }

  /// Whether the name is one that stands for any value while a block is checked without arguments.
  func isPlaceholder(_ name: String) -> Bool { !placeholders.isEmpty && placeholders.contains(Self.head(name)) }

  /// Whether a text, or one inside a list or map, waits for such a name.
  func hasPlaceholder(_ node: YAMLNode) -> Bool {
    if placeholders.isEmpty { return false }
    switch node.content {
    case .scalar:
      return node.planText?.parts.contains { if case .value(let name) = $0 { isPlaceholder(name) } else { false } }
        ?? false
    case .sequence(let items): return items.contains { hasPlaceholder($0) }
    case .mapping(let pairs): return pairs.contains { hasPlaceholder($0.value) }
    }
  }

  /// Whether the name can be read here; reports N407 when it is saved only later, N408 when perhaps not at all.
  func isKnown(_ name: String, at node: YAMLNode, reportingTo problems: DiagnosticCollector) -> Bool {
    if value(name) != nil || isPlaceholder(name) { return true }
    let head = Self.head(name)
    let shown = ScalarText.shown(head)
    if let partial = partial[head] {
      problems.report(
        .error, .n408, "`\(shown)` is saved \(partial.doubt.text)", at: node, "may have no value",
        related: (partial.saved.map { [.init($0, "saved here")] } ?? []) + [partial.doubt.label],
        footers: [.help(partial.doubt.cure)])
      return false
    }
    // A name that nothing saves was reported where variables are put in.
    guard let place = places[head] else { return false }
    problems.report(
      .error, .n407, "`\(shown)` is used before it is saved", at: node, "no value yet",
      related: [.init(place, "saved here")])
    return false
  }

  /// Whether a condition on variables can read the name; reports N401 for one that nobody declares or saves.
  func isReadable(_ name: String, at node: YAMLNode, reportingTo problems: DiagnosticCollector) -> Bool {
    if isPlaceholder(name) || isKnown(name, at: node, reportingTo: problems) { return true }
    if problems.hasError(at: node.span) { return false }
    var suggestion: String?
    if problems.budget.allowsSuggestions {
      let names = Set(known.keys).union(variables.names).filter { !$0.contains(".") } + Array(places.keys)
      suggestion = Suggestions.nearest(to: name, among: names.sorted().prefix(500))
    }
    problems.report(
      .error, .n401, "undefined variable \(ScalarText.quoted(name))", at: node,
      Suggestions.label(suggestion),
      footers: suggestion == nil ? [.help("declare it under `vars:`, or `save:` it before")] : [])
    return false
  }

  /// Checks that a value read by name fits where it is used; T220 when its type is another.
  func check(
    _ name: String, fits wanted: StatusField.ValueType, of use: String, at node: YAMLNode,
    reportingTo problems: DiagnosticCollector
  ) -> Bool {
    guard isKnown(name, at: node, reportingTo: problems) else { return false }
    guard let value = value(name) else { return true }
    let type = value.type
    if type.sort == wanted.sort || type.sort == .any || wanted.sort == .any { return true }
    problems.report(
      .error, .t220, "`\(ScalarText.shown(name))` is \(type.noun), `\(use)` is \(wanted.noun)", at: node,
      "wrong type", related: value.origin.map { [$0] } ?? [])
    return false
  }
}

extension StatusField.ValueType {
  /// Types whose values can stand for each other.
  enum Sort: Hashable, Sendable { case text, bool, number, duration, percent, list, structure, any }

  var sort: Sort {
    switch self {
    case .text, .color, .choice: .text
    case .bool: .bool
    case .int, .number: .number
    case .duration, .durationOrLive: .duration
    case .percent: .percent
    case .list: .list
    case .structure, .record: .structure
    case .free: .any
    }
  }

  /// As in "`player` is a player state".
  var noun: String {
    switch self {
    case .text: "text"
    case .bool: "true or false"
    case .int: "a whole number"
    case .number: "a number"
    case .duration, .durationOrLive: "a duration"
    case .percent: "a percentage"
    case .color: "a color"
    case .choice(let choice): ScalarText.article(choice.name)
    case .list: "a list"
    case .structure, .record: "a structure"
    case .free: "free data"
    }
  }
}
