package import CastProtocol
package import RunReporting
package import ScenarioLanguage

/// Does what a command asks of one device: its parts one after the other, on whatever runs there, within its time.
package actor CommandPerformer {
  package nonisolated let device: DeviceSession
  /// Another device that the command has to do with, once it is found.
  package private(set) var other: DeviceSession?

  private let policies: SessionPolicies
  private let times: TimeSources
  private let owner: CommandOwner
  private let makeSession: @Sendable (_ number: Int, _ selector: Plan.DeviceSelector) -> DeviceSession
  private let willOnlyWatch: @Sendable () -> Void
  private var mark: DeviceMark?
  /// The item that a queue was loaded with first.
  private var firstItem: Int?
  /// What the parts came to.
  private var failure: StepFailure?

  /// - Parameters:
  ///   - selector: What the device was found by.
  ///   - random: Numbers from 0 to 1, for the waits of reconnecting.
  ///   - willOnlyWatch: Called where a part only waits for what the device does by itself, such as the end of a film:
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
    self.times = times
    self.owner = owner
    self.willOnlyWatch = willOnlyWatch
  }

  private var now: Duration { times.show.now }

  private func scope(until deadline: Duration) -> ActionScope {
    var scope = ActionScope(deadline: deadline, caller: owner)
    scope.mark = mark
    return scope
  }

  /// Takes the device that was found, connects to it, and joins what runs there.
  /// - Returns: Why that failed.
  package func connect(_ found: FoundDevice) async -> StepFailure? {
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

  /// Does all that the command says; cancelling the caller ends it.
  /// - Returns: Why something was not done, or why it ended before its time.
  package func perform(_ command: DeviceCommand) async -> StepFailure? {
    let timer = (command.limitIsForAll ? command.limit : nil).map { limit in
      times.show.spawn { [times, owner] in
        do { try await times.show.sleep(for: limit) } catch { return }
        owner.stop(StepFailure(.timeout, "the command's \(limit.spelled) were over"))
      }
    }
    let running = await device.link.snapshot.receiver?.application?.appID
    owner.begin()
    await device.catchUp()
    await device.startWatching()
    let doing = times.show.spawn(on: device.executor) { await self.run(command) }
    owner.note(doing)
    await withTaskCancellationHandler {
      await doing.value
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
    // The only expectation of commands: that what plays ends by itself.
    guard failure?.errorClass == .expectation else { return failure }
    await device.catchUp()
    let view = StatusView(await device.link.snapshot, at: now)
    return StepFailure(endOfPlay: view, in: command.loadedApp ?? running)
  }

  /// Leaves the devices as they are.
  package func leave() async {
    await device.leave()
    await other?.leave()
  }

  // MARK: parts

  private func run(_ command: DeviceCommand) async {
    for (index, part) in command.parts.enumerated() {
      // Nothing new is begun before it is known whose the device is.
      if owner.endsOnLoss { await device.settleLoss(scope(until: now)) }
      failure = owner.cause
      if failure != nil { return }
      if case .waitForTheEnd = part { willOnlyWatch() }
      failure = await tries(of: part, within: command.limit(of: index, policies.timeouts))
      if failure != nil { return }
    }
  }

  /// Tries once; what is watched to its end is watched on over a new connection, as often as it takes.
  private func tries(of part: DeviceCommand.Part, within limit: Duration) async -> StepFailure? {
    await device.catchUp(scope(until: now))
    var most = 1
    if case .waitForTheEnd = part { most = Self.mostTries } else { mark = await device.mark() }
    var number = 1
    while true {
      let failure = await attempt(part, number, within: limit)
      if let cause = owner.cause { return cause }
      guard failure?.errorClass == .connectionLost, number < most else { return failure }
      number += 1
      try? await times.show.sleep(for: Self.retryWait)
      if let cause = owner.cause { return cause }
    }
  }

  private static let mostTries = 1_000
  private static let retryWait = Duration.seconds(1)

  private func attempt(
    _ part: DeviceCommand.Part, _ number: Int, within limit: Duration
  ) async -> StepFailure? {
    var scope = scope(until: now + limit)
    scope.attempt = number
    do {
      // Nobody at a prompt waits for the length of a film.
      if number > 1, await device.isLost {
        try await device.makeReachable(until: min(scope.deadline, now + policies.timeouts.step))
      }
      try await perform(part, scope)
      return nil
    } catch {
      return await device.cause(of: error, scope)
    }
  }

  private func perform(_ part: DeviceCommand.Part, _ scope: ActionScope) async throws(StepFailure) {
    switch part {
    case .action(let action):
      try await device.perform(action, in: scope)
      guard case .queueLoad = action else { return }
      await device.catchUp(self.scope(until: now))
      firstItem = await device.view(since: mark).media?.currentItemID
    case .insertBeforeFirst(let items):
      guard let firstItem else {
        throw StepFailure(.invalidState, "the device does not tell the number of the item that plays")
      }
      try await device.perform(.queueInsert(items: items, before: .number(firstItem)), in: scope)
    case .transfer(let selector, let stopsSource):
      try await device.transfer(stopsSource: stopsSource, scope) { () throws(StepFailure) in
        try await self.join(selector, scope)
      }
    case .waitForTheEnd:
      try await device.wait(for: Self.isOver, scope)
      let isItsOwn = Plan.ExpectAction(condition: Self.hasFinished, within: .zero)
      let verdict = try await device.judge(isItsOwn, scope)
      if verdict.outcome != .passed {
        throw StepFailure(.expectation, "observed \(WantText.values(verdict.got))")
      }
    }
  }

  private static let isOver = condition("player", "idle")
  private static let hasFinished = condition("idle_reason", "finished")

  private static func condition(_ field: String, _ word: String) -> Condition {
    .field(FieldPath([field]), .equals(.init(.literal(.string(word)))), span: SourceSpan.ofCommandLine)
  }

  // MARK: the other device

  /// The device that goes on with what plays, connected.
  private func join(_ selector: Plan.DeviceSelector, _ scope: ActionScope) async throws(StepFailure) -> TransferTarget {
    let found = try await device.find(
      selector, within: min(policies.timeouts.discover, max(.zero, scope.deadline - now)))
    if device.device?.isSame(as: found) == true { return TransferTarget(session: device, scope: scope) }
    let session = makeSession(1, selector)
    other = session
    let name = DeviceName.name(of: found, selector: selector).unique(among: [device.name])
    try await session.join(found, called: name, scope.elsewhere)
    return TransferTarget(session: session, scope: scope.elsewhere)
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
