import CastClient
import CastProtocol
import ScenarioLanguage
import Synchronization

/// One execution of a plan on one device: what is known while it goes on, and the order of things.
actor ScenarioRun {
  /// Where a step stands in its document.
  enum Section: String, Sendable {
    case setup, steps
    case onFailure = "on_failure"
    case finally
  }

  /// Why the running step, and with it the section, ends before its time.
  enum StopCause: Sendable {
    case interrupted(Runner.Interruption)
    /// The scenario's own, or the cleanup's.
    case deadline(Duration)
    case monitor(String)
    /// Another sender has the device now.
    case failure(StepFailure)
  }

  let plan: Plan
  let access: DeviceAccess
  let times: TimeSources
  let configuration: RunConfiguration
  let emitter: EventEmitter
  /// Unix seconds.
  let startedAt: Double

  // The device.
  var device: FoundDevice?
  var deviceName = "device"
  var wire: WireContext?
  var connection: CastConnection?
  /// Whether a first RECEIVER_STATUS has come in this run.
  var wasConnected = false
  /// When the connection broke, until it is back.
  var lostAt: Duration?
  var wasDisconnectedByUs = false
  /// The state as of the last observation, also after the connection is gone.
  var lastSnapshot = DeviceSnapshot()
  /// The number of the last observation that was told and judged.
  var observed = 0
  var watching: Task<Void, Never>?

  // What is ours on it.
  var app: AppSession?
  /// Why there is no app of ours any more.
  var appLoss: StepFailure?
  var loaded: LoadedMedia?
  /// Track names of a load that is under way, for status events.
  var loadingTrackNames: [Int: String]?
  /// Media sessions that were there before our loads.
  var earlierSessions: Set<Int> = []
  /// A launch, load or stop of ours is under way: changes are no takeover.
  var isChangingApp = false
  var originalVolume: (level: Double?, muted: Bool?)

  // The story so far.
  var section = Section.setup
  var stepID: String?
  /// Where the running steps stand inside another step.
  var nesting: Nesting?
  /// When the innermost group that has a limit of its own must be over.
  var groupEnd: Duration?
  /// When every group's `finally` must be over after the run was stopped.
  var groupCleanupEnd: Duration?
  /// Steps begun so far, each pass of a loop counted.
  var begunSteps = 0
  /// Steps so far that passed on a later try.
  var flakySteps = 0
  var attempt = 1
  var saved: [String: JSONValue] = [:]
  var retryWaits: RetryWaits
  /// Numbers from 0 to 1 for the waits of reconnecting, which the seed repeats.
  let reconnectRandom: @Sendable () -> Double
  var monitors: [MonitorStateMachine] = []
  var isWatching = false
  /// The status as the last `status` event left it.
  var toldStatus = JSONObject()
  /// The last observation before each step began, and before the last action did.
  var stepStarts: [String: Int] = [:]
  var lastActionStart = 0
  /// Steps whose begin was seen over a connection that is gone.
  var lostStarts: Set<String> = []
  /// The status when the last action began, for `changed`.
  var baseline: StatusView.Baseline?
  var tally = StepTally()
  var exits = ExitCodes()
  var stopCause: StopCause?
  var running: Task<Void, Never>?
  var interruptionCount = 0
  private var firstInterruption: Runner.Interruption?
  /// A soft or monitor failure that leaves every step green.
  var hasFailedApart = false

  init(
    _ plan: Plan, on access: DeviceAccess, times: TimeSources, configuration: RunConfiguration, sink: any EventSink
  ) {
    self.plan = plan
    self.access = access
    self.times = times
    self.configuration = configuration
    startedAt = configuration.wallClock()
    emitter = EventEmitter(
      show: times.show, wallClock: configuration.wallClock, sink: sink, secrets: configuration.secrets)
    retryWaits = RetryWaits(seed: configuration.seed)
    let reconnectWaits = Mutex(RetryWaits(seed: ~configuration.seed))
    reconnectRandom = { reconnectWaits.withLock { $0.next() } }
    monitors = plan.watch.map(MonitorStateMachine.init)
    originalVolume = (nil, nil)
  }

  var now: Duration { times.show.now }
  var secrets: Secrets { configuration.secrets }

  func emit(_ type: EventType, step: String? = nil, _ fields: JSONObject = [:]) {
    emitter.emit(type, document: plan.id, device: deviceName, step: step, fields)
  }

  // MARK: stopping

  /// The user wants out: the first time ends the running step, the second skips what finally has left.
  func interrupt(_ interruption: Runner.Interruption) {
    interruptionCount += 1
    firstInterruption = firstInterruption ?? interruption
    if interruptionCount == 1, section == .finally || section == .onFailure { return }
    stop(.interrupted(interruption))
  }

  func stop(_ cause: StopCause) {
    if stopCause == nil { stopCause = cause }
    running?.cancel()
  }

  /// Runs `body` in a task that ``stop(_:)`` cancels; `body` must end soon when cancelled.
  func stoppable<T: Sendable>(_ body: @escaping @Sendable () async -> T) async -> T? {
    if stopCause != nil { return nil }
    let box = Box<T>()
    let task = times.show.spawn {
      let value = await body()
      box.result.withLock { $0 = value }
    }
    running = task
    await task.value
    running = nil
    return box.result.withLock { $0 }
  }

  /// A timer that stops the section at `deadline`.
  func deadlineTimer(at deadline: Duration, length: Duration) -> Task<Void, Never> {
    times.show.spawn { [times] in
      do { try await times.show.sleep(until: deadline) } catch { return }
      await self.stop(.deadline(length))
    }
  }

  // MARK: the order of things

  func perform() async -> Runner.Outcome {
    let runStart = now
    assign(plan.variables)
    tellStart()
    let connectFailure = await findAndConnect()
    emit(.scenarioStarted, ["row": .object(JSONObject(plan.row.map { .init($0.name, $0.value) })), "attempt": 1])
    let scenarioStart = now
    var hasFailed = connectFailure != nil
    var cleanup: JSONValue?
    if let connectFailure {
      tellNotRun(plan.setup, .setup, reason: connectFailure.message)
      tellNotRun(plan.steps, .steps, reason: connectFailure.message)
    } else {
      await runBody()
      hasFailed = tally.firstFailure != nil || stopCause != nil || hasFailedApart
      if await runCleanup(afterFailure: hasFailed) == false { cleanup = "failed" }
      await leave()
    }
    return finish(
      connectFailure, cleanup: cleanup, hasFailed: hasFailed, scenarioDuration: now - scenarioStart,
      runDuration: now - runStart)
  }

  private func tellStart() {
    var document: JSONObject = ["doc": .string(plan.id), "kind": "scenario", "file": .string(plan.file)]
    document["sha256"] = configuration.documentHashes[plan.file].map(JSONValue.string)
    document["tags"] = .array(plan.tags.map(JSONValue.string))
    var fields: JSONObject = [
      "run": .string(configuration.runID), "tool": .string("showcaller \(configuration.toolVersion)"),
      "language": .int(plan.language), "seed": Int(exactly: configuration.seed).map(JSONValue.int) ?? .null,
    ]
    if !configuration.hostName.isEmpty { fields["host"] = .string(configuration.hostName) }
    fields["argv"] = .array(configuration.arguments.map(JSONValue.string))
    fields["speed"] = configuration.speed.map { JSONValue($0) }
    fields["docs"] = [.object(document)]
    emitter.emit(.runStarted, fields)
    emitter.emit(
      .plan, document: plan.id,
      [
        "steps": .int(plan.setup.count + plan.steps.count), "deadline": .seconds(plan.timeout),
        "finallyDeadline": .seconds(plan.finallyTimeout),
      ])
  }

  /// Setup, then steps unless setup failed; both within the scenario's deadline.
  private func runBody() async {
    let timer = deadlineTimer(at: now + plan.timeout, length: plan.timeout)
    isWatching = true
    await catchUp()
    watching = times.show.spawn { await self.watch() }
    section = .setup
    let block = await runSteps(plan.setup).endReason
    section = .steps
    if let block { tellNotRun(plan.steps, .steps, reason: block) } else { _ = await runSteps(plan.steps) }
    isWatching = false
    timer.cancel()
    await timer.value
    if case .deadline? = stopCause { exits.insert(6) }
  }

  /// on_failure after a failure, then finally; every step of them, within their own deadline.
  /// - Returns: Whether finally passed; `nil` when there is none.
  private func runCleanup(afterFailure: Bool) async -> Bool? {
    let onFailure = afterFailure ? plan.onFailure : []
    section = .onFailure
    stopCause = interruptionCount > 1 ? stopCause : nil
    guard !onFailure.isEmpty || !plan.finally.isEmpty else { return nil }
    let timer = deadlineTimer(at: now + plan.finallyTimeout, length: plan.finallyTimeout)
    if interruptionCount < 2, connection == nil || lostAt != nil, !wasDisconnectedByUs {
      // The device is needed back, so that cleaning up can work.
      _ = await stoppable { await self.tryReconnect(until: self.now + self.plan.timeouts.connect) }
    }
    let before = (tally, exits)
    _ = await runSteps(onFailure, runsAll: true)
    (tally, exits) = (before.0, before.1)
    section = .finally
    var hasPassed: Bool?
    if !plan.finally.isEmpty {
      emit(.finallyStarted, ["steps": .int(plan.finally.count)])
      tally = StepTally()
      _ = await runSteps(plan.finally, runsAll: true)
      hasPassed = tally.failed == 0 && tally.errors == 0 && tally.notRun == 0
      (tally, exits) = (before.0, before.1)
      emit(
        .finallyFinished,
        ["result": hasPassed == true ? "passed" : "failed", "steps": .int(plan.finally.count)])
      if hasPassed == false, !configuration.cleanupWarns { exits.insert(5) }
    }
    timer.cancel()
    await timer.value
    return hasPassed
  }

  private func finish(
    _ connectFailure: StepFailure?, cleanup: JSONValue?, hasFailed: Bool, scenarioDuration: Duration,
    runDuration: Duration
  ) -> Runner.Outcome {
    let cleanupCounts = cleanup != nil && !configuration.cleanupWarns
    if let firstInterruption { exits.insert(firstInterruption.rawValue) }
    let exitCode = exits.chosen
    var result = Runner.Outcome.Result.passed
    if tally.flaky > 0 { result = .flaky }
    if tally.failed > 0 || hasFailedApart { result = .failed }
    if connectFailure != nil || tally.errors > 0 || cleanupCounts || isStoppedEarly { result = .error }
    let code = result == .flaky && configuration.failOnFlaky && exitCode == 0 ? 7 : exitCode
    var fields: JSONObject = ["result": .string(result.rawValue)]
    fields.members += tally.fields.members
    fields["duration"] = .seconds(scenarioDuration)
    fields["firstFailure"] = tally.firstFailure.map(JSONValue.string)
    fields["cleanup"] = cleanup
    if let connectFailure { fields["error"] = .object(connectFailure.json) }
    emit(.scenarioFinished, fields)
    let names = ["passed", "flaky", "failed", "error", "skipped"]
    let scenarios = JSONObject(names.map { .init($0, .int($0 == result.rawValue ? 1 : 0)) })
    emitter.emit(
      .runFinished,
      [
        "run": .string(configuration.runID), "result": .string(result.rawValue), "exit": .int(Int(code)),
        "events": .int(emitter.nextNumber), "scenarios": .object(scenarios),
      ])
    return Runner.Outcome(result: result, exitCode: code)
  }

  /// Whether the user or the clock ended the scenario.
  private var isStoppedEarly: Bool { interruptionCount > 0 || exits.chosen == 6 }
}

/// Where a task leaves its value for the one who waits for it.
private final class Box<T: Sendable>: Sendable {
  let result = Mutex<T?>(nil)
}
