import CastProtocol
import CastTransport

/// The rules of one sender connection: bytes and calls in, bytes, outcomes and observations out.
///
/// Joins the channel, the requests, the status and the operations under way. Holds no clock, no socket, no task.
struct ConnectionStateMachine: Sendable {
  /// Now, on both clocks.
  struct Moment: Hashable, Sendable {
    var network: Duration
    var show: Duration
  }

  enum Effect: Sendable {
    /// Begin to listen to the socket.
    case start
    /// Messages for the socket, as one write.
    case send([[UInt8]])
    /// Close the socket when what was sent is out.
    case close
    /// Close the socket at once.
    case abort
    case tap(WireRecord)
    /// Find out what the device's proof is worth, which takes a millisecond, and tell ``judged(_:)``.
    case judge(AuthenticationExchange, CastMessage.Payload)
    /// The device departs from the protocol where nothing depends on it.
    case odd(ChannelStateMachine.Oddity)
    /// The device closed the connection while its proof, which is only reported, was awaited.
    case closedWhenAsked
    /// The connection is over.
    case lost(ClientError)
    /// Others changed something on the device.
    case foreignChanges([OtherSenderAction])
    /// The operation, disconnect or wait with this token is over.
    case finish(token: Int, Result<OperationEffect.Outcome, ClientError>)
    case observed(token: Int, [Observation])
  }

  /// An operation under way.
  struct Operation {
    var token: Int
    var machine: any OperationStateMachine
    /// The caller's deadline on the show clock.
    var until: Duration?
    /// A limit on the network clock, where a person is asked.
    var limit: Duration?
    /// The app closed its virtual connection: the next RECEIVER_STATUS, or this network time, says why.
    var orphanedUntil: Duration?
    /// A load is done, unless what comes in the same read says that it failed.
    var loaded: OperationEffect.Outcome?
  }

  private enum Phase {
    case idle, open
    /// Why everything ended; waits for the socket's end, as do those with these tokens.
    case closing(ClientError, until: Duration, waiting: [Int])
    case closed(ClientError)
  }

  /// How many operations one connection has at most; more are refused (docs/security.md S7).
  static let operationLimit = 256
  /// A socket that does not close by itself is dropped after this.
  static let closeGrace = Duration.seconds(1)

  /// The times from the configuration.
  struct Timeouts: Sendable {
    var connectTimeout: Duration
    var replyTimeout: Duration
    var appConnectDelay: Duration
  }

  let timeouts: Timeouts
  /// Whether messages and the ends of requests are told.
  let isTraced: Bool
  let tracesHeartbeat: Bool
  /// The time of the step under way.
  private(set) var now: Moment
  /// The last volume change of ours, and when it was over, on the show clock.
  private(set) var lastVolumeChange: (change: VolumeChange, at: Duration, step: Double)?
  private(set) var snapshot: DeviceSnapshot
  var history: ObservationHistory
  var channel: ChannelStateMachine
  var requests: RequestStateMachine
  var tracker = StatusTracker()
  private(set) var operations: [Operation] = []
  private var watchers = WatcherList()
  private var phase = Phase.idle
  /// The bytes of one read are being judged.
  private var isReading = false
  var apps = AppConnections()
  var proof = LateProof()

  /// What to do, in order; the owner takes it after each call.
  private var effects: [Effect] = []
  /// Messages of this step, already framed.
  private var outgoing: [[UInt8]] = []

  init(
    configuration: ClientConfiguration, at now: Moment, isTraced: Bool? = nil, tracesHeartbeat: Bool? = nil
  ) {
    timeouts = Timeouts(
      connectTimeout: configuration.connectTimeout, replyTimeout: configuration.replyTimeout,
      appConnectDelay: configuration.appConnectDelay)
    self.isTraced = isTraced ?? (configuration.wireTap != nil)
    self.tracesHeartbeat = tracesHeartbeat ?? configuration.tapsHeartbeat
    self.now = now
    var limits = ChannelStateMachine.Limits()
    limits.pingAfter = configuration.pingAfter
    limits.deadAfter = configuration.deadAfter
    limits.frameTimeout = configuration.frameTimeout
    limits.messagesPerSecond = configuration.messagesPerSecond
    limits.bytesPerSecond = configuration.bytesPerSecond
    channel = ChannelStateMachine(limits: limits, now: now.network, tellsHeartbeat: self.tracesHeartbeat)
    requests = RequestStateMachine(firstID: configuration.firstRequestID)
    history = ObservationHistory(
      limit: configuration.historyLimit,
      age: configuration.historyLimit > ClientConfiguration.usualHistoryLimit ? nil : ClientConfiguration.historyAge)
    snapshot = tracker.snapshot
  }

  /// Why the connection is over, once it is; the first reason.
  private var loss: ClientError? {
    switch phase {
    case .idle, .open: nil
    case .closing(let loss, _, _), .closed(let loss): loss
    }
  }

  /// Whether the socket is of use.
  var isOpen: Bool { if case .open = phase { true } else { false } }
  var isIdle: Bool { if case .idle = phase { true } else { false } }

  /// Takes the effects of the steps since the last call.
  mutating func takeEffects() -> [Effect] {
    flush()
    guard !effects.isEmpty else { return [] }
    defer { effects = [] }
    return effects
  }

  /// Adds to what is to be done.
  mutating func add(_ effect: Effect) { effects.append(effect) }

  /// Puts a frame behind those of this step.
  mutating func add(frame: [UInt8]) { outgoing.append(frame) }

  /// Hands the messages of this step to the socket.
  private mutating func flush() {
    guard !outgoing.isEmpty else { return }
    effects.append(.send(outgoing))
    outgoing = []
  }

  /// Notes the time of the step that follows; to be called before each.
  mutating func noteTime(_ now: Moment) { self.now = now }

  // MARK: the caller's side

  /// The socket is open: CONNECT and GET_STATUS leave as the first write; ends with the first RECEIVER_STATUS. With an
  /// `exchange` also with the device's proof, or, unless it `connects`, with that alone.
  mutating func open(
    _ exchange: AuthenticationExchange? = nil, connects: Bool = true, token: Int
  ) {
    guard isIdle else {
      finish(token, .failure(loss ?? ClientError(.invalidState, "the connection was opened before")))
      return
    }
    phase = .open
    effects.append(.start)
    tracker.connected()
    observe(.push, .connection, nil)
    start(
      OpeningStateMachine(exchange, connects: connects, replyTimeout: timeouts.connectTimeout), token: token,
      until: nil)
  }

  /// Ends a wait because its caller went away.
  mutating func cancel(token: Int) {
    if watchers.remove(token: token) {
      effects.append(.observed(token: token, []))
    } else if operations.contains(where: { $0.token == token }) {
      for request in requests.closeOwned(by: token) { recordEnd(of: request, as: .aborted) }
      finish(token, .failure(ClientError(.timeout, "the wait was cancelled")))
    } else if proof.remove(token: token) {
      finish(token, .success(.opened(nil)))
    } else if case .closing(let loss, let limit, var waiting) = phase, let index = waiting.firstIndex(of: token) {
      waiting.remove(at: index)
      phase = .closing(loss, until: limit, waiting: waiting)
      effects.append(.finish(token: token, .success(.done)))
    }
  }

  /// Answers with what came after observation `number` as soon as there is something.
  mutating func watch(after number: Int, until deadline: Duration, token: Int) {
    if number < history.lastNumber || loss != nil || deadline <= now.show {
      effects.append(.observed(token: token, history.observations(after: number)))
    } else {
      watchers.add(.init(token: token, after: number, until: deadline))
    }
  }

  /// Says good-bye to apps and platform in one write and closes; `abruptly` just drops the socket.
  mutating func disconnect(abruptly: Bool, token: Int) {
    switch phase {
    case .closed:
      return finish(token, .success(.done))
    case .closing(let loss, let limit, let waiting):
      phase = .closing(loss, until: limit, waiting: waiting + [token])
      if abruptly { effects.append(.abort) }
    case .idle, .open:
      if isOpen, !abruptly {
        for app in apps.sessions { post(.connection, to: app.transportID, Self.closeMessage) }
        post(.connection, to: .receiver, Self.closeMessage)
      }
      let isNew = isIdle
      let limit = now.network + Self.closeGrace
      end(Self.leaving) { .closing($0, until: limit, waiting: [token]) }
      flush()
      effects.append(abruptly ? .abort : .close)
      // A channel that was never started reports no end.
      if isNew { close() }
    }
  }

  // MARK: the socket's side

  mutating func receive(_ bytes: [UInt8]) {
    guard isOpen else { return }
    isReading = true
    perform(channel.receive(bytes, at: now.network))
    isReading = false
    for operation in operations {
      if let loaded = operation.loaded { finish(operation.token, .success(loaded)) }
    }
  }

  mutating func channelClosed(_ error: TransportError?) {
    if proof.hold(.init(error: error)) { return }
    let place = channel.hasUnfinishedFrame ? " in the middle of a message" : ""
    let reason = error?.message ?? "the device closed the connection\(place)"
    var loss = ClientError(.connectionLost, reason, help: error?.help)
    if isOpen, operations.contains(where: { $0.token == Self.proofToken }) {
      loss.message += " after it was asked for a proof"
      loss.help = loss.help ?? "if it does so each time, `--auth none` or `auth: none` does not ask it"
      effects.append(.closedWhenAsked)
    }
    end(loss) { .closed($0) }
    close()
  }

  /// What is due on either clock; a call that comes early does nothing.
  mutating func timerFired() {
    if case .closing(_, let limit, _) = phase, limit <= now.network {
      effects.append(.abort)
      close()
    }
    // Whether the device is there comes first: after a sleep of this computer no wait may end as if it had been.
    if isOpen, channel.nextDeadline <= now.network { perform(channel.timerFired(at: now.network)) }
    // Of a device that says nothing new only the newest is kept.
    history.forgetOld(at: now.show)
    for watcher in watchers.takeLate(at: now.show) { effects.append(.observed(token: watcher.token, [])) }
    guard isOpen else { return }

    expireRequests()
    for operation in operations {
      if let wakeAt = operation.machine.wakeAt, wakeAt <= now.network {
        step(operation.token) { $0.timerFired(at: $1) }
      }
    }
    for operation in operations {
      if let until = operation.until, until <= now.show {
        finish(operation.token, .failure(operation.machine.timeout))
      } else if let limit = operation.limit, limit <= now.network {
        finish(operation.token, .failure(operation.machine.timeout))
      } else if let orphaned = operation.orphanedUntil, orphaned <= now.network {
        finish(operation.token, .failure(AppConnections.gone))
      }
    }
    if let transport = apps.takeDueMediaRefresh(at: now.network) {
      send(.media(.getStatus, to: transport), owner: nil, within: timeouts.replyTimeout)
    }
  }

  /// When ``timerFired()`` wants to be called next on the network clock; `nil`: nothing is due.
  var nextNetworkDeadline: Duration? {
    switch phase {
    case .idle, .closed: return nil
    case .closing(_, let limit, _): return limit
    case .open: break
    }
    var next = channel.nextDeadline
    if let deadline = requests.nextDeadline { next = min(next, deadline) }
    if let deadline = apps.nextDeadline { next = min(next, deadline) }
    for operation in operations {
      if let wakeAt = operation.machine.wakeAt { next = min(next, wakeAt) }
      if let limit = operation.limit { next = min(next, limit) }
      if let orphaned = operation.orphanedUntil { next = min(next, orphaned) }
    }
    return next
  }

  /// The same for the show clock.
  var nextShowDeadline: Duration? {
    var next = watchers.nextDeadline
    for operation in operations {
      if let until = operation.until { next = min(next ?? until, until) }
    }
    return next
  }

  // MARK: operations

  mutating func start(
    _ machine: some OperationStateMachine, token: Int, until: Duration?
  ) {
    guard isOpen else {
      return finish(token, .failure(loss ?? ClientError(.invalidState, "the connection is not open")))
    }
    if let until, until <= now.show {
      return finish(token, .failure(ClientError(.timeout, "the time was up before the request was sent")))
    }
    if let session = machine.session, !apps.contains(session) {
      let error = AppConnections.loss(of: session, in: snapshot.receiver) ?? AppConnections.gone
      return finish(token, .failure(error))
    }
    guard operations.count < Self.operationLimit else {
      return finish(token, .failure(ClientError(.refusedLocally, "too many requests are under way")))
    }
    operations.append(Operation(token: token, machine: mediaChecked(machine), until: until))
    step(token) { $0.begin(at: $1) }
  }

  /// Lets one operation move and does what it asks.
  mutating func step(
    _ token: Int, _ move: (inout any OperationStateMachine, _ now: Duration) -> [OperationEffect]
  ) {
    guard let index = operations.firstIndex(where: { $0.token == token }) else { return }
    for effect in move(&operations[index].machine, now.network) {
      switch effect {
      case .challenge(let bytes):
        post(.deviceAuth, to: .receiver, .binary(bytes))
      case .judge(let exchange, let payload):
        proof.beginJudging()
        effects.append(.judge(exchange, payload))
      case .connect(let endpoint):
        post(.connection, to: endpoint, Self.connectMessage)
      case .request(let request, let within):
        send(request, owner: token, within: within)
      case .message(let namespace, let payload, let endpoint):
        if let error = post(namespace, to: endpoint, payload) { return finish(token, .failure(error)) }
      case .extend(let time):
        guard let index = operations.firstIndex(where: { $0.token == token }) else { return }
        operations[index].until = nil
        operations[index].limit = now.network + time
      case .finish(.success(.mediaSession(let id))) where isReading:
        if let index = operations.firstIndex(where: { $0.token == token }), operations[index].loaded == nil {
          operations[index].loaded = .mediaSession(id)
        }
      case .proofFollows(let exchange, let isJudged, let deadline):
        start(
          ProofStateMachine(exchange, isBeingJudged: isJudged, until: deadline), token: Self.proofToken, until: nil)
      case .finish(let result):
        if case .success(.opened(let report)) = result { settle(report) }
        if case .success(.session(let session)) = result { apps.connect(session, at: now.network) }
        finish(token, result)
      }
    }
    // What connects to an app has its session before it is finished, and CLOSE must find it.
    if let index = operations.firstIndex(where: { $0.token == token }), operations[index].machine.opensAppConnection,
      let session = operations[index].machine.session
    {
      apps.connect(session, at: now.network)
    }
  }

  mutating func finish(_ token: Int, _ result: Result<OperationEffect.Outcome, ClientError>) {
    if let index = operations.firstIndex(where: { $0.token == token }) {
      if let change = operations[index].machine.volumeChange {
        lastVolumeChange = (change, now.show, snapshot.receiver?.volume.step ?? ReceiverStatus.Volume.unnamedStep)
      }
      operations.remove(at: index)
      // Most connections do nothing most of the time: none keeps room for what it once did.
      if operations.isEmpty { operations = [] }
      for request in requests.closeOwned(by: token) { recordEnd(of: request, as: .init(result, of: request.role)) }
    }
    effects.append(.finish(token: token, result))
  }

  /// Notes that an app closed its virtual connection: the platform is asked why.
  mutating func orphan(_ transport: EndpointID) {
    for index in operations.indices where operations[index].machine.session?.transportID == transport {
      operations[index].orphanedUntil = now.network + Self.closeGrace
    }
  }

  // MARK: the end

  /// Gives up on the device and drops the socket.
  mutating func abandon(_ error: ClientError) {
    guard isOpen else { return }
    let limit = now.network + Self.closeGrace
    end(error) { .closing($0, until: limit, waiting: []) }
    outgoing = []
    effects.append(.abort)
  }

  /// What ends everything where this side leaves: no fault of anyone.
  static let leaving = ClientError(.connectionLost, "the connection was closed by this side")

  /// Ends every operation and wait with `error`; where the connection is over already, the first reason stays.
  private mutating func end(_ error: ClientError, as makePhase: (ClientError) -> Phase) {
    guard loss == nil else { return }
    var error = error
    let unanswered = requests.pending.last { !$0.role.isPoll } ?? requests.pending.last
    if error.class == .connectionLost, error != Self.leaving, let name = unanswered?.name, !name.isEmpty {
      error.message += "; \(name) was not answered"
    }
    phase = makePhase(error)
    apps.removeAll()
    for request in requests.closeAll() { recordEnd(of: request, as: error == Self.leaving ? .aborted : .failed(error)) }
    effects.append(.lost(error))
    tracker.disconnected()
    observe(.push, .connection, nil, error: error)
    for operation in operations { finish(operation.token, operation.loaded.map { .success($0) } ?? .failure(error)) }
    endWaitsForProof()
  }

  /// The socket is closed: nobody waits for that any more.
  private mutating func close() {
    guard case .closing(let loss, _, let waiting) = phase else { return }
    phase = .closed(loss)
    for token in waiting { effects.append(.finish(token: token, .success(.done))) }
  }

  mutating func observe(
    _ source: Observation.Source, _ scope: Observation.Scope, _ message: MessageContent?,
    on namespace: Namespace? = nil,
    bytes: Int = 0, error: ClientError? = nil, isAnswer: Bool = false
  ) {
    let before = snapshot
    snapshot = tracker.snapshot
    let others = scope == .receiver || scope == .media ? acts(since: before, isAnswer: isAnswer) : []
    if !others.isEmpty { effects.append(.foreignChanges(others)) }
    history.append(bytes: bytes) { [snapshot, now] number in
      Observation(
        number: number, at: now.show, source: source, scope: scope, snapshot: snapshot, content: message,
        namespace: namespace, error: error, others: others)
    }
    for watcher in watchers.takeReady(at: history.lastNumber) {
      effects.append(.observed(token: watcher.token, history.observations(after: watcher.after)))
    }
  }
}
