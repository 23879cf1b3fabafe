package import CastProtocol
package import RunReporting
package import ScenarioLanguage

/// Does what a command asks of one device: its steps one after the other, on whatever runs there, within its time.
package actor CommandPerformer {
  package nonisolated let device: DeviceSession
  /// Another device that the command has to do with, once it is found.
  package private(set) var other: DeviceSession?

  private let policies: SessionPolicies
  private let access: DeviceAccess
  private let times: TimeSources
  private let owner: CommandOwner
  private let makeSession: @Sendable (_ number: Int, _ selector: Plan.DeviceSelector) -> DeviceSession
  private let willOnlyWatch: @Sendable () -> Void
  private var saved: [String: JSONValue] = [:]
  private var mark: DeviceMark?
  /// What the steps came to.
  private var failure: StepFailure?

  /// - Parameters:
  ///   - selector: What the device was found by.
  ///   - random: Numbers from 0 to 1, for the waits of reconnecting.
  ///   - willOnlyWatch: Called where a step only waits for what the device does by itself, such as the end of a film:
  ///     others may have the device from then on.
  package init(
    on selector: Plan.DeviceSelector, policies: SessionPolicies, access: DeviceAccess, times: TimeSources,
    emitter: EventEmitter, random: @escaping @Sendable () -> Double, willOnlyWatch: @escaping @Sendable () -> Void = {}
  ) {
    let (owner, home) = (CommandOwner(takeover: policies.takeover), SessionHome())
    let make: @Sendable (Int, Plan.DeviceSelector) -> DeviceSession = { number, selector in
      DeviceSession(
        number: number, selector: selector, policies: policies, access: access, times: times, emitter: emitter,
        owner: owner, home: home, random: random)
    }
    device = make(0, selector)
    makeSession = make
    self.policies = policies
    self.access = access
    self.times = times
    self.owner = owner
    self.willOnlyWatch = willOnlyWatch
  }

  private var now: Duration { times.show.now }

  private func scope(_ step: String? = nil, until deadline: Duration) -> ActionScope {
    var scope = ActionScope(stepID: step, deadline: deadline, caller: owner)
    scope.mark = mark
    return scope
  }

  /// Takes the device that was found, connects to it, and joins what runs there.
  /// - Returns: Why that failed.
  package func reach(_ found: FoundDevice) async -> StepFailure? {
    await device.use(found, called: DeviceName.name(of: found, selector: device.selector))
    if let failure = await device.connectAndJoin() { return failure }
    // What plays was told while the app was joined.
    await device.catchUp()
    return nil
  }

  /// All items of the queue that plays, in their order; none where nothing plays.
  /// - Parameter limit: How long that may take.
  package func queue(within limit: Duration) async throws(StepFailure) -> [QueueItem] {
    try await device.queue(scope(until: now + limit))
  }

  /// Does the steps, one after the other; cancelling the caller ends them.
  /// - Parameter limit: What all of them together may take; `nil`: as long as they take.
  /// - Returns: Why one was not done, or why they ended before their time.
  package func perform(_ steps: [Plan.Step], within limit: Duration?) async -> StepFailure? {
    let timer = limit.map { limit in
      times.show.spawn { [times, owner] in
        do { try await times.show.sleep(for: limit) } catch { return }
        owner.stop(StepFailure(.timeout, "the command's \(limit.spelled) were over"))
      }
    }
    owner.begin()
    await device.catchUp()
    await device.startWatching()
    let running = times.show.spawn { await self.run(steps) }
    owner.note(running)
    await withTaskCancellationHandler {
      await running.value
    } onCancel: { [owner] in
      owner.stop(StepFailure(.interrupted, "interrupted"))
    }
    // An app that went during the last step is known to be gone only now.
    if await device.replacementDeadline != nil {
      await device.settleLoss(scope(until: now))
      failure = failure ?? owner.cause
    }
    owner.end()
    timer?.cancel()
    await timer?.value
    return failure
  }

  /// Leaves the devices as they are.
  package func leave() async {
    await device.leave()
    await other?.leave()
  }

  // MARK: steps

  private func run(_ steps: [Plan.Step]) async {
    for step in steps {
      // Nothing new is begun before it is known whose the device is.
      if owner.endsOnLoss { await device.settleLoss(scope(until: now)) }
      failure = owner.cause
      if case .waitUntil = step.action { willOnlyWatch() }
      if failure == nil { failure = await tries(of: step) }
      if failure != nil { return }
    }
  }

  /// Tries until one try succeeds, or another is not worth it.
  private func tries(of step: Plan.Step) async -> StepFailure? {
    await device.catchUp(scope(until: now))
    let mark = await device.mark(step: step.id)
    if step.asksDevice { self.mark = mark }
    var attempt = 1
    while true {
      let failure = await self.attempt(step, attempt)
      if let cause = owner.cause { return cause }
      guard let failure else {
        await save(step.save)
        return nil
      }
      guard attempt < step.retry.attempts, step.retry.errors.contains(failure.errorClass) else { return failure }
      attempt += 1
      try? await times.show.sleep(for: step.retry.wait)
      if let cause = owner.cause { return cause }
    }
  }

  private func attempt(_ step: Plan.Step, _ number: Int) async -> StepFailure? {
    var scope = scope(step.id, until: now + step.timeout)
    scope.attempt = number
    do {
      // Nobody at a prompt waits for the length of a film.
      if number > 1, await device.isLost {
        try await device.makeReachable(until: min(scope.deadline, now + policies.timeouts.step))
      }
      try await perform(step, scope)
      return nil
    } catch {
      return await device.cause(of: error, scope)
    }
  }

  private func perform(_ step: Plan.Step, _ scope: ActionScope) async throws(StepFailure) {
    switch step.action {
    case .waitUntil(let condition): try await device.wait(for: condition, scope)
    case .expect(let expect):
      let verdict = try await device.judge(expect, scope)
      if verdict.outcome != .passed {
        throw StepFailure(.expectation, "observed \(WantText.values(verdict.got))")
      }
    case .transfer(let transfer): try await self.transfer(transfer, scope)
    default:
      guard let action = try DeviceAction(step.action, saved: { saved[$0] }) else {
        throw StepFailure(.invalidState, "`\(step.verb)` is no command")
      }
      try await device.perform(action, in: scope)
    }
  }

  private func save(_ fields: [Plan.SavedField]) async {
    if fields.isEmpty { return }
    await device.catchUp(scope(until: now))
    let view = await device.view(since: mark)
    for field in fields { saved[field.name] = view.value(of: field.field) }
  }

  // MARK: the other device

  /// What plays goes on on the other device; this one stops only once it does.
  private func transfer(_ action: Plan.TransferAction, _ scope: ActionScope) async throws(StepFailure) {
    guard case .device(let selector) = action.target else {
      throw StepFailure(.invalidRequest, "no device is named to transfer to")
    }
    let state = try await device.playbackState(scope)
    let target = try await join(selector, scope)
    try await target.continuePlayback(state, from: device, scope.elsewhere)
    if action.stopsSource { try await device.perform(.stop, in: scope) }
  }

  private func join(_ selector: Plan.DeviceSelector, _ scope: ActionScope) async throws(StepFailure) -> DeviceSession {
    let found: [FoundDevice]
    do {
      found = try await access.find(selector, min(policies.timeouts.discover, max(.zero, scope.deadline - now)))
    } catch {
      throw await device.reportNotFound(error, for: selector)
    }
    if Task.isCancelled { throw .cancelled }
    guard found.count == 1, let there = found.first else {
      let failure = StepFailure(found.isEmpty ? .notFound : .ambiguous, "")
      throw await device.reportNotFound(failure, candidates: found, for: selector)
    }
    if device.device?.isSame(as: there) == true {
      throw StepFailure(.invalidRequest, "a transfer from a device to itself", help: "name another device")
    }
    let session = makeSession(1, selector)
    other = session
    await session.use(there, called: DeviceName.name(of: there, selector: selector).unique(among: [device.name]))
    try await session.open(session.device ?? there)
    await session.catchUp(scope.elsewhere)
    await session.startWatching()
    return session
  }
}

extension ActionScope {
  /// The same for another device, on which nothing was asked yet.
  fileprivate var elsewhere: ActionScope {
    var scope = self
    scope.mark = nil
    return scope
  }
}

extension Plan.Step {
  /// Whether it acts on the device, and does not only wait for it or judge it.
  fileprivate var asksDevice: Bool {
    switch action {
    case .waitUntil, .expect: false
    default: true
    }
  }
}
