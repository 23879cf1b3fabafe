import CastProtocol

/// What may stand next to verbs that judge, and next to no other, in the order of the pages.
package enum JudgingModifier: String, CaseIterable, Sendable {
  case within, `for`, during, since, gaps, because

  var key: KeySpec {
    switch self {
    case .within:
      KeySpec(
        rawValue, .duration, default: "defaults.within", "How long it may take to become true; `0s` looks once, now.")
    case .for:
      KeySpec(
        rawValue, .duration, "How long it must then hold; with `never`, how long in a row it must be broken to count.")
    case .during: KeySpec(rawValue, .duration, "How long the window is in which the rule must hold.")
    case .since: KeySpec(rawValue, .reference(.step), default: "the last action", "Where the look-back begins.")
    case .gaps:
      KeySpec(
        rawValue, .choice("gap rule", ["any", "none"]), default: "any", "Whether other statuses may lie between.")
    case .because: KeySpec(rawValue, .text, "Sentence added to a failure.")
    }
  }
}

extension [JudgingModifier] {
  func contains(_ name: String) -> Bool { contains { $0.rawValue == name } }
}

/// What stands next to a judging step, read.
struct JudgingValues {
  let within: Duration
  let hold: Duration?
  let during: Duration?
  /// The id of the step.
  let since: String?
  let forbidsGaps: Bool
  let because: String?

  init(_ step: StepFields, in compiler: inout StepCompiler) {
    let modifiers = step.modifiers
    within = modifiers.duration("within") ?? compiler.defaults.within
    hold = modifiers.duration("for")
    during = step.verb.modifiers.contains(.during) ? compiler.window(step) : nil
    since = step.verb.modifiers.contains(.since) ? compiler.since(step) : nil
    forbidsGaps = modifiers.text("gaps") == "none"
    because = modifiers.text("because")
  }
}

/// A modifier of a judging verb: the member of the verb's action that keeps it, and its value in a plan.
struct Judging<Action>: Sendable {
  let modifier: JudgingModifier
  let set: @Sendable (inout Action, JudgingValues) -> Void
  let json: @Sendable (Action) -> JSONValue?

  typealias Member<Value> = any WritableKeyPath<Action, Value> & Sendable

  private init<Value>(
    _ modifier: JudgingModifier, _ member: Member<Value>, _ value: @escaping @Sendable (JudgingValues) -> Value,
    json: @escaping @Sendable (Value) -> JSONValue?
  ) {
    self.modifier = modifier
    set = { $0[keyPath: member] = value($1) }
    self.json = { json($0[keyPath: member]) }
  }

  static func within(_ member: Member<Duration>) -> Self { Self(.within, member, \.within) { $0.json } }
  static func `for`(_ member: Member<Duration?>) -> Self { Self(.for, member, \.hold) { $0?.json } }
  static func during(_ member: Member<Duration>) -> Self { Self(.during, member, { $0.during ?? .zero }) { $0.json } }
  static func since(_ member: Member<String?>) -> Self { Self(.since, member, \.since) { $0.map { .string($0) } } }
  static func gaps(_ member: Member<Bool>) -> Self { Self(.gaps, member, \.forbidsGaps) { $0 ? "none" : "any" } }
  static func because(_ member: Member<String?>) -> Self {
    Self(.because, member, \.because) { $0.map { .string($0) } }
  }
}

/// What a judging verb does.
protocol JudgingAction {
  /// What may stand next to the verb, in the order of its JSON.
  static var judging: [Judging<Self>] { get }
}

extension JudgingAction {
  static var modifiers: [JudgingModifier] { judging.map(\.modifier) }

  /// The action with what stands next to its step.
  func with(_ values: JudgingValues) -> Self {
    var action = self
    for judging in Self.judging { judging.set(&action, values) }
    return action
  }

  /// The arguments that are the verb's own, and then the modifiers.
  func arguments(_ own: JSONObject) -> JSONObject {
    var object = own
    for judging in Self.judging { object[judging.modifier.rawValue] = judging.json(self) }
    return object
  }
}

extension StepCompiler {
  /// The length of a window; P615 when nobody says it.
  fileprivate func window(_ step: StepFields) -> Duration? {
    if step.modifiers.has("during") { return step.modifiers.duration("during") }
    // A `within` was refused, with the key that was meant.
    if step.modifiers.has("within") { return nil }
    problems.report(
      .error, .p615, "`\(step.verb.name)` without `during`", at: .init(step.verbSpan, "for how long?"),
      footers: [.help("add `during: 20s`; what must hold for the whole run belongs under `watch:`")])
    return nil
  }

  /// The step that `since` names; N406 unless it stands before this one.
  fileprivate func since(_ step: StepFields) -> String? {
    guard let node = step.modifiers.node("since"), let name = node.text, !node.isEmpty else { return nil }
    if let id = stepIDs[name] { return id }
    problems.report(stepIDs.unknown(name, kind: "step", at: node, after: problems))
    return nil
  }
}
