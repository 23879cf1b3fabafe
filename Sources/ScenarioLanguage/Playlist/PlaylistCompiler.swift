/// Compiles a checked playlist to its plan; names, times, and whether the screen is ever dark.
struct PlaylistCompiler {
  let document: CheckedDocument
  let today: CivilDate?
  let folderFiles: @Sendable (String) -> [String]?
  var definitions: Definitions
  var times: TimeConditionCompiler
  var zones: TimeZoneDatabase
  let problems: DiagnosticCollector
  var triggers = SymbolTable<PlaylistPlan.Trigger>()
  /// Where the items send receivers.
  var addresses = FetchedAddresses()
  /// The media of items whose rule is not read yet, and the days of each.
  var pending: [(media: CompiledMedia, valid: DateRange?)] = []
  private let zoneName: String?
  /// The hours of a week in which `quiet` keeps the screen dark.
  var quietIntervals = WeeklyIntervals.never

  init(_ document: CheckedDocument, inputs: PlanCompiler.Inputs, problems: DiagnosticCollector) {
    self.document = document
    today = inputs.today
    folderFiles = inputs.folderFiles
    zones = TimeZoneDatabase(inputs.zoneData)
    zoneName = document.root.text("timezone") ?? inputs.localZone
    definitions = Definitions(
      document.root, names: document.fieldReader.names, fileExists: inputs.fileExists, reportingTo: problems)
    times = TimeConditionCompiler(
      document.root, today: today, calendars: CalendarCompiler(inputs, zone: document.root.text("timezone")),
      problems: problems)
    self.problems = problems
    if !document.root.has("timezone") { reportNoZone(local: inputs.localZone) }
  }

  /// The plan; `nil` where an error was reported, here or before.
  mutating func compile() -> PlaylistPlan? {
    let root = document.root
    let appID = root.node("app").flatMap(\.text) ?? "default"
    var plan = PlaylistPlan(
      id: root.text("id") ?? ScenarioCompiler.stem(of: document.source.name), title: document.title,
      file: document.source.name, devices: devices(root), appID: definitions.apps.use(appID) ?? appID,
      span: document.kindSpan)
    plan.tags = root.texts("tags")
    plan.inventory = definitions.inventorySelectors(at: document.kindSpan)
    refusePages(plan)
    plan.timeZone = root.text("timezone")
    plan.volume = root.number("volume").map { $0 / 100 }
    plan.quiet = quiet(root)
    plan.fallback = fallback(root)
    plan.program = program(root)
    plan.triggers = defineTriggers(root)
    plan.interrupts = interrupts(root)
    plan.notify = notifications(root)
    plan.power = power(root)
    plan.calendarFeeds = times.calendarFeeds
    compilePolicies(root, into: &plan)
    if !problems.hasErrors { checkCoverage(plan) }
    reportUnused()
    return problems.hasErrors ? nil : plan
  }

  /// A page in a browser of this computer is no screen that anybody sees.
  private func refusePages(_ plan: PlaylistPlan) {
    let shown = plan.devices.selectors.flatMap { $0.tag == nil ? [$0] : $0.tagged }
    for selector in shown {
      guard let place = selector.requirements.pageSpan, !problems.hasError(at: place) else { continue }
      problems.report(
        .error, .k110, "a playlist cannot be shown on a receiver page",
        at: .init(place, "only a scenario's run shows one"),
        footers: [.help("leave `receiver` out here; `receive --app ID=URL` starts a receiver that shows the page")])
    }
  }

  /// Notes where the items that were read last send receivers.
  /// - Parameter during: When their rule is on; `nil`: at any time.
  mutating func noteAddresses(during: TimeCondition? = nil) {
    for (media, valid) in pending {
      var plays = PlayTimes(valid: valid, during: during ?? .anyTime)
      guard plays.isDated else {
        addresses.add(media)
        continue
      }
      plays.zone = zoneName.flatMap { zones.rules($0) } ?? .utc
      addresses.add(media, when: plays)
    }
    pending = []
  }

  private mutating func reportNoZone(local: String?) {
    let name = local.flatMap { (try? NameScalar.timeZone($0)) }
    problems.report(
      .warning, .t218, "this playlist has no `timezone`",
      at: .init(
        document.kindSpan,
        "follows the clock of the computer it runs on" + (name.map { ", here \($0)" } ?? "")),
      footers: [.help("\(name == nil ? "such as " : "")`timezone: \(name ?? "Europe/Paris")`")])
  }

  private mutating func reportUnused() {
    for problem in definitions.media.unused(kind: "media") + definitions.textStyles.unused(kind: "text style")
      + times.dayparts.unused(kind: "daypart") + times.calendars.unused(kind: "calendar")
      + triggers.unused(kind: "trigger")
    { problems.reportIfNoErrors(problem) }
  }

  // MARK: Devices and settings

  private mutating func devices(_ root: FieldMap) -> Plan.DeviceSet {
    if let set = definitions.deviceSet(root, reportingTo: problems) { return set }
    let selector = root.node("device").flatMap { definitions.selector($0, map: root.map("device")) }
    return Plan.DeviceSet(selectors: selector.map { [$0] } ?? [])
  }

  private mutating func quiet(_ root: FieldMap) -> PlaylistPlan.Quiet? {
    guard let map = root.map("quiet"), let key = root.keySpan("quiet") else { return nil }
    var quiet = PlaylistPlan.Quiet(condition: times.condition(map), span: key)
    quiet.screen = map.choice("screen", as: PlaylistPlan.Quiet.Screen.self) ?? .stop
    quiet.mutes = map.bool("mute") ?? (quiet.screen == .keep)
    if quiet.screen != .keep { quietIntervals = quiet.condition.weeklyIntervals }
    if quietIntervals == .always {
      problems.reportIfNoErrors(
        Diagnostic(
          .warning, .p601, "the program is never on screen", at: .init(key, "covers the whole week")))
    }
    return quiet
  }

  /// Everything about failing, and about other senders.
  private mutating func compilePolicies(_ root: FieldMap, into plan: inout PlaylistPlan) {
    if let map = root.map("takeover") {
      plan.takeover.policy = map.choice("policy", as: PlaylistPlan.Takeover.Policy.self) ?? .yield
      plan.takeover.resumeAfter = map.duration("resume_after") ?? plan.takeover.resumeAfter
      plan.takeover.ignoredApps = map.texts("ignore_apps").map { definitions.apps.use($0) ?? $0 }
      if plan.takeover.policy != .yield, let key = map.keySpan("resume_after") {
        problems.report(
          .warning, .k107, "`resume_after` has no effect with `policy: \(plan.takeover.policy.rawValue)`",
          at: .init(key, "only `yield` waits"), related: map.span("policy").map { [.init($0)] } ?? [])
      }
    }
    if root.text("keep_awake") == "never" {
      plan.keepAwake = nil
    } else if let every = root.duration("keep_awake", atLeast: .seconds(10), reportingTo: problems) {
      plan.keepAwake = every
    }
    if let map = root.map("watchdog") {
      func limit(_ key: String) -> Duration? { map.duration(key, atLeast: .seconds(1), reportingTo: problems) }
      plan.watchdog.stalledAfter = limit("stalled_after") ?? plan.watchdog.stalledAfter
      plan.watchdog.bufferingOver = limit("buffering_over") ?? plan.watchdog.bufferingOver
      plan.watchdog.then = map.choice("then", as: PlaylistPlan.Watchdog.Remedy.self) ?? .reload
      plan.watchdog.retry = StepCompiler.retry(map, or: RetryPolicy())
    }
    plan.isSynchronised = root.bool("sync") ?? false
    if plan.isSynchronised { checkLengths(plan.program) }
    plan.onError = root.choice("on_error", as: PlaylistPlan.OnError.self) ?? .fallback
    if let map = root.map("ledger") {
      plan.ledger.file = map.text("file")
      plan.ledger.rotation = map.choice("rotate", as: PlaylistPlan.Ledger.Rotation.self) ?? .daily
      plan.ledger.signs = map.bool("sign") ?? false
      if plan.ledger.signs, plan.ledger.rotation == .never, let node = map.node("sign") {
        problems.report(
          .warning, .p601, "this ledger is never signed",
          at: .init(node.span, "a file is signed when the next begins"),
          footers: [.help("begin a new file now and then, such as `rotate: monthly`")])
      }
    }
  }
}
