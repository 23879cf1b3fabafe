import CastProtocol

/// Compiles a checked scenario to its plan.
struct ScenarioCompiler {
  private let document: CheckedDocument
  private let inputs: PlanCompiler.Inputs
  private let row: Matrix.Row
  let root: FieldMap
  var steps: StepCompiler
  /// What loops, blocks and `like` bring, beyond what is written.
  private(set) var unrolling = UnrollCost()

  /// - Parameter row: Of the document's matrix.
  init(_ document: CheckedDocument, row: Matrix.Row, inputs: PlanCompiler.Inputs, problems: DiagnosticCollector) {
    self.document = document
    self.inputs = inputs
    self.row = row
    root = FieldMap(row.root, as: LanguageSchema.scenario)
    // A page of the inventory runs in a browser of this computer.
    let hasPages = root.entries("inventory").contains { $0.map?.text("receiver") != nil }
    let definitions = Definitions(
      root, names: document.fieldReader.names, fileExists: inputs.fileExists,
      receiversAreHere: inputs.receiversAreHere || hasPages, reportingTo: problems)
    let blocks = Blocks(root, likes: definitions.likes, reportingTo: problems)
    unrolling = UnrollCost(nodes: definitions.likes.takenOver)
    steps = StepCompiler(definitions: definitions, problems: problems)
    steps.blocks = blocks
    steps.variables = document.variables
    steps.fieldReader = document.fieldReader
    steps.roleNames = root.entries("roles").map(\.key.text)
  }

  /// What a row of the matrix comes to, counted without compiling its steps.
  static func cost(of row: Matrix.Row, in document: CheckedDocument, _ inputs: PlanCompiler.Inputs) -> UnrollCost {
    let compiler = ScenarioCompiler(document, row: row, inputs: inputs, problems: DiagnosticCollector())
    let ignored = DiagnosticCollector()
    let steps = UnrollCost.check(
      compiler.stepLists, blocks: compiler.steps.blocks.costs,
      reportingTo: ignored)
    var cost = compiler.unrolling
    if let steps { _ = cost.addAll(of: steps) }
    return cost
  }

  /// The plan; `nil` where an error was reported, here or before.
  mutating func compile() -> Plan? {
    steps.defaults = defaults(root.map("defaults"))
    var plan = Plan(
      id: root.text("id") ?? Self.stem(of: document.source.name), title: document.title, file: document.source.name,
      device: Plan.DeviceSelector(span: document.kindSpan))
    targets(&plan)
    plan.tags = root.texts("tags")
    for key in root.keys { plan.keys[key.text] = key.span }
    plan.timeout = root.duration("timeout") ?? plan.timeout
    plan.finallyTimeout = root.duration("finally_timeout") ?? plan.finallyTimeout
    plan.timeouts = steps.defaults.timeouts
    plan.within = steps.defaults.within
    plan.row = row.values
    plan.retry = StepCompiler.retry(root, or: RetryPolicy())
    if let session = root.map("session") {
      plan.session.join = session.choice("join", as: Plan.Session.Join.self) ?? plan.session.join
      plan.session.leave = session.choice("leave", as: Plan.Session.Leave.self) ?? plan.session.leave
    }
    plan.takeover = root.choice("takeover", as: Plan.Takeover.self) ?? plan.takeover

    declareNames()
    plan.watch = root.maps("watch").compactMap { monitor($0) }
    steps.ownDevice = root.has("device") ? plan.device : nil
    plan.inventory = steps.definitions.inventorySelectors(at: plan.device.span)
    compileSteps(&plan)
    compileUnusedBlocks()

    plan.schedules = schedules(root)
    checkJudgement(plan)
    checkRoles(plan)
    plan.variables = variables()
    return steps.problems.hasErrors ? nil : plan
  }

  /// Reports what is wrong with the definitions of a document that has no steps to run.
  mutating func compileDefinitions() {
    declareNames()
    compileUnusedBlocks()
  }

  /// Definitions that nothing reads.
  var unused: [Diagnostic] {
    steps.definitions.media.unused(kind: "media") + steps.definitions.textStyles.unused(kind: "text style")
      + steps.blocks.table.unused(kind: "block")
  }

  /// The types of names that only the run knows, as far as they are known before the first step.
  private mutating func declareNames() {
    for (name, span) in document.savedNames { steps.saved.declare(name, at: span) }
    steps.saved.variables = document.variables
  }

  /// Setup and steps under the scenario's deadline, then on_failure and finally under theirs.
  private mutating func compileSteps(_ plan: inout Plan) {
    let cost = UnrollCost.check(stepLists, blocks: steps.blocks.costs, reportingTo: steps.problems)
    steps.isUnrollable = cost.map { !($0.isLarge && steps.problems.hasErrors) } ?? false
    if let cost { _ = unrolling.addAll(of: cost) }
    func outer(_ key: String, _ text: String) -> Diagnostic.Label? { root.span(key).map { .init($0, text) } }
    compile(
      &plan, cleanup: false, deadline: plan.timeout,
      DeadlineClock(
        limit: plan.timeout, start: plan.timeouts.connect,
        outer: outer("timeout", "the whole run ends after \(plan.timeout.spelled)"),
        cure: "raise the scenario `timeout`"))
    compile(
      &plan, cleanup: true, deadline: plan.finallyTimeout,
      DeadlineClock(
        limit: plan.finallyTimeout,
        outer: outer("finally_timeout", "all cleanup ends after \(plan.finallyTimeout.spelled)"),
        cure: "raise `finally_timeout`"))
  }

  private mutating func compile(_ plan: inout Plan, cleanup: Bool, deadline: Duration, _ clock: DeadlineClock) {
    steps.deadline = deadline
    steps.clock = clock
    for section in Plan.Section.allCases where section.isCleanup == cleanup {
      plan[section] = steps.steps(root.list(section.rawValue), prefix: section.idPrefix)
    }
    for problem in steps.clock.problems { steps.problems.report(problem) }
  }

  /// The lists of steps as they are written.
  private var stepLists: [YAMLNode] { Plan.Section.allCases.compactMap { root.node($0.rawValue) } }

  /// What is wrong with a block is said even where nothing uses it.
  private mutating func compileUnusedBlocks() {
    guard steps.isUnrollable else { return }
    let hasExpectation = steps.hasExpectation
    defer { steps.hasExpectation = hasExpectation }
    for name in steps.blocks.table.names where !steps.compiledBlocks.contains(name) && !steps.problems.budget.isSpent {
      guard let block = steps.blocks.table[name], !steps.blocks.refused.contains(name) else { continue }
      steps.checkUnusedBlock(block)
    }
  }

  /// What the run needs of variables: those that steps assign, and those that conditions read.
  private func variables() -> [Plan.Assignment] {
    let read = Set(steps.readVariables.flatMap { $0.dottedPrefixes })
    return document.variables.all.compactMap { variable in
      guard document.assigned.contains(variable.name) || read.contains(variable.name), let node = variable.value else {
        return nil
      }
      let ignored = DiagnosticCollector()
      return variable.json(node, reportingTo: ignored).map { Plan.Assignment(name: variable.name, value: .literal($0)) }
    }
  }

  /// The file's name without folders and its last extension.
  static func stem(of file: String) -> String {
    let name = file.split(separator: "/").last ?? "scenario"
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return String(name) }
    return String(name[..<dot])
  }

  private mutating func defaults(_ map: FieldMap?) -> StepCompiler.Defaults {
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
    defaults.retry = StepCompiler.retry(map, or: RetryPolicy())
    if map.has("text_style") { defaults.textStyle = steps.withMedia { $0.textStyle("text_style", of: map) } }
    return defaults
  }

  private mutating func schedules(_ root: FieldMap) -> [Schedule] {
    guard root.has("schedule") else { return [] }
    var compiler = ScheduleCompiler(
      today: inputs.today, zones: TimeZoneDatabase(inputs.zoneData), problems: steps.problems)
    let schedules = compiler.schedules(root.maps("schedule"))
    return schedules
  }

  private mutating func monitor(_ map: FieldMap) -> Plan.Monitor? {
    let isAlways = map.has("always")
    guard let key = map.keySpan(isAlways ? "always" : "never"), let node = map.node(isAlways ? "always" : "never"),
      let condition = steps.condition(node)
    else { return nil }
    steps.hasExpectation = true
    let name = map.text("name") ?? "\(isAlways ? "always" : "never") \(condition.topFields.joined(separator: ", "))"
    return Plan.Monitor(
      name: name, rule: isAlways ? .always(condition) : .never(condition), forAtLeast: map.duration("for"),
      ifFails: map.choice("if_fails", as: Plan.IfFails.self) ?? .stop, span: map.span("name") ?? key)
  }

  // MARK: Checks of the whole

  /// P610: a scenario that judges nothing always passes.
  private mutating func checkJudgement(_ plan: Plan) {
    guard !steps.hasExpectation, !steps.problems.hasErrors else { return }
    steps.problems.report(
      .warning, .p610, "this scenario expects nothing",
      at: .init(document.titleSpan, "passes whatever the screen shows"),
      footers: [.help("end with `- expect: { player: playing }`")])
  }
}
