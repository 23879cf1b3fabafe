import CastClient
import CastProtocol
import DeviceControl
import RunReporting
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
    /// Another branch of the same `parallel` failed.
    case branch(String)
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
  /// Which try of the scenario this is.
  let number: Int

  /// Warnings about devices' proofs, each told once.
  var toldAuthentication: Set<String> = []
  /// The devices, in the order of the roles; one where there are none.
  var devices: [RunDevice]
  /// The lines of steps that run, and those that watch devices.
  var lanes: [Int: Lane] = [Lane.main: Lane()]
  var lastLane = Lane.main
  /// Expectations of several devices under way, by the lane that waits for them, and who follows the devices.
  var together: [Int: TogetherStateMachine] = [:]
  var togetherTasks: [Int: [Task<Void, Never>]] = [:]

  // The story so far.
  var section = Section.setup
  /// When every group's `finally` must be over after the run was stopped.
  var groupCleanupEnd: Duration?
  /// Steps begun so far, each pass of a loop counted.
  var begunSteps = 0
  /// What was saved or set so far.
  var values: [String: JSONValue] = [:]
  var retryWaits: RetryWaits
  /// Numbers from 0 to 1 for the waits of reconnecting, which the seed repeats.
  let reconnectRandom: @Sendable () -> Double
  var isWatching = false
  var tally = StepTally()
  var exits = ExitCodes()
  /// Why everything ends before its time.
  var runStop: StopCause?
  var interruptionCount = 0
  private var firstInterruption: Runner.Interruption?
  /// What ended the steps without being the failure of one.
  private var endedBy: StepFailure?
  /// A soft or monitor failure that leaves every step green.
  var hasFailedApart = false
  /// The class of the first failure that counts, for trying the scenario again.
  var failureClass: ErrorClass?

  /// - Parameters:
  ///   - startedAt: When the run began, in Unix seconds.
  ///   - number: Which try of the scenario this is, from 1.
  ///   - seed: Of the waits; `nil`: the run's.
  init(
    _ plan: Plan, on access: DeviceAccess, times: TimeSources, configuration: RunConfiguration, emitter: EventEmitter,
    startedAt: Double, number: Int = 1, seed: UInt64? = nil
  ) {
    let plan = plan.withRolesWrittenOut
    self.plan = plan
    self.number = number
    self.startedAt = startedAt
    self.emitter = emitter
    self.access = access
    self.times = times
    self.configuration = configuration
    let seed = seed ?? configuration.seed
    retryWaits = RetryWaits(seed: seed &+ UInt64(number) &- 1)
    let reconnectWaits = Mutex(RetryWaits(seed: ~seed))
    reconnectRandom = { reconnectWaits.withLock { $0.next() } }
    let monitors = plan.watch.map(MonitorStateMachine.init)
    devices =
      plan.roles.isEmpty
      ? [RunDevice(role: nil, selector: plan.device, monitors: monitors)]
      : plan.roles.map { RunDevice(role: $0.name, selector: $0.device, monitors: monitors) }
    if devices.count == 1 { lanes[Lane.main]?.device = 0 }
    for index in devices.indices { lanes[Lane.watching(device: index)] = Lane(device: index) }
  }

  var now: Duration { times.show.now }
  var secrets: Secrets { configuration.secrets }

  func emit(_ type: EventType, step: String? = nil, _ fields: JSONObject = [:]) {
    emitter.emit(type, document: plan.id, device: lane.device == nil ? nil : deviceName, step: step, fields)
  }

  // MARK: stopping

  /// The user wants out: the first time ends the running step, the second skips what finally has left.
  func interrupt(_ interruption: Runner.Interruption) {
    interruptionCount += 1
    firstInterruption = firstInterruption ?? interruption
    if interruptionCount == 1, section == .finally || section == .onFailure { return }
    stop(.interrupted(interruption))
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

  /// - Parameters:
  ///   - found: The device, where it is known already, and its name in events.
  ///   - obstacle: Why the scenario cannot begin, which is then all that is told of it.
  ///   - isTriedAgain: Whether a failure of this class is followed by another try; it is then no result.
  func perform(
    with found: ChosenDevice? = nil, unless obstacle: StepFailure? = nil,
    isTriedAgain: (ErrorClass) -> Bool = { _ in false }
  ) async -> Result {
    assign(plan.variables)
    if number == 1 { tellPlan() }
    var connectFailure = obstacle
    if let obstacle { exits.insert(errorClass: obstacle.errorClass, isConnected: false) }
    if obstacle == nil { connectFailure = await findAndConnect(found) }
    var fields: JSONObject = ["row": .object(JSONObject(plan.row.map { .init($0.name, $0.value) }))]
    fields["attempt"] = .int(number)
    fields["choice"] = found.map { .string($0.choice) }
    if plan.roles.count > 1 {
      fields["roles"] = .object(JSONObject(devices.map { .init($0.role ?? "", .string($0.name)) }))
    }
    emit(.scenarioStarted, fields)
    let scenarioStart = now
    var hasFailed = connectFailure != nil
    var cleanup: JSONValue?
    if let connectFailure {
      failureClass = connectFailure.errorClass
      tellNotRun(plan.setup, .setup, reason: connectFailure.message)
      tellNotRun(plan.steps, .steps, reason: connectFailure.message)
      await onEachDevice { await closeConnection(abruptly: false) }
    } else {
      await runBody()
      hasFailed = tally.firstFailure != nil || runStop != nil || hasFailedApart
      if await runCleanup(afterFailure: hasFailed) == false { cleanup = "failed" }
      let isLast = !(hasFailed && failureClass.map(isTriedAgain) == true)
      await onEachDevice { await leave(isLast: isLast) }
    }
    return finish(connectFailure, cleanup: cleanup, scenarioDuration: now - scenarioStart)
  }

  private func tellPlan() {
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
    await onEachDevice {
      await catchUp()
      startWatching()
    }
    section = .setup
    let block = await runSteps(plan.setup).endReason
    section = .steps
    if let block { tellNotRun(plan.steps, .steps, reason: block) } else { _ = await runSteps(plan.steps) }
    // An app that went during the last step is known to be gone only now.
    let isLosing = devices.contains { $0.replacementDeadline != nil }
    if isLosing { await settleLosses() }
    isWatching = false
    timer.cancel()
    await timer.value
    switch runStop {
    case .deadline?:
      exits.insert(6)
      failureClass = failureClass ?? .timeout
    case .failure(let failure)?: end(by: failure, beganInSteps: isLosing)
    default: break
    }
  }

  /// Another sender ended the steps, maybe between two of them.
  /// - Parameter beganInSteps: Whether it began while the last step ran, and was known only later.
  private func end(by failure: StepFailure, beganInSteps: Bool) {
    if tally.firstFailure == nil {
      // It came when all was done.
      if tally.notRun == 0, !beganInSteps { return runStop = nil }
      endedBy = failure
      exits.insert(errorClass: failure.errorClass, isConnected: true)
    }
    failureClass = failureClass ?? failure.errorClass
  }

  /// on_failure after a failure, then finally; every step of them, within their own deadline.
  /// - Returns: Whether finally passed; `nil` when there is none.
  private func runCleanup(afterFailure: Bool) async -> Bool? {
    let onFailure = afterFailure ? plan.onFailure : []
    section = .onFailure
    runStop = interruptionCount > 1 ? runStop : nil
    guard !onFailure.isEmpty || !plan.finally.isEmpty else { return nil }
    let timer = deadlineTimer(at: now + plan.finallyTimeout, length: plan.finallyTimeout)
    await onEachDevice {
      guard interruptionCount < 2, connection == nil || lostAt != nil, !wasDisconnectedByUs else { return }
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

  private func finish(_ connectFailure: StepFailure?, cleanup: JSONValue?, scenarioDuration: Duration) -> Result {
    let cleanupCounts = cleanup != nil && !configuration.cleanupWarns
    if let firstInterruption { exits.insert(firstInterruption.rawValue) }
    var result = Runner.Outcome.Result.passed
    if tally.flaky > 0 || number > 1 { result = .flaky }
    if tally.failed > 0 || hasFailedApart { result = .failed }
    let cause = connectFailure ?? endedBy
    if cause != nil || tally.errors > 0 || cleanupCounts || isStoppedEarly { result = .error }
    var fields: JSONObject = ["result": .string(result.rawValue)]
    fields.members += tally.fields.members
    fields["duration"] = .seconds(scenarioDuration)
    fields["firstFailure"] = tally.firstFailure.map(JSONValue.string)
    fields["cleanup"] = cleanup
    if let cause { fields["error"] = .object(cause.json) }
    emit(.scenarioFinished, fields)
    return Result(result: result, exits: exits, failureClass: failureClass)
  }

  /// What a try of the scenario came to.
  struct Result: Sendable {
    var result: Runner.Outcome.Result
    var exits: ExitCodes
    /// The class of the first failure; `nil` when there was none.
    var failureClass: ErrorClass?
  }

  /// Whether the user or the clock ended the scenario.
  private var isStoppedEarly: Bool { interruptionCount > 0 || exits.chosen == 6 }
}

/// Where a task leaves its value for the one who waits for it.
private final class Box<T: Sendable>: Sendable {
  let result = Mutex<T?>(nil)
}
