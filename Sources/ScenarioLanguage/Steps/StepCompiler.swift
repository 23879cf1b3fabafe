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

  /// What a verb says.
  struct Compiled {
    var action: Plan.Action
    /// How long one try may take; `nil`: as any step.
    var timeout: Duration?
    /// What the step's name shows behind the verb.
    var argument: String?
  }

  /// The app that `default` names: the Default Media Receiver.
  static let defaultMediaReceiver = "CC1AD845"

  var definitions: Definitions
  var defaults = Defaults()
  var saved = SavedNames()
  let problems: DiagnosticCollector
  /// The ids of all steps so far; an id written in a block or a loop, with what its latest copy is called.
  var stepIDs = SymbolTable<String>()
  var blocks = Blocks()
  var variables = VariableTable()
  /// Checks steps once more that unrolling changed.
  var fieldReader: FieldReader
  var filling: PlaceholderFilling
  /// Deadlines and what passes before each step.
  var clock = DeadlineClock()
  /// The deadline around the steps that are being compiled.
  var deadline: Duration = .seconds(600)
  /// The document's roles, in its order.
  var roleNames: [String] = []
  /// The device of the steps that are being compiled.
  var role: Plan.RoleTarget?
  /// What goes in front of ids that a block or a loop brings more than once.
  var idPrefix: String?
  /// What is added to the numbers of the next list of steps.
  var numberOffset = 0
  /// How many steps deep.
  var depth = 0
  /// Steps that unrolling made so far.
  var unrolled = 0
  /// Blocks whose steps were compiled.
  var compiledBlocks: Set<String> = []
  /// Whether a block is compiled that nothing uses: what it uses is not put in.
  var isUnusedBlock = false
  /// False once unrolling was found to come to too much.
  var isUnrollable = true
  /// Variables that a condition reads.
  var readVariables: Set<String> = []
  /// What the last `load` before this step loads.
  var lastMedia: CompiledMedia?
  /// Bytes of media by their ids, each measured once: for loads as defined, for queues with the default look.
  var mediaSizes: [String: Int] = [:]
  var itemSizes: [String: MessageSize.Measure] = [:]
  /// The device of a document without roles.
  var ownDevice: Plan.DeviceSelector?
  /// Whether anything so far judges.
  var hasExpectation = false
  /// Where the steps send receivers.
  var addresses = FetchedAddresses()

  init(definitions: Definitions, problems: DiagnosticCollector) {
    self.definitions = definitions
    self.problems = problems
    fieldReader = FieldReader(diagnostics: problems)
    filling = PlaceholderFilling(reportingTo: problems)
  }

  /// Compiles a list of steps; `prefix` goes in front of their numbers in ids.
  ///
  /// They are taken apart one at a time, since all at once would take more memory than the document.
  mutating func steps(_ nodes: [YAMLNode], prefix: String) -> [Plan.Step] {
    var steps: [Plan.Step] = []
    steps.reserveCapacity(nodes.count)
    stepIDs.reserve(nodes.count)
    var number = numberOffset
    numberOffset = 0
    var end: SourceSpan?
    for node in nodes {
      if problems.budget.isSpent { break }
      guard let step = StepFields(node) else { continue }
      number += 1
      if let last = end {
        reportUnreachable(step, after: last)
        end = nil
      }
      guard let compiled = self.step(step, number: prefix + String(number)) else { continue }
      if compiled.alwaysEnds { end = compiled.span }
      steps.append(compiled)
    }
    return steps
  }

  /// P601: the step behind one at which the run always ends.
  private mutating func reportUnreachable(_ step: StepFields, after end: SourceSpan) {
    problems.report(
      .warning, .p601, "this step can never run", at: .init(step.verbSpan, "unreachable"),
      related: [.init(end, "the run always ends here")])
  }

  private mutating func step(_ decoded: StepFields, number: String) -> Plan.Step? {
    let modifiers = decoded.modifiers
    let id = stepID(decoded, number: number)
    let outer = role
    role = target(modifiers.node("role")) ?? role ?? (roleNames.count == 1 ? .one(roleNames[0]) : nil)
    defer { role = outer }
    let condition = modifiers.node("if").flatMap { self.condition($0) }
    // What such a step saves, and how long it takes, counts for nothing behind it.
    let doubt =
      decoded.skip.flatMap { _ in modifiers.keySpan("skip") }.map {
        SavedNames.Uncertainty(kind: .skip, label: .init($0, "always skipped"))
      }
      ?? modifiers.keySpan("if").map {
        SavedNames.Uncertainty(kind: .condition, label: .init($0, "skipped when this is false"))
      }
    let start = clock.passed
    let before = clock.latest
    if doubt != nil { saved.enter() }
    defer {
      if let doubt {
        saved.merge([saved.leave()], isExhaustive: false, doubt: doubt)
        clock.passed = start
      }
    }
    clock.latest = nil
    if decoded.skip == nil { clock.step(DeadlineParts(decoded)) }
    let own = clock.latest
    let errors = problems.errorCount
    if decoded.verb.kind == .expectation { hasExpectation = true }
    let compiled = decoded.verb.verb.definition.compile(decoded, id: id, in: &self)
    if decoded.verb.holdsSteps { checkOwnDeadline(decoded, since: start, own: own) }
    if let before, before.end > (clock.latest?.end ?? .zero) { clock.latest = before }
    guard let compiled else {
      save(decoded)
      if errors == problems.errorCount { reportNothingCompiled(decoded) }
      return nil
    }
    checkModifiers(decoded)
    let name =
      modifiers.text("name") ?? compiled.argument.map { decoded.verb.name + " " + $0 } ?? decoded.verb.name
    var step = Plan.Step(
      id: id, name: name, verb: decoded.verb.name, action: compiled.action,
      timeout: modifiers.duration("timeout") ?? compiled.timeout ?? defaults.timeouts.step,
      span: decoded.verbSpan)
    switch decoded.verb.kind {
    case .action, .inquiry: step.retry = Self.retry(modifiers, or: defaults.retry)
    case .container: step.retry = Self.retry(modifiers, or: RetryPolicy())
    case .expectation, .flow, .other: step.retry.attempts = 1
    }
    step.ifFails = modifiers.choice("if_fails", as: Plan.IfFails.self) ?? .stop
    step.onResume = modifiers.choice("on_resume", as: Plan.OnResume.self)
    step.role = role
    step.condition = condition
    step.skip = decoded.skip
    step.tags = modifiers.texts("tags")
    step.save = save(decoded)
    step.hasTimeout = modifiers.has("timeout")
    step.limitSpan = (modifiers.node("within") ?? modifiers.node("during"))?.place
    if role == nil, roleNames.count > 1, step.needsRole { reportNoRole(decoded) }
    return step
  }

  /// K105: with several devices a step says which one it means.
  private mutating func reportNoRole(_ decoded: StepFields) {
    let listed = roleNames.prefix(5).map { "`role: \(ScalarText.shown($0))`" } + ["`role: all`"]
    problems.report(
      .error, .k105, "`\(decoded.verb.name)` needs a `role`", at: .init(decoded.verbSpan, "on which device?"),
      footers: [.help("next to it: \(listed.joined(separator: ", "))")])
  }

  /// A step that comes to nothing must not pass for one that was compiled.
  private mutating func reportNothingCompiled(_ decoded: StepFields) {
    guard !problems.hasErrors, saved.placeholders.isEmpty else { return }
    problems.report(
      .error, .n407, "`\(decoded.verb.name)` needs a value that only the run knows", at: .init(decoded.verbSpan))
  }

  /// P603: the limits inside a step that holds steps must fit into its own.
  private mutating func checkOwnDeadline(
    _ step: StepFields, since start: Duration, own: (end: Duration, span: SourceSpan)?
  ) {
    guard let timeout = step.modifiers.duration("timeout"), let span = step.modifiers.span("timeout"),
      let inner = clock.latest, inner.span != own?.span, inner.end > start + timeout
    else { return }
    problems.report(
      .error, .p603, "inner timeout is longer than the time left outside", at: .init(inner.span, "cannot be reached"),
      related: [.init(span, "`\(step.verb.name)` ends after \(timeout.spelled)")],
      footers: [.help("raise its `timeout` to at least \((inner.end - start).spelled)")])
  }

  private mutating func stepID(_ decoded: StepFields, number: String) -> String {
    let written = decoded.modifiers.text("id")
    let key = YAMLNode.Key(text: written ?? number, span: decoded.modifiers.span("id") ?? decoded.verbSpan)
    guard let other = stepIDs.defineNew(key, key.text) else { return key.text }
    if other.span != key.span {
      problems.report(
        .error, .n410, "step id `\(key.text)` is used twice", at: .init(key.span, "again here"),
        related: [.init(other.span, "first here")])
      return key.text
    }
    // The same line once more: a block that is used twice, or a loop's next pass.
    var id = idPrefix.map { "\($0).\(key.text)" } ?? number
    if stepIDs[id] != nil { id = number }
    stepIDs.define(YAMLNode.Key(text: id, span: key.span), id)
    stepIDs.define(key, id)
    return id
  }

  /// Keeps what the step saves for those after it.
  @discardableResult private mutating func save(_ step: StepFields) -> [Plan.SavedField] {
    if step.verb.verb == .exec, step.body.text("output") != "none" {
      let type: StatusField.ValueType = step.body.text("output") == "text" ? .text : .free
      let origin = Diagnostic.Label(step.verbSpan, "what the program wrote")
      saved.define("reply", SavedNames.Value(type: type, origin: origin))
    }
    let node = step.verb.verb == .save ? step.value : step.modifiers.node("save")
    var fields: [Plan.SavedField] = []
    for pair in node?.pairs ?? [] {
      guard let text = pair.value.text, !pair.value.isEmpty else { continue }
      let path = FieldPath(parsing: text)
      guard StatusField.find(path) != nil else {
        // Reported where it was read; what reads the name is no second mistake.
        let meant = Suggestions.nearest(to: text, among: StatusField.names(below: FieldPath([])))
        if let field = meant.map({ FieldPath(parsing: $0) }), StatusField.find(field) != nil {
          saved.save(pair.key.text, field: field, at: pair.key.span)
        } else {
          saved.define(pair.key.text, SavedNames.Value(type: .free))
        }
        continue
      }
      saved.save(pair.key.text, field: path, at: pair.key.span)
      fields.append(Plan.SavedField(name: pair.key.text, field: path))
    }
    return fields
  }

  // MARK: Shared by the verbs

  /// A number of the field's type known now, or saved by an earlier step.
  mutating func amount(_ key: String, of map: FieldMap, as type: StatusField.ValueType, use: String) -> Plan.Amount? {
    guard let node = map.node(key) else { return nil }
    if let name = node.savedName {
      return saved.check(name, fits: type, of: use, at: node, reportingTo: problems) ? .saved(name) : nil
    }
    let number: Double? =
      switch type {
      case .duration: map.duration(key)?.seconds
      default: map.number(key)
      }
    return number.map { .literal($0) }
  }

  mutating func condition(_ node: YAMLNode?, of step: StepFields) -> Condition? {
    guard let node else {
      problems.report(
        .error, .k105, "`\(step.verb.name)` needs a condition", at: .init(step.verbSpan),
        footers: [.help("such as `\(step.verb.name): { player: playing }`")])
      return nil
    }
    return condition(node)
  }

  mutating func condition(_ node: YAMLNode) -> Condition? {
    var compiler = ConditionCompiler(saved: saved, problems: problems)
    let condition = compiler.condition(node)
    readVariables.formUnion(compiler.readVariables)
    return condition
  }

  /// The app's id from a name under `apps:`, or from the id itself.
  mutating func app(_ node: YAMLNode) -> String? {
    guard let name = node.text, !node.isEmpty else { return nil }
    if let id = definitions.apps.use(name) { return id }
    if NameScalar.isPlainAppID(name) { return name }
    definitions.apps.report(unknown: name, kind: "app", at: node, reportingTo: problems)
    return nil
  }

  /// Runs a part of the media compiler on the same list of problems.
  mutating func withMedia<Result>(_ body: (inout MediaCompiler) -> Result) -> Result {
    definitions.withMedia(reportingTo: problems, body)
  }

  /// Text for the run, every name in it known by now.
  mutating func planText(_ node: YAMLNode?) -> Plan.Template? {
    guard let node, let text = node.planText else { return nil }
    for case .value(let name) in text.parts {
      guard saved.isKnown(name, at: node, reportingTo: problems) else { return nil }
    }
    return text
  }

  /// A value as a step's name shows it.
  func shown(_ node: YAMLNode?) -> String? {
    guard let node else { return nil }
    if let items = node.items {
      // More than a name shows.
      let first = items.lazy.compactMap { shown($0) }.prefix(60)
      return items.isEmpty ? "none" : ScalarText.shown(first.joined(separator: ", "))
    }
    return node.planText.map { ScalarText.shown($0.source) }
  }
}
