import CastProtocol

/// Compiles a checked scenario to its plan.
struct ScenarioCompiler {
  private let document: CheckedDocument
  private var steps: StepCompiler

  init(_ document: CheckedDocument, inputs: PlanCompiler.Inputs, problems: DiagnosticCollector) {
    self.document = document
    var problems = problems
    let definitions = Definitions(document.root, fileExists: inputs.fileExists, reportingTo: &problems)
    steps = StepCompiler(definitions: definitions, problems: problems)
  }

  /// The plan, and every problem so far; no plan where one of them is an error.
  mutating func compile() -> (plan: Plan?, problems: DiagnosticCollector) {
    let root = document.root
    steps.defaults = defaults(root.map("defaults"))
    var plan = Plan(
      id: root.text("id") ?? Self.stem(of: document.source.name), title: document.title, file: document.source.name,
      device: device(root) ?? Plan.DeviceSelector(span: document.kindSpan))
    plan.tags = root.texts("tags")
    for key in root.keys { plan.keys[key.text] = key.span }
    plan.timeout = root.duration("timeout") ?? plan.timeout
    plan.finallyTimeout = root.duration("finally_timeout") ?? plan.finallyTimeout
    plan.timeouts = steps.defaults.timeouts
    plan.within = steps.defaults.within
    plan.watch = root.maps("watch").compactMap { monitor($0) }

    let lists = ["setup", "steps", "on_failure", "finally"].map { root.steps($0) }
    for step in lists.joined() {
      for entry in step.modifiers.entries("save") {
        if let text = entry.node.text {
          steps.saved.declare(entry.key.text, field: FieldPath(parsing: text), at: entry.key.span)
        }
      }
    }
    plan.inventory = steps.definitions.inventorySelectors(at: plan.device.span)
    plan.setup = steps.steps(lists[0], prefix: "setup")
    plan.steps = steps.steps(lists[1], prefix: "s")
    plan.onFailure = steps.steps(lists[2], prefix: "failure")
    plan.finally = steps.steps(lists[3], prefix: "finally")

    checkDeadlines(plan, lists: lists)
    checkJudgement(plan)
    for problem in steps.definitions.media.unused(kind: "media")
      + steps.definitions.textStyles.unused(kind: "text style")
    { steps.problems.report(ifAllElseIsRight: problem) }
    return (steps.problems.hasErrors ? nil : plan, steps.problems)
  }

  /// The file's name without folders and its last extension.
  static func stem(of file: String) -> String {
    let name = file.split(separator: "/").last ?? "scenario"
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return String(name) }
    return String(name[..<dot])
  }

  private mutating func defaults(_ map: DecodedMap?) -> StepCompiler.Defaults {
    var defaults = StepCompiler.Defaults()
    defaults.appID = steps.definitions.apps.use("default") ?? defaults.appID
    guard let map else { return defaults }
    defaults.within = map.duration("within") ?? defaults.within
    if let node = map.node("app"), let id = steps.app(node) { defaults.appID = id }
    if let timeouts = map.map("timeout") {
      defaults.timeouts.discover = timeouts.duration("discover") ?? defaults.timeouts.discover
      defaults.timeouts.connect = timeouts.duration("connect") ?? defaults.timeouts.connect
      defaults.timeouts.reply = timeouts.duration("reply") ?? defaults.timeouts.reply
      defaults.timeouts.launch = timeouts.duration("launch") ?? defaults.timeouts.launch
      defaults.timeouts.load = timeouts.duration("load") ?? defaults.timeouts.load
      defaults.timeouts.step = timeouts.duration("step") ?? defaults.timeouts.step
    }
    defaults.retry = steps.retry(map, or: RetryPolicy())
    if map.has("text_style") { defaults.textStyle = steps.withMedia { $0.textStyle("text_style", of: map) } }
    return defaults
  }

  private mutating func device(_ root: DecodedMap) -> Plan.DeviceSelector? {
    root.node("device").flatMap { steps.definitions.selector($0, map: root.map("device")) }
  }

  private mutating func monitor(_ map: DecodedMap) -> Plan.Monitor? {
    let isAlways = map.has("always")
    guard let key = map.keySpan(isAlways ? "always" : "never"), let node = map.node(isAlways ? "always" : "never"),
      let condition = steps.condition(node)
    else { return nil }
    steps.judges = true
    let name = map.text("name") ?? "\(isAlways ? "always" : "never") \(condition.topFields.joined(separator: ", "))"
    return Plan.Monitor(
      name: name, rule: isAlways ? .always(condition) : .never(condition), forAtLeast: map.duration("for"),
      ifFails: map.choice("if_fails", as: Plan.IfFails.self) ?? .stop, span: map.span("name") ?? key)
  }

  // MARK: Checks of the whole

  /// P603: limits that the document writes itself must fit into the time that is left when they begin.
  private mutating func checkDeadlines(_ plan: Plan, lists: [[DecodedStep]]) {
    let body = lists[0] + lists[1]
    var outer: Diagnostic.Label?
    if let span = document.root.span("timeout") {
      outer = Diagnostic.Label(span, "the whole run ends after \(plan.timeout.spelled)")
    }
    checkDeadlines(
      body, within: plan.timeout, after: plan.timeouts.connect, outer: outer, cure: "raise the scenario `timeout`")
    var cleanup: Diagnostic.Label?
    if let span = document.root.span("finally_timeout") {
      cleanup = Diagnostic.Label(span, "all cleanup ends after \(plan.finallyTimeout.spelled)")
    }
    checkDeadlines(
      lists[2] + lists[3], within: plan.finallyTimeout, after: .zero, outer: cleanup, cure: "raise `finally_timeout`")
  }

  private mutating func checkDeadlines(
    _ list: [DecodedStep], within limit: Duration, after start: Duration, outer: Diagnostic.Label?, cure: String
  ) {
    var passed = start
    for step in list {
      let limits = DeadlineParts(step)
      let total = passed + limits.own
      if total > limit, let span = limits.span {
        steps.problems.report(
          Diagnostic(
            .error, "P603", "inner timeout is longer than the time left outside",
            at: .init(span, "cannot be reached"), related: outer.map { [$0] } ?? [],
            footers: [.help("\(cure) to at least \(total.spelled)")]))
      }
      passed += limits.mustPass
    }
  }

  /// P610: a scenario that judges nothing always passes.
  private mutating func checkJudgement(_ plan: Plan) {
    guard !steps.judges, !steps.problems.hasErrors else { return }
    steps.problems.report(
      Diagnostic(
        .warning, "P610", "this scenario expects nothing",
        at: .init(document.titleSpan, "passes whatever the screen shows"),
        footers: [.help("end with `- expect: { player: playing }`")]))
  }
}

/// What one step's written limits add up to.
private struct DeadlineParts {
  /// The longest that the document lets it take.
  var own: Duration = .zero
  /// What passes before the next step in any case.
  var mustPass: Duration = .zero
  /// Where the limit is written.
  var span: SourceSpan?

  init(_ step: DecodedStep) {
    let modifiers = step.modifiers
    if step.verb.name == "wait" {
      own = step.body.duration("for") ?? .zero
      mustPass = own
      span = step.body.node("for").map { $0.substitutedAt ?? $0.span }
      return
    }
    for key in ["timeout", "within", "during"] {
      guard let limit = modifiers.duration(key), let node = modifiers.node(key) else { continue }
      own += limit
      span = span ?? node.substitutedAt ?? node.span
      if key == "during" { mustPass += limit }
    }
    if ["expect", "discover"].contains(step.verb.name), let hold = modifiers.duration("for") {
      own += hold
      span = span ?? modifiers.span("for")
    }
  }
}
