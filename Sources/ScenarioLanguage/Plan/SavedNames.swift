/// The names that `save:` keeps, known by type once the step before has run (language.md 2.2).
struct SavedNames: Sendable {
  private struct Place: Sendable {
    var key: SourceSpan
    var field: FieldPath
  }

  private var types: [String: StatusField.ValueType] = [
    "attempt": .int, "device.name": .text, "device.id": .text, "device.model": .text, "device.ip": .text,
    "run.id": .text, "run.started": .text, "run.dir": .text,
  ]
  private var places: [String: Place] = [:]

  /// Notes a name before any step is compiled, so that early use can be told from a wrong name.
  mutating func declare(_ name: String, field: FieldPath, at key: SourceSpan) {
    if places[name] == nil { places[name] = Place(key: key, field: field) }
  }

  /// From the next step on the name has a value.
  mutating func save(_ name: String, field: FieldPath) {
    types[name] = StatusField.type(of: field)
  }

  /// Whether the name can be read here; reports N407 when it is saved only later.
  func isKnown(_ name: String, at node: YAMLNode, reportingTo problems: inout DiagnosticCollector) -> Bool {
    if types[name] != nil { return true }
    // A name that nothing saves was reported where variables are put in.
    guard let place = places[name] else { return false }
    problems.report(
      Diagnostic(
        .error, "N407", "`\(name)` is used before it is saved", at: node, "no value yet",
        related: [.init(place.key, "saved here")]))
    return false
  }

  /// Checks that a value read by name fits where it is used; T220 when its type is another.
  func check(
    _ name: String, fits wanted: StatusField.ValueType, of use: String, at node: YAMLNode,
    reportingTo problems: inout DiagnosticCollector
  ) -> Bool {
    guard isKnown(name, at: node, reportingTo: &problems), let type = types[name] else { return false }
    if type.sort == wanted.sort || type.sort == .any || wanted.sort == .any { return true }
    let related = places[name].map { [Diagnostic.Label($0.key, "saved from `\($0.field.text)`")] } ?? []
    problems.report(
      Diagnostic(
        .error, "T220", "`\(name)` is \(type.noun), `\(use)` is \(wanted.noun)", at: node, "wrong type",
        related: related))
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
