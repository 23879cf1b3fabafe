import CastClient
import CastProtocol
import Glibc
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Synchronization
import UnixSignals
import Workspace

/// One watch from the first connection to its end: everything that happens comes in one stream and is handled in turn.
final class WatchSession {
  /// How it is told.
  enum Manner {
    case screen(takesKeys: Bool, color: Bool)
    case lines(WatchOutput)
  }

  /// How to find the device, and how long to watch it.
  struct Wish: Sendable {
    var device: DeviceOptions
    var settings: Settings
    var client: ClientConfiguration
    /// `nil`: until somebody ends it.
    var limit: Duration?
  }

  private enum Input: Sendable {
    case opened(FoundDevice, OpenedDevice)
    case unreachable(CommandFailure)
    /// Of the connection with this number.
    case observed([Observation], connection: Int)
    case keys([UInt8])
    case keyDue, tick, keysEnded
    case learned(DeviceInfo)
    case proven(AuthenticationFacts)
    case finished(StepFailure?)
    case progress(Reconnection.Progress)
    case back(FoundDevice, OpenedDevice)
    case signal(UnixSignal)
    case interrupted
    case timeIsUp
  }

  private let wish: Wish
  private let manner: Manner
  private let times = TimeSources(show: TimeSource(ContinuousClock()))
  private let inputs: AsyncStream<Input>
  private let door: AsyncStream<Input>.Continuation
  private let tasks = TaskBag()

  private var watch: WatchStateMachine?
  private var connection: CastConnection?
  private var connectionNumber = 0
  private var observed = 0
  private var decoder = KeyDecoder()
  private var shown: [String] = []
  private var isTicking = false
  private var isOver = false
  /// Why it ended, where that is a failure.
  private var failure: CommandFailure?

  init(_ wish: Wish, _ manner: Manner) {
    self.wish = wish
    self.manner = manner
    (inputs, door) = AsyncStream<Input>.makeStream()
  }

  /// Watches until it is over.
  func run() async throws(CommandFailure) {
    let signals = await UnixSignalsSequence(trapping: .sigwinch, .sigcont)
    let count = Atomic(0)
    await SignalWatch.begin { [door] _ in
      door.yield(.interrupted)
      // Whoever asks twice does not want to wait for a reader that does not read.
      guard count.add(1, ordering: .relaxed).newValue == 2 else { return }
      ScreenTerminal.leaveNow()
      _exit(0)
    }
    // Nobody waits for a device that is still looked for when the user has left.
    let opening = Task { [wish, times, door] in
      do throws(CommandFailure) {
        let (device, opened) = try await wish.device.connect(wish.settings, times: times, configuration: wish.client)
        door.yield(.opened(device, opened))
      } catch {
        door.yield(.unreachable(error))
      }
    }
    tasks.add { [door] in
      for await signal in signals { door.yield(.signal(signal)) }
    }
    for await input in inputs {
      await handle(input)
      if isOver { break }
      draw()
    }
    opening.cancel()
    // What is left of a screen goes before anything else is told.
    ScreenTerminal.leave()
    await tasks.end()
    if let connection { await connection.disconnect() }
    if let failure { throw failure }
  }

  private func handle(_ input: Input) async {
    switch input {
    case .opened(let device, let opened): await begin(device, opened)
    case .unreachable(let error): end(error)
    case .observed(let observations, let number):
      if number == connectionNumber { await take(observations) }
    case .keys(let bytes): press(decoder.receive(bytes, at: now))
    case .keyDue: press(decoder.timerFired(at: now))
    case .keysEnded: isOver = true
    case .tick: isTicking = false
    case .learned(let info): watch?.learned(info)
    case .proven(let facts):
      guard var proven = watch else { break }
      proven.proven(facts)
      warn(facts, &proven)
      watch = proven
    case .finished(let problem):
      if let effects = watch?.finished(problem, at: now, clock: Terminal.timeOfDay) { perform(effects) }
    case .progress(let progress): tell(progress)
    case .back(let device, let opened): await comeBack(device, opened)
    case .signal(let signal): take(signal)
    case .interrupted: isOver = true
    case .timeIsUp: timeIsUp()
    }
  }

  private var now: Duration { times.show.now }

  private func end(_ failure: CommandFailure) {
    self.failure = self.failure ?? failure
    isOver = true
  }

  /// Whoever reads the lines went away.
  private func goOn(_ isRead: Bool) { if !isRead { isOver = true } }

  // MARK: the device

  private func begin(_ device: FoundDevice, _ opened: OpenedDevice) async {
    connection = opened.connection
    var watch = WatchStateMachine(
      device: device, authentication: opened.authentication, snapshot: await opened.connection.snapshot)
    await follow(opened, watch.begin(), &watch)
    self.watch = watch
    switch manner {
    case .lines(let output): goOn(output.connected(state(watch), opened.authentication))
    case .screen(let takesKeys, _):
      ScreenTerminal.enter(takesKeys: takesKeys)
      if takesKeys { readKeys() }
      // Not every device answers.
      tasks.add { [door] in
        if let info = try? await opened.connection.deviceInfo() { door.yield(.learned(info)) }
      }
    }
    if let limit = wish.limit {
      tasks.add { [door, times] in
        if (try? await times.show.sleep(for: limit)) != nil { door.yield(.timeIsUp) }
      }
    }
  }

  private func readKeys() {
    let keys = KeyReader.bytes()
    tasks.add { [door] in
      for await bytes in keys { door.yield(.keys(bytes)) }
      if !Task.isCancelled { door.yield(.keysEnded) }
    }
  }

  /// Joins the app that runs, so that what it plays is known, and listens from then on.
  private func follow(
    _ opened: OpenedDevice, _ effects: [WatchStateMachine.Effect], _ watch: inout WatchStateMachine,

  ) async {
    warn(opened.authentication, &watch)
    if opened.authentication.isPending {
      tasks.add { [door] in
        if let report = await opened.connection.proof() { door.yield(.proven(AuthenticationFacts(report))) }
      }
    }
    for case .join(let session) in effects { await Self.join(session, opened.connection, wish.settings, times) }
    connectionNumber += 1
    observed = await opened.connection.lastObservation
    watch.caughtUp(await opened.connection.snapshot)
    listen()
  }

  private static func join(
    _ session: AppSession, _ connection: CastConnection, _ settings: Settings, _ times: TimeSources
  ) async {
    // One that is gone by now, or does not answer, is seen as it is.
    _ = try? await connection.resume(
      session, playing: nil, until: times.show.now + settings.timeouts.reply)
  }

  /// Asks for what comes next; one answer at a time, so that nothing piles up behind a terminal that is held.
  private func listen() {
    guard let connection else { return }
    tasks.add { [door, times, observed, connectionNumber] in
      let new = await connection.nextObservations(after: observed, until: times.show.now + .seconds(3600))
      if !Task.isCancelled { door.yield(.observed(new, connection: connectionNumber)) }
    }
  }

  private func take(_ observations: [Observation]) async {
    guard var watch, let connection else { return }
    for observation in observations {
      observed = max(observed, observation.number)
      if observation.loss != nil || !observation.snapshot.isConnected {
        return lose(observation.loss?.message ?? "the connection broke")
      }
      if case .lines(let output) = manner {
        let change = WatchChange(
          from: StatusView(watch.snapshot, at: observation.at),
          to: StatusView(observation.snapshot, at: observation.at),
          others: observation.others)
        goOn(output.changed(change))
      }
      perform(watch.observed(observation, clock: Terminal.timeOfDay))
      self.watch = watch
    }
    if observations.isEmpty, await !connection.snapshot.isConnected {
      return lose("the connection broke")
    }
    listen()
  }

  private func perform(_ effects: [WatchStateMachine.Effect]) {
    guard let connection, let watch else { return }
    for effect in effects {
      switch effect {
      case .leave: isOver = true
      case .redraw: shown = []
      case .suspend:
        ScreenTerminal.leave()
        ScreenTerminal.stopProcess()
        resume()
      case .join(let session):
        tasks.add { [wish, times] in await Self.join(session, connection, wish.settings, times) }
      case .run(let command):
        let remote = RemotePerformer(device: watch.device, timeouts: wish.settings.timeouts, times: times)
        tasks.add { [door] in
          do throws(StepFailure) {
            try await remote.perform(command, over: connection)
            door.yield(.finished(nil))
          } catch {
            door.yield(.finished(error))
          }
        }
      }
    }
  }

  // MARK: losing it

  private func lose(_ reason: String) {
    guard let device = watch?.device else { return }
    connection = nil
    connectionNumber += 1
    watch?.lost(reason, at: now, clock: Terminal.timeOfDay)
    if case .lines(let output) = manner { goOn(output.lost(reason)) }
    let access = LiveDevices.access(times: times, configuration: wish.client)
    tasks.add { [door, times] in
      let reconnection = Reconnection(
        times: times, random: { Double.random(in: 0...1) },
        sighting: { await access.sighting(of: device, on: times.network) }, report: { door.yield(.progress($0)) })
      let found = try? await reconnection.run(until: times.show.now + .seconds(Self.patience)) {
        () throws(ClientError) in
        var moved = device
        moved.address = (try? await access.resolve(device, .seconds(2))) ?? device.address
        let opened = try await access.connect(moved, nil)
        if Task.isCancelled {
          await opened.connection.disconnect(abruptly: true)
          throw ClientError(.connectionLost, "stopped")
        }
        return (moved, opened)
      }
      if let (device, opened) = found { door.yield(.back(device, opened)) }
    }
  }

  /// For years: whoever watches decides how long.
  private static let patience = 100_000_000

  private func tell(_ progress: Reconnection.Progress) {
    switch progress {
    case .trying(let number): watch?.trying(number)
    case .failed(let number, let error, let nextIn):
      watch?.failed(number, error.message, nextAt: now + nextIn)
      if case .lines(let output) = manner { goOn(output.failed(number, error.message, nextIn: nextIn)) }
    }
  }

  private func comeBack(_ device: FoundDevice, _ opened: OpenedDevice) async {
    guard var watch else { return }
    connection = opened.connection
    let (effects, away) = watch.back(
      await opened.connection.snapshot, on: device, authentication: opened.authentication, at: now,
      clock: Terminal.timeOfDay)
    await follow(opened, effects, &watch)
    self.watch = watch
    if case .lines(let output) = manner { goOn(output.back(state(watch), after: away)) }
  }

  private func state(_ watch: WatchStateMachine) -> DeviceState {
    DeviceState(device: watch.device, view: watch.view(at: now))
  }

  /// That a device gave no proof at all is no news: receivers in software have none.
  private func warn(_ facts: AuthenticationFacts, _ watch: inout WatchStateMachine) {
    guard let problem = facts.doubt else { return }
    let text = "the device is not authenticated: \(problem)"
    switch manner {
    case .screen: watch.warn(text, clock: Terminal.timeOfDay)
    case .lines: Terminal.say("warning: \(TerminalText.escaped(text))")
    }
  }

  // MARK: the person

  private func press(_ keys: [TerminalKey]) {
    for key in keys {
      guard let effects = watch?.pressed(key, at: now, clock: Terminal.timeOfDay) else { return }
      perform(effects)
    }
    if let deadline = decoder.deadline {
      tasks.add { [door, times] in
        if (try? await times.show.sleep(until: deadline)) != nil { door.yield(.keyDue) }
      }
    }
  }

  private func take(_ signal: UnixSignal) {
    switch signal {
    case .sigwinch: shown = []
    case .sigcont: resume()
    default: break
    }
  }

  /// Takes the terminal again after somebody else had it.
  private func resume() {
    guard watch != nil, case .screen(let takesKeys, _) = manner else { return }
    ScreenTerminal.enter(takesKeys: takesKeys)
    shown = []
  }

  private func timeIsUp() {
    guard case .lost(_, let reason, _, _, let failure)? = watch?.link else {
      isOver = true
      return
    }
    let told = CommandFailure(
      .failed, "the device was lost and did not come back: \(failure ?? reason)",
      help: "without --timeout it is waited for", class: .connectionLost)
    end(told)
  }

  // MARK: drawing

  private func draw() {
    guard case .screen(let takesKeys, let color) = manner, let watch else { return }
    let size = ScreenTerminal.size
    let lines = WatchScreen.lines(watch, at: now, size: size, color: color, hasKeys: takesKeys)
    if lines != shown {
      shown = lines
      goOn(StandardStream.output.write(ScreenTerminal.drawing(lines, rows: size.rows)) == nil)
    }
    guard watch.isMoving, !isTicking else { return }
    isTicking = true
    tasks.add { [door, times] in
      if (try? await times.show.sleep(for: Self.tick)) != nil { door.yield(.tick) }
    }
  }

  /// Often enough for a clock that shows seconds.
  private static let tick = Duration.milliseconds(200)
}
