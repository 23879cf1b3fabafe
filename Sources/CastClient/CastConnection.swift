package import CastProtocol
package import CastTransport
import Synchronization

/// One connection to one device: the sender's side of every virtual connection on it.
///
/// All rules are in ``ConnectionStateMachine``. It is fed where the bytes arrive, under a lock, and a waiting caller is
/// resumed from there: a round trip costs one thread change each way. Methods run in the caller's context.
package final class CastConnection: Sendable {
  private typealias Moment = ConnectionStateMachine.Moment
  private typealias Outcome = Result<OperationEffect.Outcome, ClientError>

  /// Somebody suspended in a call.
  private enum Waiter {
    case outcome(CheckedContinuation<Outcome, Never>)
    case observations(CheckedContinuation<[Observation], Never>)
  }

  /// An effect with the continuation it resumes already found.
  private enum Work {
    case effect(ConnectionStateMachine.Effect)
    case resume(CheckedContinuation<Outcome, Never>, Outcome)
    case observed(CheckedContinuation<[Observation], Never>, [Observation])
  }

  private struct State {
    var machine: ConnectionStateMachine
    var waiters: [Int: Waiter] = [:]
    var lastToken = 0
    /// What is done where the input came from.
    var work = EffectPump<Work>()
    /// What readers are told, and callers to resume after it; a task of its own does both.
    var news = EffectPump<Work>()
    /// How many messages were passed over since who reads them fell behind.
    var droppedRecords = 0
    var networkAlarm = Alarm()
    var showAlarm = Alarm()
  }

  private let state: Mutex<State>
  private let channel: any ByteChannel
  private let times: TimeSources
  private let rules: AuthenticationRules?
  private let hasVideoOutput: Bool?
  private let closedWhenAsked: (@Sendable () -> Void)?
  private let wireTap: WireTap?
  private let log: ConnectionLog
  /// Whether anybody is told of messages. Callers are then resumed only after readers were told what came before.
  private let isTold: Bool
  /// Where tasks that follow this connection run best: on the thread that delivers, without a change of threads for each
  /// status. Only for what never blocks; `nil` in memory.
  package let executor: (any TaskExecutor)?

  /// Takes over an open channel; nothing is sent before ``open()``.
  package init(channel: any ByteChannel, times: TimeSources, configuration: ClientConfiguration) {
    self.channel = channel
    self.times = times
    rules = configuration.authentication
    hasVideoOutput = configuration.hasVideoOutput
    closedWhenAsked = configuration.closedWhenAsked
    wireTap = configuration.wireTap
    log = ConnectionLog(peer: configuration.peer, tapsHeartbeat: configuration.tapsHeartbeat)
    executor = channel.executor
    isTold = if case .told? = wireTap { true } else { log.isTracing }
    let now = Moment(network: times.network.now, show: times.show.now)
    state = Mutex(
      State(
        machine: ConnectionStateMachine(
          configuration: configuration, at: now, isTraced: wireTap != nil || isTold,
          tracesHeartbeat: configuration.tapsHeartbeat || log.isTracingHeartbeat)))
  }

  deinit {
    state.withLock { state in
      state.networkAlarm.cancel()
      state.showAlarm.cancel()
    }
    channel.abort()
  }

  /// CONNECT to the platform, GET_STATUS, heartbeat from now on; returns when the first RECEIVER_STATUS has come, and the
  /// device's proof where one is required. One that is only reported may come later: see ``proof()``.
  /// - Throws: `auth` where proof is required and there is none; nothing but the challenge was sent then.
  package func open() async throws(ClientError) {
    let exchange = makeExchange()
    _ = try await perform { $0.open(exchange, token: $1) }.get()
    log.opened()
  }

  /// Instead of ``open()``: asks for the device's proof and for nothing else.
  /// - Returns: What it is worth; `nil` where the configuration asks for none.
  package func authenticate() async throws(ClientError) -> DeviceAuthReport? {
    guard let exchange = makeExchange() else { return nil }
    let outcome = await perform { $0.open(exchange, connects: false, token: $1) }
    guard case .opened(let report) = try outcome.get() else { throw Self.wrongOutcome }
    return report
  }

  /// What the device's proof was worth when the connection was opened; `nil`: none was asked.
  package var authentication: DeviceAuthReport? {
    get async { state.withLock { $0.machine.proof.report } }
  }

  /// Waits for a proof that was not there when the connection was opened, and no longer than for any proof.
  /// - Returns: What it is worth; `nil` where none was asked, or the connection ended first.
  package func proof() async -> DeviceAuthReport? {
    let outcome = await perform { machine, token in machine.awaitProof(token: token) }
    guard case .success(.opened(let report)) = outcome else { return nil }
    return report
  }

  /// A challenge of its own for this connection.
  private func makeExchange() -> AuthenticationExchange? {
    rules.flatMap {
      AuthenticationExchange($0, tlsCertificate: channel.peerCertificateDER, hasVideoOutput: hasVideoOutput)
    }
  }

  /// The protocol of the channel, such as `TLSv1.3`; `nil` in memory.
  package var securityProtocol: String? { channel.securityProtocol }

  // MARK: status

  /// The merged state as of now.
  package var snapshot: DeviceSnapshot {
    get async { state.withLock { $0.machine.snapshot } }
  }

  /// The number of the newest observation; 0 before the first.
  package var lastObservation: Int {
    get async { state.withLock { $0.machine.history.lastNumber } }
  }

  /// What was seen after observation `number`, oldest first, as far as the history reaches.
  package func observations(after number: Int) async -> [Observation] {
    state.withLock { $0.machine.history.observations(after: number) }
  }

  /// Forgets what was seen up to observation `number`: the caller, who has the connection to itself, will not ask for it.
  package func forgetObservations(through number: Int) {
    state.withLock { $0.machine.history.forget(through: number) }
  }

  /// Waits for something newer than observation `number`; empty when show time `deadline` passed first or the task was
  /// cancelled.
  ///
  /// After the connection is lost returns at once with what there is (its last observation has scope `connection`), then
  /// empty.
  package func nextObservations(after number: Int, until deadline: Duration) async -> [Observation] {
    let token = state.withLock { state in
      state.lastToken += 1
      return state.lastToken
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        feed { state in
          state.waiters[token] = .observations(continuation)
          state.machine.watch(after: number, until: deadline, token: token)
        }
        if Task.isCancelled { cancel(token) }
      }
    } onCancel: {
      cancel(token)
    }
  }

  // MARK: the platform

  /// Makes `appID` the running app and connects to it; ends with a status that lists it with its namespaces.
  ///
  /// Follows LAUNCH_STATUS; extends to 2 minutes while a person is asked. An app that runs is told the language and the
  /// parameters, too. `deadline` is show time.
  /// - Parameters:
  ///   - supportedAppTypes: `WEB`, `ANDROID_TV`; `nil` leaves it to the device.
  ///   - needsMedia: Whether something is to be played there: an app without media is refused then.
  package func launch(
    _ appID: String, language: String? = nil, appParams: JSONValue? = nil, supportedAppTypes: [String]? = nil,
    join: JoinPolicy, needsMedia: Bool = false, until deadline: Duration
  ) async throws(ClientError) -> AppSession {
    let request = LaunchStateMachine.Request(
      appID: appID, language: language, appParams: appParams, supportedAppTypes: supportedAppTypes, join: join,
      needsMedia: needsMedia)
    let outcome = await perform { $0.launch(request, token: $1, until: deadline) }
    guard case .session(let session) = try outcome.get() else { throw Self.wrongOutcome }
    return session
  }

  /// Takes up `session` again on this new connection: connects to the app if it still runs and asks what it plays.
  /// - Parameter mediaSession: What was playing there for us.
  /// - Throws: `app_gone` where nothing runs, `taken_over` where another sender's app or media does.
  package func resume(
    _ session: AppSession, playing mediaSession: Int?, until deadline: Duration
  ) async throws(ClientError) -> AppSession {
    let outcome = await perform {
      $0.resume(session, playing: mediaSession, token: $1, until: deadline)
    }
    guard case .session(let session) = try outcome.get() else { throw Self.wrongOutcome }
    return session
  }

  /// Stops the app; returns when a status no longer lists its session.
  package func stopApp(_ session: AppSession, until deadline: Duration) async throws(ClientError) {
    _ = try await perform { $0.stopApp(session, token: $1, until: deadline) }.get()
  }

  /// Sets the device's volume; `level` is 0 to 1. Returns when a status shows it within one of the device's steps.
  /// - Throws: `refused_locally` where the device's volume is fixed.
  package func setVolume(level: Double?, muted: Bool?, until deadline: Duration) async throws(ClientError) {
    _ = try await perform { $0.setVolume(level: level, muted: muted, token: $1, until: deadline) }.get()
  }

  /// Asks the platform for its status; the answer is an observation marked `polled`.
  /// - Parameter deadline: Show time; `nil`: as long as any reply.
  package func refreshReceiver(until deadline: Duration? = nil) async throws(ClientError) {
    _ = try await perform { $0.refreshReceiver(until: deadline, token: $1) }.get()
  }

  /// Which of these apps the device can run.
  package func availableApps(of appIDs: [String]) async throws(ClientError) -> Set<String> {
    let outcome = await perform { $0.inquire(.receiver(.getAppAvailability(appIDs: appIDs)), token: $1) }
    guard case .answer(.receiver(.appAvailability(_, let apps))) = try outcome.get() else { throw Self.wrongOutcome }
    return Set(apps.filter { $0.isAvailable && appIDs.contains($0.appID) }.map(\.appID))
  }

  /// What the device says of itself; many do not answer.
  /// - Parameter limit: `nil`: as long as any reply.
  package func deviceInfo(within limit: Duration? = nil) async throws(ClientError) -> DeviceInfo {
    let outcome = await perform { $0.inquire(.deviceInfo, within: limit, token: $1) }
    guard case .answer(.deviceInfo(let info)) = try outcome.get() else { throw Self.wrongOutcome }
    return info
  }

  /// The members of a group with their volumes; of a single device itself, or the groups it is in.
  ///
  /// What changes from then on is in ``DeviceSnapshot/multizone``. Many devices do not answer.
  /// - Parameter limit: `nil`: as long as any reply.
  package func members(within limit: Duration? = nil) async throws(ClientError) -> [MultizoneStatus.Device] {
    let outcome = await perform { $0.inquire(.members, within: limit, token: $1) }
    guard case .answer(.multizone(.status(_, let status?))) = try outcome.get() else { throw Self.wrongOutcome }
    return status.devices
  }

  // MARK: the end

  /// CLOSE to app and platform, then the socket; returns when it is closed. `abruptly` drops TCP without a word.
  package func disconnect(abruptly: Bool = false) async {
    _ = await perform { $0.disconnect(abruptly: abruptly, token: $1) }
  }

  // MARK: the machine and its effects

  /// How many things to do may wait before messages are no longer told.
  static let backlogLimit = 1024
  static let wrongOutcome = ClientError(.protocol, "the operation ended without its result")

  /// Begins an operation and waits for its outcome.
  func perform(
    _ begin: (inout ConnectionStateMachine, _ token: Int) -> Void
  ) async -> Result<OperationEffect.Outcome, ClientError> {
    let token = state.withLock { state in
      state.lastToken += 1
      return state.lastToken
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        feed { state in
          state.waiters[token] = .outcome(continuation)
          begin(&state.machine, token)
        }
        if Task.isCancelled { cancel(token) }
      }
    } onCancel: {
      cancel(token)
    }
  }

  /// Ends a wait; the only thing a cancellation does.
  private func cancel(_ token: Int) { feed { state in state.machine.cancel(token: token) } }

  /// The one door: gives the machine an input and performs what it asks.
  ///
  /// Effects are performed outside the lock, because a channel may call back at once, and by one thread at a time, so
  /// that bytes leave in the machine's order.
  ///
  /// Not to be inlined: what is needed here would take room in the frame of every caller that then waits.
  @inline(never)
  private func feed(_ input: (inout State) -> Void) {
    let (isOurs, tells) = state.withLock { state in
      let now = times.network.now
      state.machine.noteTime(Moment(network: now, show: times.areOne ? now : times.show.now))
      input(&state)
      collect(&state)
      arm(&state)
      return (state.work.begin(), state.news.begin())
    }
    if tells { times.show.spawn { [self] in tell() } }
    if isOurs { performWork() }
  }

  private func collect(_ state: inout State) {
    for effect in state.machine.takeEffects() {
      switch effect {
      case .finish(let token, let outcome):
        if case .outcome(let continuation)? = state.waiters.removeValue(forKey: token) {
          resume(.resume(continuation, outcome), &state)
        }
      case .observed(let token, let observations):
        if case .observations(let continuation)? = state.waiters.removeValue(forKey: token) {
          resume(.observed(continuation, observations), &state)
        }
      case .foreignChanges where !log.tellsForeignChanges: break
      case .tap(let record):
        if case .kept(let keep)? = wireTap, log.isForTap(record) { keep(record) }
        if isTold { tellLater(effect, &state) }
      case .foreignChanges: tellLater(effect, &state)
      case .lost, .odd: state.news.waiting.append(.effect(effect))
      case .start, .send, .close, .abort, .closedWhenAsked, .judge: state.work.waiting.append(.effect(effect))
      }
    }
  }

  /// Drops the effect where too many wait: a slow reader must not fill the memory.
  private func tellLater(_ effect: ConnectionStateMachine.Effect, _ state: inout State) {
    if state.news.waiting.count < Self.backlogLimit {
      state.news.waiting.append(.effect(effect))
    } else {
      state.droppedRecords += 1
    }
  }

  /// Behind what is told of before, where anybody reads along.
  private func resume(_ work: Work, _ state: inout State) {
    if isTold { state.news.waiting.append(work) } else { state.work.waiting.append(work) }
  }

  private func performWork() {
    while let work = state.withLock({ $0.work.next() }) {
      for item in work { perform(item) }
    }
  }

  /// Tells readers, on a task of its own: whoever reads slowly holds up neither this connection nor its neighbours.
  private func tell() {
    while true {
      let (news, droppedRecords) = state.withLock { state in
        defer { state.droppedRecords = 0 }
        return (state.news.next(), state.droppedRecords)
      }
      for item in news ?? [] { perform(item) }
      if droppedRecords > 0 { log.write(droppedRecords: droppedRecords) }
      if news == nil { return }
    }
  }

  private func perform(_ work: Work) {
    switch work {
    case .effect(.start): channel.start { [weak self] event in self?.receive(event) }
    case .effect(.send(let bytes)): channel.send(bytes)
    case .effect(.close): channel.close()
    case .effect(.abort): channel.abort()
    case .effect(.tap(let record)):
      if case .told(let tell)? = wireTap, log.isForTap(record) { tell(record) }
      log.write(record)
    case .effect(.lost(let error)): log.write(error)
    case .effect(.foreignChanges(let acts)): log.write(acts)
    case .effect(.closedWhenAsked): closedWhenAsked?()
    case .effect(.odd(let oddity)): log.write(oddity)
    case .effect(.judge(let exchange, let proof)): judge(proof, exchange)
    case .effect(.finish), .effect(.observed): break
    case .resume(let continuation, let outcome): continuation.resume(returning: outcome)
    case .observed(let continuation, let observations): continuation.resume(returning: observations)
    }
  }

  /// Signatures and chains take a millisecond, which other connections of this thread do not wait for.
  private func judge(_ proof: CastMessage.Payload, _ exchange: AuthenticationExchange) {
    times.network.spawn { [self] in
      let report = exchange.report(on: proof)
      feed { $0.machine.judged(report) }
    }
  }

  // MARK: timers

  private func arm(_ state: inout State) {
    var network = state.machine.nextNetworkDeadline
    let show = state.machine.nextShowDeadline
    if times.areOne, let show { network = min(network ?? show, show) }
    if let network {
      if state.networkAlarm.isTooLate(for: network) { armNetworkAlarm(for: network, &state) }
    } else {
      // Not open: nothing is due there.
      state.networkAlarm.cancel()
      if show == nil { state.showAlarm.cancel() }
    }
    // Who waits for statuses waits again after each: the alarm stays, and rings early at worst.
    guard let show, !times.areOne, state.showAlarm.isTooLate(for: show) else { return }
    state.showAlarm.arm(for: show, on: times.show, executor: executor) { [weak self] number in
      self?.feed { state in
        if state.showAlarm.fired(number) { state.machine.timerFired() }
      }
    }
  }

  private func armNetworkAlarm(for deadline: Duration, _ state: inout State) {
    let timer: Alarm.Timer = { [channel] in channel.schedule(after: $0, $1) }
    state.networkAlarm.arm(for: deadline, on: times.network, timer: timer, executor: executor) { [weak self] number in
      self?.feed { state in
        if state.networkAlarm.fired(number) { state.machine.timerFired() }
      }
    }
  }

  private func receive(_ event: ByteChannelEvent) {
    feed { state in
      switch event {
      case .received(let bytes): state.machine.receive(bytes)
      case .closed(let error): state.machine.channelClosed(error)
      }
    }
  }
}
