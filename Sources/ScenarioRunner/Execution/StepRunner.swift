import CastClient
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// Runs the steps of one try of a scenario, one after the other, each with its tries and conditions. It knows devices
/// only as sessions that are asked.
actor StepRunner {
  /// How a list of steps ended.
  struct ListOutcome {
    /// Why the rest was not run; `nil` when all were.
    var endReason: String?
    /// The first failure that ended the list.
    var failure: StepFailure?
    /// The first failure that did not: `if_fails: continue`, or a list all of which runs.
    var softFailure: StepFailure?
  }

  /// The state of one line of steps.
  struct LineState {
    /// Where each device stood when the last action began.
    var marks: [DeviceMark] = []
    /// What the last `exec` wrote.
    var reply: JSONValue?
    /// Steps so far that passed on a later try.
    var flakySteps = 0
    /// What the running step gave values, for the journal.
    var changes: [String: JSONValue?] = [:]
    /// What became of the running step, where it was under way when an earlier part of the run died.
    var resumed: EventKind.StepFinished.Resumption?
  }

  private nonisolated let home: SessionHome
  nonisolated var unownedExecutor: UnownedSerialExecutor { home.unownedExecutor }

  nonisolated let plan: Plan
  nonisolated let configuration: RunConfiguration
  nonisolated let access: DeviceAccess
  nonisolated let times: TimeSources
  nonisolated let emitter: EventEmitter
  nonisolated let stops: StopTree
  nonisolated let variables: Variables
  nonisolated let owner: ScenarioOwner
  /// When the run began, in Unix seconds.
  nonisolated let startedAt: Double
  /// What this try of the scenario writes down and takes over; `nil` where nobody will go on with the run.
  nonisolated let journal: AttemptJournal?
  /// What earlier parts of the run have done.
  nonisolated let earlier: JournaledWork
  /// What was ours on each device when it was last written down.
  var keptApps: [Int: KeptApp] = [:]
  /// What was not written down yet of that.
  var changedApps: [Int: KeptApp] = [:]
  /// Names whose values no file may have.
  var unkept: Set<String> = []
  /// The steps that others name by `since`.
  nonisolated let lookedBackTo: Set<String>
  /// Makes the session of a device that a step adds.
  nonisolated let makeSession: @Sendable (_ number: Int, _ selector: Plan.DeviceSelector) -> DeviceSession

  /// The devices, in the order of the roles; one where there are none.
  private(set) var devices: [DeviceSession]
  var lines: [StopTree.Line: LineState] = [.main: LineState()]
  var ledger = Ledger()
  var retryWaits: RetryWaits
  /// Steps begun so far, each pass of a loop counted.
  var begunSteps = 0
  /// When every group's `finally` must be over after the run was stopped.
  private var groupCleanupEnd: Duration?

  init(
    _ plan: Plan, on devices: [DeviceSession], access: DeviceAccess, times: TimeSources,
    configuration: RunConfiguration, emitter: EventEmitter, stops: StopTree, variables: Variables,
    owner: ScenarioOwner, home: SessionHome, startedAt: Double, retryWaits: RetryWaits, journal: AttemptJournal? = nil,
    makeSession: @escaping @Sendable (Int, Plan.DeviceSelector) -> DeviceSession
  ) {
    self.home = home
    self.plan = plan
    lookedBackTo = plan.lookedBackTo
    self.devices = devices
    self.access = access
    self.times = times
    self.configuration = configuration
    self.emitter = emitter
    self.stops = stops
    self.variables = variables
    self.owner = owner
    self.startedAt = startedAt
    self.retryWaits = retryWaits
    self.journal = journal
    earlier = journal?.earlier ?? JournaledWork()
    self.makeSession = makeSession
  }

  nonisolated var now: Duration { times.show.now }
  nonisolated var secrets: Secrets { configuration.secrets }

  /// The scope of a section's own steps.
  func scope(_ section: StepSection) -> StepScope {
    var scope = StepScope(section: section, device: devices.count == 1 ? 0 : nil)
    if let journal { scope.path = journal.key.section(section) }
    return scope
  }

  // MARK: devices

  /// The device of a step; the first where it has none of several.
  func device(_ scope: StepScope) -> DeviceSession { devices[scope.device ?? 0] }

  func deviceIndex(ofRole name: String) -> Int? { devices.firstIndex { $0.role == name } }

  /// Another device takes part from here on.
  func add(_ device: DeviceSession) { devices.append(device) }

  /// The scope that a device gets with an action of a step.
  func action(_ scope: StepScope, on device: DeviceSession, until deadline: Duration = .zero) -> ActionScope {
    let state = lines[scope.line] ?? LineState()
    let caller = StepCaller(
      stops: stops, line: scope.line, variables: variables, local: local(scope), device: device)
    var action = ActionScope(stepID: scope.stepID, deadline: deadline, caller: caller)
    action.attempt = scope.attempt
    action.mark = state.marks.indices.contains(device.number) ? state.marks[device.number] : nil
    return action
  }

  // MARK: values

  /// What loops and the line's last `exec` add to what was saved.
  func local(_ scope: StepScope) -> [String: JSONValue] {
    guard let reply = lines[scope.line]?.reply else { return scope.loopValues }
    return scope.loopValues.merging(["reply": reply]) { $1 }
  }

  /// Everything that a name may stand for in a step.
  func values(_ scope: StepScope) -> [String: JSONValue] {
    variables.all(local: local(scope), facts: device(scope).facts)
  }

  func value(of name: String, _ scope: StepScope) -> JSONValue? { ConditionJudge.value(of: name, in: values(scope)) }

  func set(_ value: JSONValue?, for name: String, _ scope: StepScope) {
    if name == "reply", let reply = lines[scope.line]?.reply {
      // A line of steps keeps its own reply, unless the document gives the name another value.
      if value == reply { return }
      lines[scope.line]?.reply = nil
    }
    if journal != nil { lines[scope.line]?.changes[name] = .some(value) }
    variables.set(value, for: name)
  }

  func reply(_ value: JSONValue, _ scope: StepScope) { lines[scope.line]?.reply = value }

  // MARK: lines

  /// Opens a line of steps beside this one, with the same marks and values.
  func openLine(from scope: StepScope, device: Int?) -> StepScope {
    var branch = scope
    branch.line = stops.open(from: scope.line, device: device)
    branch.device = device
    var state = lines[scope.line] ?? LineState()
    state.flakySteps = 0
    state.changes = [:]
    state.resumed = nil
    lines[branch.line] = state
    return branch
  }

  /// - Returns: The last state of the line.
  func closeLine(_ scope: StepScope) -> LineState {
    stops.close(scope.line)
    return lines.removeValue(forKey: scope.line) ?? LineState()
  }

  func addFlaky(_ count: Int, _ scope: StepScope) { lines[scope.line]?.flakySteps += count }
  func replyOfLine(_ scope: StepScope) -> JSONValue? { lines[scope.line]?.reply }

  // MARK: events

  func emit(_ kind: EventKind, _ scope: StepScope, step: String? = nil) {
    emitter.emit(kind, document: plan.id, device: scope.device == nil ? nil : device(scope).name, step: step)
  }

  // MARK: stopping

  /// Runs `body` in a task that stopping the line cancels; `body` must end soon when cancelled.
  func cancellably<T: Sendable>(_ scope: StepScope, _ body: @escaping @Sendable () async -> T) async -> T? {
    await stops.runCancellably(scope.line, on: times.show, preferring: device(scope).executor, body)
  }

  /// Why nothing more is to be run in this section.
  func stopReason(_ scope: StepScope) -> String? {
    switch stops.cause(of: scope.line) {
    case nil: nil
    case .interrupted: "interrupted"
    case .deadline(let length):
      scope.section.isCleanup
        ? "the cleanup's \(length.spelled) were over" : "the scenario's \(length.spelled) were over"
    case .monitor(let name): "monitor failed: \(name)"
    case .branch(let name): "branch \(name) failed"
    case .failure(let failure): failure.message
    }
  }

  /// The failure of a step that was stopped from outside; `nil` where nothing was stopped.
  func outside(_ scope: StepScope) -> StepFailure? {
    switch stops.cause(of: scope.line) {
    case nil: nil
    case .interrupted: StepFailure(.interrupted, "interrupted")
    case .deadline: StepFailure(.timeout, stopReason(scope) ?? "")
    case .monitor(let name): StepFailure(.monitor, "monitor failed: \(name)")
    case .branch: StepFailure(.interrupted, stopReason(scope) ?? "")
    case .failure(let failure): failure
    }
  }

  // MARK: accounts

  func changeLedger<T>(_ change: (inout Ledger) -> T) -> T { change(&ledger) }

  /// When the `finally` of all groups must be over once the run was stopped; the first group that asks sets it.
  func cleanupEnd() -> Duration {
    let end = groupCleanupEnd ?? now + plan.finallyTimeout
    groupCleanupEnd = end
    return end
  }
}

extension Plan {
  /// The ids of steps whose start an `expect_sequence` looks back to.
  fileprivate var lookedBackTo: Set<String> {
    Set(allSteps.compactMap { if case .expectSequence(let sequence) = $0.action { sequence.since } else { nil } })
  }
}
