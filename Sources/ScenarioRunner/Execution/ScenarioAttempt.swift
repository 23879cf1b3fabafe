import CastClient
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage
import Synchronization

/// One try of a scenario on its devices: setup, steps, on_failure, finally, leaving.
actor ScenarioAttempt {
  /// What a try of the scenario came to.
  struct Summary: Sendable {
    var result: Runner.Outcome.Result
    var exits: ExitCodes
    /// The class of the first failure; `nil` when there was none.
    var failureClass: ErrorClass?
  }

  private nonisolated let home: SessionHome
  nonisolated var unownedExecutor: UnownedSerialExecutor { home.unownedExecutor }

  let plan: Plan
  let times: TimeSources
  let configuration: RunConfiguration
  let emitter: EventEmitter
  /// The journal of this try; `nil` where the run cannot be resumed.
  let journal: AttemptJournal?
  /// Which try of the scenario this is, from 1.
  private let number: Int
  /// Which repeat of its row this is; `nil` where rows are run once.
  private let repeated: RowRepeats.Place?
  nonisolated let stops: StopTree
  let owner: ScenarioOwner
  let devices: [DeviceSession]
  /// The fields of its `scenario.started`.
  private var told = JSONObject()
  /// What another sender did to a device between an earlier part of the run and this one.
  var earlierTakeover: StepFailure?
  /// How near the rules of `watch` came to being broken while they were judged.
  private var ruleMargins: [EventKind.RuleMargins] = []
  private let hold: DeviceHold
  /// Ask the devices which software they have; `nil` where nobody wants to know.
  private let questions: SoftwareQuestions?
  private let steps: StepRunner

  /// - Parameters:
  ///   - hold: What keeps other runs off the devices, for all tries together.
  ///   - startedAt: When the run began, in Unix seconds.
  ///   - number: Which try of the scenario this is, from 1.
  ///   - repeated: Which repeat of its row this is.
  ///   - seed: Of the waits.
  ///   - journal: What it writes down and takes over.
  ///   - questions: Asks its devices which software they have.
  init(
    _ plan: Plan, on access: DeviceAccess, times: TimeSources, configuration: RunConfiguration, emitter: EventEmitter,
    hold: DeviceHold, startedAt: Double, number: Int, repeated: RowRepeats.Place? = nil, seed: UInt64,
    journal: AttemptJournal? = nil, questions: SoftwareQuestions? = nil
  ) {
    let (plan, home) = (plan.withRolesWrittenOut, SessionHome())
    self.home = home
    self.plan = plan
    self.number = number
    self.repeated = repeated
    self.journal = journal
    self.emitter = emitter
    self.times = times
    self.configuration = configuration
    self.hold = hold
    self.questions = questions
    let (stops, variables) = (StopTree(device: plan.roles.count > 1 ? nil : 0), Variables())
    let owner = ScenarioOwner(takeover: plan.takeover, stops: stops, variables: variables) { name in
      if let journal { journal.append(.broken(.init(key: journal.key, name: name)), isDurable: true) }
    } noteStreak: { name, device, isOver in
      journal?.noteStreak(of: name, on: device, isOver: isOver)
    }
    let policies = SessionPolicies(plan, configuration, hold)
    let reconnectWaits = Mutex(RetryWaits(seed: ~seed))
    let random: @Sendable () -> Double = { reconnectWaits.withLock { $0.next() } }
    let make: @Sendable (Int, String?, Plan.DeviceSelector, [Plan.Monitor]) -> DeviceSession = {
      number, role, selector, monitors in
      DeviceSession(
        number: number, role: role, selector: selector, monitors: monitors, policies: policies, access: access,
        times: times, emitter: emitter, owner: owner, home: home, random: random)
    }
    devices =
      plan.roles.isEmpty
      ? [make(0, nil, plan.device, plan.watch)]
      : plan.roles.enumerated().map { make($0, $1.name, $1.device, plan.watch) }
    steps = StepRunner(
      plan, on: devices, access: access, times: times, configuration: configuration, emitter: emitter, stops: stops,
      variables: variables, owner: owner, home: home, startedAt: startedAt,
      retryWaits: RetryWaits(seed: seed &+ UInt64(number) &- 1), journal: journal,
      makeSession: { make($0, nil, $1, []) })
    self.stops = stops
    self.owner = owner
  }

  /// The user stops the run: the first time ends the running step, the second also skips the rest of finally.
  nonisolated func interrupt(_ interruption: Runner.Interruption) { stops.interrupt(interruption) }

  /// - Parameters:
  ///   - found: The device, where it is known already, and its name in events.
  ///   - obstacle: Why the scenario cannot begin: then nothing of it is run.
  ///   - isTriedAgain: Whether a failure of this class is followed by another try; it is then no result.
  func perform(
    with found: ChosenDevice? = nil, unless obstacle: StepFailure? = nil,
    isTriedAgain: @Sendable (ErrorClass) -> Bool = { _ in false }
  ) async -> Summary {
    await steps.assign(plan.variables, steps.scope(.setup))
    if number == 1 { reportPlan() }
    var connectFailure = obstacle
    if let obstacle {
      await steps.changeLedger { $0.settle(obstacle.errorClass, isConnected: false) }
    } else {
      connectFailure = await findAndConnect(found)
    }
    // Without a device, too, what is told under its name is of one scenario at a time.
    if connectFailure != nil, devices.count == 1 { await hold.reserve(name: devices[0].name) }
    reportStart(found)
    let hasBegun = wasBegunBefore
    if let journal, connectFailure == nil, !hasBegun { journal.append(.scenario(.init(key: journal.key))) }
    restoreBrokenRules()
    let scenarioStart = times.show.now
    var cleanup: Bool?
    var endedBy: StepFailure?
    var hasFailed = false
    if let connectFailure {
      await steps.changeLedger { $0.recordFirst(connectFailure.errorClass) }
      await steps.reportNotRun(plan.setup, steps.scope(.setup), reason: connectFailure.message)
      await steps.reportNotRun(plan.steps, steps.scope(.steps), reason: connectFailure.message)
      for device in devices { await device.close() }
      // Where it was begun before, somebody may make the device reachable and try again.
      if hasBegun { journal?.journal.leaveOpen() }
    } else {
      if let questions {
        for device in devices { if let found = device.device { questions.begin(found, called: device.name) } }
      }
      // Steps go on where the answers are read: with several devices, where those of the first are.
      await times.show.prefer(devices.first?.executor) {
        endedBy = await runBody()
        let ledger = await steps.ledger
        hasFailed = ledger.tally.firstFailure != nil || stops.cause != nil || owner.hasFailureOutsideSteps
        cleanup = await runCleanup(afterFailure: hasFailed)
      }
      let failureClass = await steps.ledger.failureClass
      let isLast = !(hasFailed && failureClass.map(isTriedAgain) == true)
      for device in await steps.devices {
        await device.leave(isLast: isLast, isHurried: stops.interruptions > 1)
      }
    }
    return await finish(
      connectFailure ?? endedBy, cleanup: cleanup, duration: times.show.now - scenarioStart + spent,
      isLeftOpen: hasBegun && connectFailure != nil)
  }

  // MARK: begin

  private func reportPlan() {
    let summary = EventKind.PlanSummary(
      steps: plan.setup.count + plan.steps.count, deadline: plan.timeout.seconds,
      finallyDeadline: plan.finallyTimeout.seconds)
    emitter.emit(.plan(summary), document: plan.id)
  }

  private func reportStart(_ found: ChosenDevice?) {
    var started = EventKind.ScenarioStarted()
    started.row = plan.rowValues
    started.attempt = number
    (started.repeatNumber, started.repeats) = (repeated?.number, repeated?.count)
    started.choice = found?.choice
    // Told with the first of them: a run may die before it comes to the next.
    if let found, found.count > 1 { started.devices = found.count }
    if plan.roles.count > 1 {
      started.roles = JSONObject(devices.map { .init($0.role ?? "", .string($0.name)) })
    }
    told = started.emitted(hiding: configuration.secrets).fields
    emit(.scenarioStarted(started))
  }

  private var eventDevice: String? { devices.count == 1 ? devices[0].name : nil }

  func emit(_ kind: EventKind) { emitter.emit(kind, document: plan.id, device: eventDevice) }

  /// Finds the plan's devices and connects to them.
  /// - Parameter known: The device, where it is known already, and its name in events.
  /// - Returns: Why that failed; `nil` when all are connected.
  private func findAndConnect(_ known: ChosenDevice?) async -> StepFailure? {
    let failure = await stops.runCancellably(.main, on: times.show) { await self.connectAll(known) } ?? .cancelled
    guard let failure else { return nil }
    for device in devices { device.wire?.tellLast(step: nil) }
    if owner.isInterrupted { return StepFailure(.interrupted, "interrupted") }
    var wasConnected = false
    for device in devices where await device.wasConnected { wasConnected = true }
    let isConnected = wasConnected
    await steps.changeLedger { $0.settle(failure.errorClass, isConnected: isConnected) }
    return failure
  }

  private func connectAll(_ known: ChosenDevice?) async -> StepFailure? {
    for device in devices {
      if let known {
        await device.use(known.device, called: known.name)
      } else if let failure = await device.find(besides: devices.filter { $0.number != device.number }) {
        return failure
      }
    }
    if let failure = await DeviceSession.hold(devices) { return failure }
    for device in devices {
      if let failure = await device.connectAndJoin() { return failure }
    }
    return await restoreApps()
  }

  // MARK: the order of things

  /// A timer that stops what runs at `deadline`.
  /// - Parameter spent: How much of it earlier parts of the run took.
  private func deadlineTimer(_ length: Duration, spent: Duration = .zero) -> Task<Void, Never> {
    let deadline = times.show.now + max(.zero, length - spent)
    return times.show.spawn { [times, stops] in
      do { try await times.show.sleep(until: deadline) } catch { return }
      stops.stop(.deadline(length))
    }
  }

  /// Setup, then steps unless setup failed; both within the scenario's deadline.
  /// - Returns: What ended the steps without being the failure of one.
  private func runBody() async -> StepFailure? {
    let timer = deadlineTimer(plan.timeout, spent: spent)
    owner.judgesRules = true
    for device in devices {
      await device.catchUp()
      await restoreStreaks(on: device)
      await device.startWatching()
    }
    // It was seen before anything was judged.
    if let earlierTakeover { owner.isTakenOver(earlierTakeover) }
    let block = await steps.run(plan.setup, steps.scope(.setup)).endReason
    if let block {
      await steps.reportNotRun(plan.steps, steps.scope(.steps), reason: block)
    } else {
      _ = await steps.run(plan.steps, steps.scope(.steps))
    }
    // An app that went during the last step is known to be gone only now.
    var isLosing = false
    for device in await steps.devices where await device.replacementDeadline != nil {
      isLosing = true
      await device.settleLoss(steps.action(steps.scope(.steps), on: device))
    }
    let lastMoment = times.show.now
    for device in devices { await device.fireMonitors(at: lastMoment) }
    // From here on none is broken: one that is told to hold stays so.
    owner.judgesRules = false
    // All is done: a deadline that passes while the rest is asked for has ended nothing.
    timer.cancel()
    await timer.value
    // What an earlier part of the run saw of a rule is not known.
    if !wasBegunBefore {
      for device in devices {
        let name = devices.count > 1 ? device.name : nil
        ruleMargins += await device.ruleMargins(at: lastMoment).map {
          EventKind.RuleMargins($0.name, on: name, $0.margins)
        }
      }
    }
    switch stops.cause {
    case .deadline?:
      await steps.changeLedger {
        $0.insert(.deadlinePassed)
        $0.recordFirst(.timeout)
      }
      return nil
    case .failure(let failure)?: return await end(by: failure, beganInSteps: isLosing)
    default: return nil
    }
  }

  /// Another sender ended the steps, maybe between two of them.
  /// - Parameter beganInSteps: Whether it began while the last step ran, and was known only later.
  /// - Returns: The failure, where no step has failed with it.
  private func end(by failure: StepFailure, beganInSteps: Bool) async -> StepFailure? {
    let tally = await steps.ledger.tally
    guard tally.firstFailure == nil else {
      await steps.changeLedger { $0.recordFirst(failure.errorClass) }
      return nil
    }
    // It came when all was done.
    if tally.counts.notRun == 0, !beganInSteps {
      stops.forgetCause()
      return nil
    }
    await steps.changeLedger { $0.settle(failure.errorClass, isConnected: true) }
    return failure
  }

  /// on_failure after a failure, then finally; every step of them, within their own deadline.
  /// - Returns: Whether finally passed; `nil` when there is none.
  private func runCleanup(afterFailure: Bool) async -> Bool? {
    let onFailure = afterFailure ? plan.onFailure : []
    await noteCleanup()
    stops.beginCleanup()
    guard !onFailure.isEmpty || !plan.finally.isEmpty else { return nil }
    let timer = deadlineTimer(plan.finallyTimeout)
    for device in await steps.devices {
      guard stops.interruptions < 2, await device.needsConnection else { continue }
      // The device is needed back, so that cleaning up can work.
      let end = times.show.now + plan.timeouts.connect
      _ = await stops.runCancellably(.main, on: times.show) { try? await device.makeReachable(until: end) }
    }
    let before = await steps.changeLedger { $0.beginApart() }
    _ = await steps.run(onFailure, steps.scope(.onFailure), runsAll: true)
    await steps.changeLedger { $0.endApart(before) }
    var hasPassed: Bool?
    if !plan.finally.isEmpty {
      emit(.finallyStarted(.init(steps: plan.finally.count)))
      _ = await steps.changeLedger { $0.beginApart() }
      _ = await steps.run(plan.finally, steps.scope(.finally), runsAll: true)
      let isClean = await steps.ledger.tally.isClean
      hasPassed = isClean
      emit(.finallyFinished(.init(result: isClean ? .passed : .failed, steps: plan.finally.count)))
      let counts = !isClean && !configuration.cleanupWarns
      await steps.changeLedger {
        $0.endApart(before)
        if counts { $0.insert(.stepFailed) }
      }
    }
    timer.cancel()
    await timer.value
    return hasPassed
  }

  // MARK: end

  /// - Parameters:
  ///   - duration: With what earlier parts of the run took.
  ///   - isLeftOpen: Whether the scenario can be tried once more, by another part of the run.
  private func finish(
    _ cause: StepFailure?, cleanup: Bool?, duration: Duration, isLeftOpen: Bool
  ) async -> Summary {
    let ledger = await steps.ledger
    let (tally, isDirty) = (ledger.tally, cleanup == false)
    var exits = ledger.exits
    if owner.hasFailureOutsideSteps { exits.insert(.expectationFailed) }
    if let firstInterruption = stops.firstInterruption { exits.insert(firstInterruption.exit) }
    var result = Runner.Outcome.Result.passed
    if tally.counts.flaky > 0 || number > 1 { result = .flaky }
    if tally.counts.failed > 0 || owner.hasFailureOutsideSteps { result = .failed }
    // The user or the clock ended the scenario.
    let isStoppedEarly = stops.interruptions > 0 || exits.chosen == .deadlinePassed
    if cause != nil || tally.counts.errors > 0 || isDirty && !configuration.cleanupWarns || isStoppedEarly {
      result = .error
    }
    var finished = EventKind.ScenarioFinished()
    (finished.result, finished.counts, finished.duration) = (result, tally.counts, duration.seconds)
    finished.firstFailure = tally.firstFailure
    finished.cleanup = isDirty ? .failed : nil
    finished.rules = ruleMargins
    finished.error = cause.map(EventKind.Failure.init)
    emit(.scenarioFinished(finished))
    if !isLeftOpen { noteEnd(finished, result, exits, ledger.failureClass) }
    return Summary(result: result, exits: exits, failureClass: ledger.failureClass)
  }
}

extension ScenarioAttempt {
  private func noteEnd(
    _ finished: EventKind.ScenarioFinished, _ result: RunVerdict, _ exits: ExitCodes, _ failureClass: ErrorClass?
  ) {
    guard let journal else { return }
    var end = JournalEntry.ScenarioEnd()
    (end.key, end.device, end.started) = (journal.key, eventDevice, told)
    end.finished = finished.emitted(hiding: configuration.secrets).fields
    (end.result, end.exits, end.errorClass) = (result, exits.numbers, failureClass)
    journal.append(.scenarioEnd(end), isDurable: true)
  }
}

extension SessionPolicies {
  /// What a run's configuration adds to its plan.
  init(_ plan: Plan, _ configuration: RunConfiguration, _ hold: DeviceHold) {
    self.init(plan)
    self.hold = hold
    authentication = configuration.authentication
    messages = configuration.includesWire ? .all : .last
    secrets = configuration.secrets
    launchedApps = configuration.launchedApps
  }
}
