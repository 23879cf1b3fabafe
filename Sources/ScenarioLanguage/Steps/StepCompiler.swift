import CastProtocol

/// Compiles steps one after the other, in the order in which they run, so that what earlier ones save, launch and load
/// is known to later ones.
struct StepCompiler {
  /// What counts where a step does not say.
  struct Defaults: Sendable {
    var within: Duration = .seconds(10)
    var appID = StepCompiler.defaultMediaReceiver
    var timeouts = Plan.Timeouts()
    var retry = RetryPolicy()
    var textStyle: TextTrackStyle?
  }

  /// What a verb says: what to do, how long one try may take, and the argument that its name shows.
  struct Compiled {
    var action: Plan.Action
    var timeout: Duration
    var argument: String?
  }

  /// The app that `default` names: the Default Media Receiver.
  static let defaultMediaReceiver = "CC1AD845"

  var definitions: Definitions
  var defaults = Defaults()
  var saved = SavedNames()
  var problems: DiagnosticCollector
  /// The ids of all steps so far.
  var stepIDs = NameTable<Bool>()
  /// What the last `load` before this step loads.
  var lastMedia: CompiledMedia?
  /// Bytes of a LOAD by media id.
  var mediaSizes: [String: Int] = [:]
  /// Whether anything so far judges.
  var judges = false

  /// Compiles a list of steps; `prefix` goes in front of their numbers in ids.
  mutating func steps(_ decoded: [DecodedStep], prefix: String) -> [Plan.Step] {
    reportUnreachable(decoded)
    var steps: [Plan.Step] = []
    steps.reserveCapacity(decoded.count)
    for (index, step) in decoded.enumerated() {
      if let compiled = self.step(step, number: "\(prefix)\(index + 1)") { steps.append(compiled) }
    }
    return steps
  }

  private mutating func step(_ decoded: DecodedStep, number: String) -> Plan.Step? {
    let modifiers = decoded.modifiers
    let id = stepID(decoded, number: number)
    guard decoded.verb.support == .built, var compiled = compile(decoded) else {
      save(modifiers)
      return nil
    }
    let kind = StepKind(compiled.action)
    checkModifiers(decoded, kind: kind)
    if let timeout = modifiers.duration("timeout") { compiled.timeout = timeout }
    let name =
      modifiers.text("name") ?? [decoded.verb.name, compiled.argument].compactMap { $0 }.joined(separator: " ")
    var step = Plan.Step(
      id: id, name: name, verb: decoded.verb.name, action: compiled.action, timeout: compiled.timeout,
      span: decoded.verbSpan)
    if kind == .action { step.retry = retry(modifiers, or: defaults.retry) } else { step.retry.attempts = 1 }
    step.ifFails = modifiers.choice("if_fails", as: Plan.IfFails.self) ?? .stop
    step.save = save(modifiers)
    step.limitSpan = (modifiers.node("within") ?? modifiers.node("during")).map { $0.substitutedAt ?? $0.span }
    return step
  }

  private mutating func stepID(_ decoded: DecodedStep, number: String) -> String {
    let written = decoded.modifiers.text("id")
    let key = YAMLNode.Key(text: written ?? number, span: decoded.modifiers.span("id") ?? decoded.verbSpan)
    if let other = stepIDs.key(key.text) {
      problems.report(
        Diagnostic(
          .error, "N410", "step id `\(key.text)` is used twice", at: .init(key.span, "again here"),
          related: [.init(other.span, "first here")]))
    }
    stepIDs.define(key, true)
    return key.text
  }

  /// Keeps what the step saves for those after it.
  @discardableResult private mutating func save(_ modifiers: DecodedMap) -> [Plan.SavedField] {
    guard modifiers.has("save") else { return [] }
    var fields: [Plan.SavedField] = []
    for entry in modifiers.entries("save") {
      guard let text = entry.node.text, !entry.node.isEmpty else { continue }
      let path = FieldPath(parsing: text)
      guard StatusField.find(path) != nil else {
        problems.report(
          .unknownStatusField(path, below: FieldPath([]), at: entry.node.substitutedAt ?? entry.node.span))
        continue
      }
      saved.save(entry.key.text, field: path)
      fields.append(Plan.SavedField(name: entry.key.text, field: path))
    }
    return fields
  }

  private mutating func compile(_ step: DecodedStep) -> Compiled? {
    switch step.verb.family {
    case .session: sessionStep(step)
    case .media, .protocol: mediaStep(step)
    case .time, .flow: timeStep(step)
    case .assert: judgingStep(step)
    }
  }

  // MARK: Shared by the families

  /// A number of the field's type known now, or saved by an earlier step.
  mutating func amount(_ key: String, of map: DecodedMap, as type: StatusField.ValueType, use: String) -> Plan.Amount? {
    guard let node = map.node(key) else { return nil }
    if let name = node.savedName {
      return saved.check(name, fits: type, of: use, at: node, reportingTo: &problems) ? .saved(name) : nil
    }
    let number: Double? =
      switch type {
      case .percent: map.percent(key)
      case .duration: map.duration(key)?.seconds
      default: map.number(key)
      }
    return number.map { .literal($0) }
  }

  mutating func condition(_ node: YAMLNode?, of step: DecodedStep) -> Condition? {
    guard let node else {
      problems.report(
        Diagnostic(
          .error, "K105", "`\(step.verb.name)` needs a condition", at: .init(step.verbSpan),
          footers: [.help("such as `\(step.verb.name): { player: playing }`")]))
      return nil
    }
    return condition(node)
  }

  mutating func condition(_ node: YAMLNode) -> Condition? {
    var compiler = ConditionCompiler(saved: saved, problems: problems)
    // Two owners would make every report copy all that were there before.
    problems = DiagnosticCollector()
    let condition = compiler.condition(node)
    problems = compiler.problems
    return condition
  }

  /// The app's id from a name under `apps:`, or from the id itself.
  mutating func app(_ node: YAMLNode) -> String? {
    guard let name = node.text, !node.isEmpty else { return nil }
    if let id = definitions.apps.use(name) { return id }
    if NameScalar.isPlainAppID(name) { return name }
    problems.report(definitions.apps.unknown(name, kind: "app", at: node, after: problems))
    return nil
  }

  /// Runs a part of the media compiler on the same list of problems.
  mutating func withMedia<Result>(_ body: (inout MediaCompiler) -> Result) -> Result {
    var compiler = MediaCompiler(
      styles: definitions.textStyles, likes: definitions.likes, fileExists: definitions.fileExists, problems: problems)
    definitions.textStyles = NameTable()
    problems = DiagnosticCollector()
    let result = body(&compiler)
    definitions.textStyles = compiler.styles
    problems = compiler.problems
    return result
  }

  /// Text for the run, every name in it known by now.
  mutating func planText(_ node: YAMLNode?) -> Plan.PlanText? {
    guard let node, let text = node.planText else { return nil }
    for case .value(let name) in text.parts {
      guard saved.isKnown(name, at: node, reportingTo: &problems) else { return nil }
    }
    return text
  }

  /// A value as a step's name shows it.
  func shown(_ node: YAMLNode?) -> String? {
    guard let node else { return nil }
    if let items = node.items {
      return items.isEmpty ? "none" : ScalarText.shown(items.compactMap { shown($0) }.joined(separator: ", "))
    }
    return node.planText.map { ScalarText.shown($0.source) }
  }
}

/// What may stand next to a step.
enum StepKind: Hashable, Sendable {
  /// Acts on the device and may be tried again.
  case action
  /// Expectations: they wait or watch by themselves.
  case judgement
  /// Everything else.
  case other

  init(_ action: Plan.Action) {
    switch action {
    case .expect, .always, .never, .expectSequence, .expectMessage, .expectTogether: self = .judgement
    case .wait, .waitUntil, .mark, .log, .fail, .set, .save, .choose, .repeat, .forEach, .parallel: self = .other
    default: self = .action
    }
  }
}
