import CastClient
package import CastProtocol
import RunReporting
package import ScenarioLanguage

/// One watch from the first connection to its end: everything that happens comes in one stream and is handled in turn.
package actor WatchSession<Unreachable: Error> {
  /// What a watch needs of the world around it.
  package struct World: Sendable {
    /// Finds the device and connects to it; ends soon when it is cancelled.
    package var open: @Sendable () async -> Result<(device: FoundDevice, opened: OpenedDevice), Unreachable>
    /// How a device that was lost is found and reached again.
    package var access: DeviceAccess
    package var times: TimeSources
    /// The time of day, as people here read it.
    package var timeOfDay: @Sendable () -> String
    /// Numbers from 0 to 1, for the waits of reconnecting.
    package var random: @Sendable () -> Double

    package init(
      open: @escaping @Sendable () async -> Result<(device: FoundDevice, opened: OpenedDevice), Unreachable>,
      access: DeviceAccess, times: TimeSources, timeOfDay: @escaping @Sendable () -> String,
      random: @escaping @Sendable () -> Double
    ) {
      self.open = open
      self.access = access
      self.times = times
      self.timeOfDay = timeOfDay
      self.random = random
    }
  }

  /// How it ended.
  package enum End: Sendable {
    /// Somebody left it, or its time was over.
    case left
    case unreachable(Unreachable)
    /// Its time was over while the device was lost, and why it was not back.
    case lost(String)
  }

  private enum Input: Sendable {
    case opened(FoundDevice, OpenedDevice)
    case unreachable(Unreachable)
    /// Of the connection with this number.
    case observed([Observation], connection: Int)
    case keys([UInt8])
    case keyDue, tick, keysEnded
    case learned(DeviceInfo)
    case proven(AuthenticationFacts)
    case finished(StepFailure?)
    case progress(Reconnection.Progress)
    case back(FoundDevice, OpenedDevice)
    /// What plays on a new connection is known, or the device did not tell it in time.
    case joined
    case resized, continued, interrupted, timeIsUp
  }

  private let world: World
  private let timeouts: Plan.Timeouts
  private let limit: Duration?
  private let display: WatchDisplay
  private let inputs: AsyncStream<Input>
  private let inputQueue: AsyncStream<Input>.Continuation

  /// A connection whose app is being joined.
  private struct Joining {
    var watch: WatchStateMachine
    let opened: OpenedDevice
    /// How long the device was away; `nil` on the first connection.
    let away: Duration?
  }

  private var watch: WatchStateMachine?
  private var joining: Joining?
  private var connection: CastConnection?
  private var connectionNumber = 0
  private var observed = 0
  private var decoder = KeyDecoder()
  private var shown: [String] = []
  private var isTicking = false
  private var pace = ReturnPace()
  /// How it ended, once it has.
  private var end: End?
  /// What runs beside it, by number.
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var lastTask = 0

  /// - Parameters:
  ///   - timeouts: How long what keys ask for may take, and the device's replies.
  ///   - limit: How long it is watched once it is connected; `nil`: until somebody leaves.
  package init(_ world: World, timeouts: Plan.Timeouts, limit: Duration?, on display: WatchDisplay) {
    self.world = world
    self.timeouts = timeouts
    self.limit = limit
    self.display = display
    (inputs, inputQueue) = AsyncStream<Input>.makeStream()
  }

  // MARK: what others tell it

  /// The terminal has another size.
  package nonisolated func resize() { inputQueue.yield(.resized) }
  /// Somebody else had the terminal, and gives it back.
  package nonisolated func returnToForeground() { inputQueue.yield(.continued) }
  /// The user wants out.
  package nonisolated func interrupt() { inputQueue.yield(.interrupted) }

  // MARK: from begin to end

  /// Watches until it is over; the terminal is given back by then.
  package func run() async -> End {
    // Nobody waits for a device that is still looked for when the user has left.
    let opening = world.times.show.spawn { [world, inputQueue] in
      switch await world.open() {
      case .success(let (device, opened)): inputQueue.yield(.opened(device, opened))
      case .failure(let error): inputQueue.yield(.unreachable(error))
      }
    }
    for await input in inputs {
      await handle(input)
      if end == nil { draw() }
      if end != nil { break }
    }
    opening.cancel()
    // What is left of a screen goes before anything else is told.
    if case .screen(let terminal) = display { terminal.leave() }
    await endTasks()
    if let connection { await connection.disconnect() }
    return end ?? .left
  }

  private func handle(_ input: Input) async {
    switch input {
    case .opened(let device, let opened): await begin(device, opened)
    case .unreachable(let error): finish(.unreachable(error))
    case .observed(let observations, let number):
      if number == connectionNumber { await receive(observations) }
    case .keys(let bytes): press(decoder.receive(bytes, at: now))
    case .keyDue: press(decoder.timerFired(at: now))
    case .keysEnded: finish(.left)
    case .tick: isTicking = false
    case .learned(let info): watch?.learned(info)
    case .proven(let facts): receive(facts)
    case .finished(let failure):
      if let effects = watch?.finished(failure, at: now, clock: world.timeOfDay()) { perform(effects) }
    case .progress(let progress): report(progress)
    case .back(let device, let opened): await endLoss(device, opened)
    case .joined: await endJoin()
    case .resized: shown = []
    case .continued: resume()
    case .interrupted: finish(.left)
    case .timeIsUp: timeIsUp()
    }
  }

  private var now: Duration { world.times.show.now }

  /// The first end counts.
  private func finish(_ end: End) { self.end = self.end ?? end }

  /// Tells whoever reads lines; it is over where nobody does any more.
  private func tell(_ event: WatchEvent) {
    if case .lines(let reader) = display, !reader.tell(event) { finish(.left) }
  }

  // MARK: what runs beside it

  private func start(_ body: @escaping @Sendable () async -> Void) {
    lastTask += 1
    let number = lastTask
    tasks[number] = world.times.show.spawn {
      await body()
      await self.forget(number)
    }
  }

  private func forget(_ task: Int) { tasks[task] = nil }

  private func endTasks() async {
    let running = tasks.sorted { $0.key < $1.key }.map(\.value)
    for task in running { task.cancel() }
    for task in running { await task.value }
  }

  // MARK: the device

  private func begin(_ device: FoundDevice, _ opened: OpenedDevice) async {
    connection = opened.connection
    pace.connected(at: now)
    var watch = WatchStateMachine(
      device: device, authentication: opened.authentication, snapshot: await opened.connection.snapshot)
    let effects = watch.begin()
    join(Joining(watch: watch, opened: opened, away: nil), effects)
  }

  private func start(_ watch: WatchStateMachine, _ opened: OpenedDevice) {
    switch display {
    case .lines: tell(.connected(watch.device, watch.view(at: now), opened.authentication))
    case .screen(let terminal):
      terminal.enter()
      if terminal.takesKeys { readKeys(of: terminal) }
      // Not every device answers.
      start { [inputQueue] in
        if let info = try? await opened.connection.deviceInfo() { inputQueue.yield(.learned(info)) }
      }
    }
    if let limit {
      start { [inputQueue, world] in
        if (try? await world.times.show.sleep(for: limit)) != nil { inputQueue.yield(.timeIsUp) }
      }
    }
  }

  private func readKeys(of terminal: any WatchTerminal) {
    let keys = terminal.keys()
    start { [inputQueue] in
      for await bytes in keys { inputQueue.yield(.keys(bytes)) }
      if !Task.isCancelled { inputQueue.yield(.keysEnded) }
    }
  }

  /// Joins the app that runs, so that what it plays is known. Keys and signals are heard meanwhile: it may never answer.
  private func join(_ joining: Joining, _ effects: [WatchStateMachine.Effect]) {
    var joining = joining
    let opened = joining.opened
    warn(opened.authentication, &joining.watch)
    self.joining = joining
    if opened.authentication.isPending {
      start { [inputQueue] in
        if let report = await opened.connection.proof() { inputQueue.yield(.proven(AuthenticationFacts(report))) }
      }
    }
    start { [inputQueue] in
      for case .join(let session) in effects { await self.join(session, opened.connection) }
      inputQueue.yield(.joined)
    }
  }

  /// Shows what was found on the new connection, and listens to it from now on.
  private func endJoin() async {
    guard var joining else { return }
    connectionNumber += 1
    observed = await joining.opened.connection.lastObservation
    joining.watch.caughtUp(await joining.opened.connection.snapshot)
    watch = joining.watch
    self.joining = nil
    listen()
    if let away = joining.away {
      tell(.back(joining.watch.device, joining.watch.view(at: now), after: away))
    } else {
      start(joining.watch, joining.opened)
    }
  }

  private func receive(_ facts: AuthenticationFacts) {
    guard var proven = joining?.watch ?? watch else { return }
    proven.proven(facts)
    warn(facts, &proven)
    if joining != nil { joining?.watch = proven } else { watch = proven }
  }

  private nonisolated func join(_ session: AppSession, _ connection: CastConnection) async {
    // One that is gone by now, or does not answer, is seen as it is.
    _ = try? await connection.resume(session, playing: nil, until: world.times.show.now + timeouts.reply)
  }

  /// Asks for what comes next; one answer at a time, so that nothing piles up behind a terminal that is held.
  private func listen() {
    guard let connection else { return }
    start { [inputQueue, world, observed, connectionNumber] in
      let new = await connection.nextObservations(after: observed, until: world.times.show.now + .seconds(3600))
      if !Task.isCancelled { inputQueue.yield(.observed(new, connection: connectionNumber)) }
    }
  }

  private func receive(_ observations: [Observation]) async {
    guard var watch, let connection else { return }
    for observation in observations {
      observed = max(observed, observation.number)
      if observation.loss != nil || !observation.snapshot.isConnected {
        return recordLoss(observation.loss?.message ?? "the connection broke", at: observation.at)
      }
      if case .lines(let reader) = display {
        reader.observe(observation)
        let change = WatchChange(
          from: StatusView(watch.snapshot, at: observation.at),
          to: StatusView(observation.snapshot, at: observation.at),
          others: observation.others)
        tell(.changed(change))
      }
      perform(watch.observed(observation, clock: world.timeOfDay()))
      self.watch = watch
    }
    if observations.isEmpty, await !connection.snapshot.isConnected {
      return recordLoss("the connection broke", at: now)
    }
    listen()
  }

  private func perform(_ effects: [WatchStateMachine.Effect]) {
    for effect in effects {
      switch effect {
      case .leave: finish(.left)
      case .redraw: shown = []
      case .suspend: suspend()
      case .join(let session):
        guard let connection else { break }
        start { await self.join(session, connection) }
      case .run(let command):
        guard let connection, let watch else { break }
        let remote = RemotePerformer(device: watch.device, timeouts: timeouts, times: world.times)
        start { [inputQueue] in
          do throws(StepFailure) {
            try await remote.perform(command, over: connection)
            inputQueue.yield(.finished(nil))
          } catch {
            inputQueue.yield(.finished(error))
          }
        }
      }
    }
  }

  // MARK: losing it

  private func recordLoss(_ reason: String, at time: Duration) {
    guard let device = watch?.device else { return }
    connection = nil
    connectionNumber += 1
    let pause = pace.wait(afterLossAt: time) ?? .zero
    watch?.lost(reason, at: now, clock: world.timeOfDay(), nextTry: pause > .zero ? now + pause : nil)
    tell(.lost(reason, nextIn: pause))
    start { [inputQueue, world] in
      if pause > .zero, (try? await world.times.network.sleep(for: pause)) == nil { return }
      let (access, times) = (world.access, world.times)
      let reconnection = Reconnection(
        times: times, random: world.random,
        reappearance: { await access.waitUntilSeenAgain(device, on: times.network) },
        report: { inputQueue.yield(.progress($0)) })
      // For years: whoever watches decides how long.
      let end = times.show.now + .seconds(100_000_000)
      let found = try? await reconnection.run(until: end) { () throws(ClientError) in
        var moved = device
        moved.address = (try? await access.resolve(device, .seconds(2))) ?? device.address
        let opened = try await access.connect(moved, nil)
        if Task.isCancelled {
          await opened.connection.disconnect(abruptly: true)
          throw ClientError(.connectionLost, "stopped")
        }
        return (moved, opened)
      }
      if let (device, opened) = found { inputQueue.yield(.back(device, opened)) }
    }
  }

  private func report(_ progress: Reconnection.Progress) {
    switch progress {
    case .trying(let number): watch?.trying(number)
    case .failed(let number, let error, let nextIn):
      watch?.failed(number, error.message, nextAt: now + nextIn)
      tell(.failed(number, error.message, nextIn: nextIn))
    }
  }

  private func endLoss(_ device: FoundDevice, _ opened: OpenedDevice) async {
    guard var watch else { return }
    connection = opened.connection
    pace.connected(at: now)
    let (effects, away) = watch.back(
      await opened.connection.snapshot, on: device, authentication: opened.authentication, at: now,
      clock: world.timeOfDay())
    join(Joining(watch: watch, opened: opened, away: away), effects)
  }

  /// That a device gave no proof at all is no news: receivers in software have none.
  private func warn(_ facts: AuthenticationFacts, _ watch: inout WatchStateMachine) {
    let doubt = facts.doubt.map { ["the device is not authenticated: \($0)"] } ?? []
    for text in doubt + facts.keyNotes.map(\.text) {
      switch display {
      case .screen: watch.warn(text, clock: world.timeOfDay())
      case .lines: tell(.warning(text))
      }
    }
  }

  // MARK: the person

  private func press(_ keys: [TerminalKey]) {
    for key in keys {
      guard let effects = watch?.pressed(key, at: now, clock: world.timeOfDay()) else { return }
      perform(effects)
    }
    if let deadline = decoder.deadline {
      start { [inputQueue, world] in
        if (try? await world.times.show.sleep(until: deadline)) != nil { inputQueue.yield(.keyDue) }
      }
    }
  }

  private func suspend() {
    guard case .screen(let terminal) = display else { return }
    terminal.leave()
    terminal.stop()
    resume()
  }

  /// Takes the terminal again after somebody else had it.
  private func resume() {
    guard watch != nil, case .screen(let terminal) = display else { return }
    terminal.enter()
    shown = []
  }

  private func timeIsUp() {
    guard case .lost(_, let reason, _, _, let failure)? = watch?.link else { return finish(.left) }
    finish(.lost(failure ?? reason))
  }

  // MARK: drawing

  private func draw() {
    guard case .screen(let terminal) = display, let watch else { return }
    let size = terminal.size
    let lines = WatchScreen.lines(
      watch, at: now, size: size, color: terminal.usesColor, hasKeys: terminal.takesKeys)
    if lines != shown {
      shown = lines
      if !terminal.draw(lines, rows: size.rows) { finish(.left) }
    }
    guard watch.isMoving, !isTicking else { return }
    isTicking = true
    // Often enough for a clock that shows seconds.
    start { [inputQueue, world] in
      if (try? await world.times.show.sleep(for: .milliseconds(200))) != nil { inputQueue.yield(.tick) }
    }
  }
}
