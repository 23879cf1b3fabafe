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
    /// Bytes for the socket, as one write.
    case send([UInt8])
    /// Close the socket when what was sent is out.
    case close
    /// Close the socket at once.
    case abort
    case tap(WireRecord)
    /// The operation, disconnect or wait with this token is over.
    case finish(token: Int, Result<OperationEffect.Outcome, ClientError>)
    case observed(token: Int, [Observation])
  }

  /// An operation under way.
  private struct Operation {
    var token: Int
    var machine: any OperationStateMachine
    /// The caller's deadline on the show clock.
    var until: Duration?
    /// A limit on the network clock, where a person is asked.
    var limit: Duration?
    /// The app closed its virtual connection: the next RECEIVER_STATUS, or this network time, says why.
    var orphanedUntil: Duration?
  }

  /// Somebody who waits for the observation after number `after`.
  private struct Watcher {
    var token: Int
    var after: Int
    /// Show time.
    var until: Duration
  }

  private enum Phase {
    case idle, open
    /// Our CLOSE is out; waits for the socket's end.
    case closing(until: Duration)
    case closed
  }

  /// How many operations and waits one connection has at most; more are refused (security.md S7).
  static let operationLimit = 256
  /// A socket that does not close by itself is dropped after this.
  static let closeGrace = Duration.seconds(1)
  /// An app that lists a session without media is asked again after this (quirk 34).
  static let followUpDelay = Duration.seconds(1)

  let configuration: ClientConfiguration
  private(set) var snapshot: DeviceSnapshot
  private(set) var history: ObservationHistory
  private var channel: ChannelStateMachine
  private var requests: RequestStateMachine
  private var tracker = StatusTracker()
  private var operations: [Operation] = []
  private var watchers: [Watcher] = []
  private var phase = Phase.idle
  private var lossError: ClientError?
  private var disconnectTokens: [Int] = []
  /// The apps we have a virtual connection to, in the order of connecting.
  private var connected: [AppSession] = []
  /// An app to be asked for its media again, and when on the network clock.
  private var followUp: (transport: EndpointID, at: Duration)?
  private var followedUp: (transport: EndpointID, mediaSession: Int)?

  /// What to do, in order; the owner takes it after each call.
  private var effects: [Effect] = []
  /// Messages of this step, already framed.
  private var outgoing: [UInt8] = []

  init(configuration: ClientConfiguration, at now: Moment) {
    self.configuration = configuration
    var limits = ChannelStateMachine.Limits()
    limits.pingAfter = configuration.pingAfter
    limits.deadAfter = configuration.deadAfter
    limits.frameTimeout = configuration.frameTimeout
    limits.messagesPerSecond = configuration.messagesPerSecond
    channel = ChannelStateMachine(limits: limits, now: now.network)
    requests = RequestStateMachine(firstID: configuration.firstRequestID)
    history = ObservationHistory(limit: configuration.historyLimit)
    snapshot = tracker.snapshot
  }

  /// Whether the socket is of use.
  var isOpen: Bool { if case .open = phase { true } else { false } }
  var isIdle: Bool { if case .idle = phase { true } else { false } }

  /// Takes the effects of the steps since the last call.
  mutating func takeEffects() -> [Effect] {
    flush()
    guard !effects.isEmpty else { return [] }
    defer { effects.removeAll(keepingCapacity: true) }
    return effects
  }

  // MARK: the caller's side

  /// The socket is open: CONNECT and GET_STATUS leave as the first write; ends with the first RECEIVER_STATUS.
  mutating func open(token: Int, at now: Moment) {
    guard isIdle else {
      finish(token, .failure(lossError ?? ClientError(.invalidState, "the connection was opened before")))
      return
    }
    phase = .open
    effects.append(.start)
    tracker.connected()
    observe(.push, .connection, nil, at: now)
    begin(
      RefreshStateMachine(connects: true, replyTimeout: configuration.connectTimeout), token: token, until: nil, at: now
    )
  }

  mutating func launch(_ request: LaunchStateMachine.Request, token: Int, until: Duration, at now: Moment) {
    let machine = LaunchStateMachine(
      request, running: snapshot.receiver?.application, connected: connected,
      replyTimeout: configuration.replyTimeout, connectDelay: configuration.appConnectDelay)
    begin(machine, token: token, until: until, at: now)
  }

  mutating func stopApp(_ session: AppSession, token: Int, until: Duration, at now: Moment) {
    begin(StopAppStateMachine(session, running: snapshot.receiver?.application), token: token, until: until, at: now)
  }

  mutating func setVolume(level: Double?, muted: Bool?, token: Int, until: Duration, at now: Moment) {
    if snapshot.receiver?.volume.controlType == "fixed", isOpen {
      let error = ClientError(
        .refusedLocally, "the device's volume is fixed", help: "set it on the television or amplifier it plays through")
      return finish(token, .failure(error))
    }
    begin(VolumeStateMachine(level: level, muted: muted), token: token, until: until, at: now)
  }

  mutating func refreshReceiver(token: Int, at now: Moment) {
    begin(RefreshStateMachine(replyTimeout: configuration.replyTimeout), token: token, until: nil, at: now)
  }

  mutating func refreshMedia(in session: AppSession, token: Int, at now: Moment) {
    begin(RefreshStateMachine(session, replyTimeout: configuration.replyTimeout), token: token, until: nil, at: now)
  }

  mutating func load(_ request: LoadRequest, in session: AppSession, token: Int, until: Duration, at now: Moment) {
    let current = snapshot.mediaSource == session.transportID ? snapshot.media : nil
    let machine = LoadStateMachine(request, in: session, current: current, lastSequence: requests.lastSequence)
    begin(machine, token: token, until: until, at: now)
  }

  mutating func command(
    _ request: MediaRequest, in session: AppSession, token: Int, until: Duration, at now: Moment
  ) {
    switch request {
    case .getStatus:
      begin(RefreshStateMachine(session, replyTimeout: configuration.replyTimeout), token: token, until: until, at: now)
    case .load(let load):
      self.load(load, in: session, token: token, until: until, at: now)
    default:
      let machine = CommandStateMachine(request, in: session, replyTimeout: configuration.replyTimeout)
      begin(machine, token: token, until: until, at: now)
    }
  }

  /// Ends a wait because its caller went away.
  mutating func cancel(token: Int) {
    if let index = watchers.firstIndex(where: { $0.token == token }) {
      watchers.remove(at: index)
      effects.append(.observed(token: token, []))
    } else if operations.contains(where: { $0.token == token }) {
      finish(token, .failure(ClientError(.timeout, "the wait was cancelled")))
    } else if let index = disconnectTokens.firstIndex(of: token) {
      disconnectTokens.remove(at: index)
      effects.append(.finish(token: token, .success(.done)))
    }
  }

  /// Answers with what came after observation `number` as soon as there is something.
  mutating func watch(after number: Int, until deadline: Duration, token: Int, at now: Moment) {
    let isOver = if case .open = phase { false } else { lossError != nil }
    if number < history.lastNumber || isOver || deadline <= now.show || watchers.count >= Self.operationLimit {
      effects.append(.observed(token: token, history.observations(after: number)))
    } else {
      watchers.append(Watcher(token: token, after: number, until: deadline))
    }
  }

  /// Says good-bye to apps and platform in one write and closes; `abruptly` just drops the socket.
  mutating func disconnect(abruptly: Bool, token: Int, at now: Moment) {
    switch phase {
    case .closed:
      return finish(token, .success(.done))
    case .closing:
      disconnectTokens.append(token)
      if abruptly { effects.append(.abort) }
    case .idle, .open:
      disconnectTokens.append(token)
      if isOpen, !abruptly {
        for app in connected { post(.connection, to: app.transportID, Self.closeMessage, at: now) }
        post(.connection, to: .receiver, Self.closeMessage, at: now)
      }
      let isNew = isIdle
      end(ClientError(.connectionLost, "the connection was closed by this side"), at: now)
      flush()
      effects.append(abruptly ? .abort : .close)
      // A channel that was never started reports no end.
      phase = isNew ? .closed : .closing(until: now.network + Self.closeGrace)
      if isNew { finishDisconnects() }
    }
  }

  // MARK: the socket's side

  mutating func receive(_ bytes: [UInt8], at now: Moment) {
    guard isOpen else { return }
    perform(channel.receive(bytes, at: now.network), at: now)
  }

  mutating func channelClosed(_ error: TransportError?, at now: Moment) {
    let reason = error?.message ?? "the device closed the connection"
    end(ClientError(.connectionLost, reason, help: error?.help), at: now)
    phase = .closed
    finishDisconnects()
  }

  /// What is due on either clock; a call that comes early does nothing.
  mutating func timerFired(at now: Moment) {
    if case .closing(let limit) = phase, limit <= now.network {
      effects.append(.abort)
      phase = .closed
      finishDisconnects()
    }
    let late = watchers.filter { $0.until <= now.show }
    watchers.removeAll { $0.until <= now.show }
    for watcher in late { effects.append(.observed(token: watcher.token, [])) }
    guard isOpen else { return }

    if channel.nextDeadline <= now.network { perform(channel.timerFired(at: now.network), at: now) }
    for request in requests.expire(at: now.network) {
      if let owner = request.owner { tell(owner, .expired(request.role), at: now) }
    }
    for operation in operations {
      if let wakeAt = operation.machine.wakeAt, wakeAt <= now.network {
        step(operation.token, at: now) { $0.timerFired(at: now.network) }
      }
    }
    for operation in operations {
      if let until = operation.until, until <= now.show {
        finish(operation.token, .failure(operation.machine.timeout))
      } else if let limit = operation.limit, limit <= now.network {
        finish(operation.token, .failure(operation.machine.timeout))
      } else if let orphaned = operation.orphanedUntil, orphaned <= now.network {
        finish(operation.token, .failure(appGone))
      }
    }
    if let ask = followUp, ask.at <= now.network {
      followUp = nil
      if connected.contains(where: { $0.transportID == ask.transport }) {
        send(.media(.getStatus, to: ask.transport), owner: nil, within: configuration.replyTimeout, at: now)
      }
    }
  }

  /// When ``timerFired(at:)`` wants to be called next on the network clock; `nil`: nothing is due.
  var nextNetworkDeadline: Duration? {
    switch phase {
    case .idle, .closed: return nil
    case .closing(let limit): return limit
    case .open: break
    }
    var next = channel.nextDeadline
    if let deadline = requests.nextDeadline { next = min(next, deadline) }
    if let followUp { next = min(next, followUp.at) }
    for operation in operations {
      if let wakeAt = operation.machine.wakeAt { next = min(next, wakeAt) }
      if let limit = operation.limit { next = min(next, limit) }
      if let orphaned = operation.orphanedUntil { next = min(next, orphaned) }
    }
    return next
  }

  /// The same for the show clock.
  var nextShowDeadline: Duration? {
    var next: Duration?
    for operation in operations {
      if let until = operation.until { next = min(next ?? until, until) }
    }
    for watcher in watchers { next = min(next ?? watcher.until, watcher.until) }
    return next
  }

  // MARK: operations

  private mutating func begin(
    _ machine: some OperationStateMachine, token: Int, until: Duration?, at now: Moment
  ) {
    guard isOpen else {
      return finish(token, .failure(lossError ?? ClientError(.invalidState, "the connection is not open")))
    }
    if let until, until <= now.show {
      return finish(token, .failure(ClientError(.timeout, "the time was up before the request was sent")))
    }
    if let session = machine.session, !isConnected(session) {
      return finish(token, .failure(loss(of: session, in: snapshot.receiver) ?? appGone))
    }
    guard operations.count < Self.operationLimit else {
      return finish(token, .failure(ClientError(.refusedLocally, "too many requests are under way")))
    }
    operations.append(Operation(token: token, machine: machine, until: until))
    step(token, at: now) { $0.begin(at: now.network) }
  }

  private mutating func tell(_ token: Int, _ event: OperationEvent, at now: Moment) {
    step(token, at: now) { $0.receive(event, at: now.network) }
  }

  /// Lets one operation move and does what it asks.
  private mutating func step(
    _ token: Int, at now: Moment, _ move: (inout any OperationStateMachine) -> [OperationEffect]
  ) {
    guard let index = operations.firstIndex(where: { $0.token == token }) else { return }
    for effect in move(&operations[index].machine) {
      switch effect {
      case .connect(let endpoint):
        post(.connection, to: endpoint, Self.connectMessage, at: now)
      case .request(let request, let within):
        send(request, owner: token, within: within, at: now)
      case .extend(let time):
        guard let index = operations.firstIndex(where: { $0.token == token }) else { return }
        operations[index].until = nil
        operations[index].limit = now.network + time
      case .finish(let result):
        if case .success(.session(let session)) = result { note(session) }
        finish(token, result)
      }
    }
    // A launch that connects has its session before it is finished, and CLOSE must find it.
    if let index = operations.firstIndex(where: { $0.token == token }), operations[index].machine is LaunchStateMachine,
      let session = operations[index].machine.session
    {
      note(session)
    }
  }

  private mutating func finish(_ token: Int, _ result: Result<OperationEffect.Outcome, ClientError>) {
    if let index = operations.firstIndex(where: { $0.token == token }) {
      operations.remove(at: index)
      requests.closeOwned(by: token)
    }
    effects.append(.finish(token: token, result))
  }

  private mutating func note(_ session: AppSession) {
    if let index = connected.firstIndex(where: { $0.transportID == session.transportID }) {
      connected[index] = session
    } else {
      connected.append(session)
    }
  }

  private func isConnected(_ session: AppSession) -> Bool {
    connected.contains { $0.sessionID == session.sessionID && $0.transportID == session.transportID }
  }

  // MARK: sending

  private static let connectMessage = ConnectionRequest.connect(userAgent: "showcaller").json
  private static let closeMessage = ConnectionRequest.close(reason: .closedBySelf).json

  private mutating func send(
    _ request: OperationEffect.Request, owner: Int?, within limit: Duration?, at now: Moment
  ) {
    let pending = requests.issue(
      request.role, owner: owner, peer: request.destination, deadline: limit.map { now.network + $0 })
    let namespace = request.role.namespace
    if let error = post(namespace, to: request.destination, request.json(requestID: pending.id), at: now) {
      requests.close(id: pending.id)
      if let owner { finish(owner, .failure(error)) }
    } else {
      channel.creditReply()
    }
  }

  /// Puts a message behind those of this step; returns why it cannot be sent.
  @discardableResult
  private mutating func post(
    _ namespace: Namespace, to destination: EndpointID, _ json: JSONValue, at now: Moment
  ) -> ClientError? {
    let message = CastMessage(source: .sender, destination: destination, namespace: namespace, json: json)
    do {
      outgoing += try ChannelStateMachine.encode([message])
    } catch {
      let help = "leave out metadata, tracks or customData"
      return ClientError(.refusedLocally, "the message is too long for one frame of 64 KiB", help: help)
    }
    if configuration.wireTap != nil {
      effects.append(.tap(WireRecord(direction: .sent, at: now.show, message: message)))
    }
    return nil
  }

  /// Hands the messages of this step to the socket.
  private mutating func flush() {
    guard !outgoing.isEmpty else { return }
    effects.append(.send(outgoing))
    outgoing = []
  }

  // MARK: receiving

  private mutating func perform(_ channelEffects: [ChannelStateMachine.Effect], at now: Moment) {
    for effect in channelEffects {
      switch effect {
      case .send(let bytes): effects.append(.send(bytes))
      case .close(let failure): abandon(ClientError(failure), at: now)
      case .deliver(let message):
        if isOpen { receive(message, at: now) }
      }
    }
  }

  private mutating func receive(_ message: CastMessage, at now: Moment) {
    if configuration.wireTap != nil {
      effects.append(.tap(WireRecord(direction: .received, at: now.show, message: message)))
    }
    // Bytes, or text that is no JSON object, concern no one here (quirk 40).
    guard case .text(let text) = message.payload, let json = try? JSONValue(parsing: text),
      let received = ReceivedMessage(source: message.source, namespace: message.namespace, json: json)
    else { return }
    switch message.namespace {
    case .connection:
      if received.type == "CLOSE" { closed(message.source, json, at: now) }
    case .receiver where message.source == .receiver, .media:
      receive(received, from: message, at: now)
    default: break
    }
  }

  private mutating func receive(_ received: ReceivedMessage, from message: CastMessage, at now: Moment) {
    let request = requests.request(answeredBy: received)
    let scope: Observation.Scope
    switch (received.namespace, received.type) {
    case (.receiver, "RECEIVER_STATUS"): scope = .receiver
    case (.media, "MEDIA_STATUS"): scope = .media
    default: scope = .error
    }
    // What an app says whose session is over, or that we never talked to, is nothing to us (cast-protocol.md 4.4).
    if received.namespace == .media, !connected.contains(where: { $0.transportID == received.source }) { return }
    let change = tracker.receive(received.json, namespace: received.namespace, from: received.source, at: now.show)
    if change == nil, scope != .error { return }
    let isPolled = request?.role.isPoll ?? false
    if let request, isPolled { requests.close(id: request.id) }
    observe(isPolled ? .polled : .push, scope, received.json, at: now)
    guard !operations.isEmpty || scope == .media else { return }

    let make: (Correlation) -> OperationEvent?
    switch scope {
    case .receiver:
      guard let status = snapshot.receiver else { return }
      make = { .receiverStatus(status, $0) }
    case .media:
      let status = snapshot.mediaSource == received.source ? snapshot.media : nil
      planFollowUp(status, from: received.source, at: now)
      make = { .mediaStatus(status, from: received.source, $0) }
    case .error, .connection:
      if received.type == "LAUNCH_STATUS" {
        if let owner = request?.owner { tell(owner, .launchStatus(received.json["status"]?.string ?? ""), at: now) }
        return
      }
      guard let refusal = Refusal(received) else { return }
      make = { .refused(refusal, from: received.source, $0) }
    }
    for operation in operations {
      let correlation: Correlation =
        if let request {
          request.owner == operation.token ? .own(request.role) : .other(request.role, sequence: request.sequence)
        } else {
          received.requestID == 0 ? .spontaneous : .foreign
        }
      if let event = make(correlation) { tell(operation.token, event, at: now) }
    }
    if scope == .receiver { dropLostSessions(at: now) }
  }

  /// An app that lists a session but not what it plays is asked once more, a little later.
  private mutating func planFollowUp(_ status: MediaStatus?, from transport: EndpointID, at now: Moment) {
    guard let status, status.isActive, status.media == nil, status.extendedMedia == nil else { return }
    if let done = followedUp, done == (transport, status.mediaSessionID) { return }
    followedUp = (transport, status.mediaSessionID)
    followUp = (transport, now.network + Self.followUpDelay)
  }

  // MARK: losing apps

  private let appGone = ClientError(.appGone, "the app is no longer running")

  /// Why `session` is over, judged by what the device lists; `nil` while it is listed.
  private func loss(of session: AppSession, in status: ReceiverStatus?) -> ClientError? {
    guard let app = status?.application, !app.isIdle else { return appGone }
    if app.sessionID == session.sessionID { return nil }
    return ClientError(.takenOver, "\(app.nameForPeople) replaced the app")
  }

  /// Ends what belongs to apps the newest status does not list any more.
  private mutating func dropLostSessions(at now: Moment) {
    for operation in operations {
      guard let session = operation.machine.session else { continue }
      if let error = loss(of: session, in: snapshot.receiver) {
        finish(operation.token, .failure(error))
      } else if operation.orphanedUntil != nil {
        finish(operation.token, .failure(ClientError(.appGone, "the app closed its virtual connection")))
      }
    }
    let listed = snapshot.receiver?.application?.sessionID
    connected.removeAll { $0.sessionID != listed }
  }

  /// CLOSE: from an app its end, from the platform that of everything (cast-protocol.md 2.3).
  private mutating func closed(_ source: EndpointID, _ json: JSONValue, at now: Moment) {
    if source == .receiver {
      return abandon(ClientError(.connectionLost, "the device closed the virtual connection"), at: now)
    }
    guard connected.contains(where: { $0.transportID == source }) else { return }
    connected.removeAll { $0.transportID == source }
    tracker.appClosed(source)
    observe(.push, .connection, json, at: now)
    for index in operations.indices where operations[index].machine.session?.transportID == source {
      operations[index].orphanedUntil = now.network + Self.closeGrace
    }
    // Gone, replaced, or only tired of us: the platform knows.
    send(.receiver(.getStatus), owner: nil, within: configuration.replyTimeout, at: now)
  }

  // MARK: the end

  /// Gives up on the device and drops the socket.
  private mutating func abandon(_ error: ClientError, at now: Moment) {
    guard isOpen else { return }
    end(error, at: now)
    outgoing = []
    effects.append(.abort)
    phase = .closing(until: now.network + Self.closeGrace)
  }

  /// Ends every operation and wait with `error`; the first reason stays.
  private mutating func end(_ error: ClientError, at now: Moment) {
    guard lossError == nil else { return }
    lossError = error
    connected = []
    followUp = nil
    requests.closeAll()
    tracker.disconnected()
    observe(.push, .connection, nil, at: now)
    for operation in operations { finish(operation.token, .failure(error)) }
  }

  private mutating func finishDisconnects() {
    for token in disconnectTokens { effects.append(.finish(token: token, .success(.done))) }
    disconnectTokens = []
  }

  private mutating func observe(
    _ source: Observation.Source, _ scope: Observation.Scope, _ message: JSONValue?, at now: Moment
  ) {
    snapshot = tracker.snapshot
    history.append { [snapshot] number in
      Observation(
        number: number, at: now.show, source: source, scope: scope, snapshot: snapshot, message: message)
    }
    guard !watchers.isEmpty else { return }
    let ready = watchers.filter { $0.after < history.lastNumber }
    watchers.removeAll { $0.after < history.lastNumber }
    for watcher in ready {
      effects.append(.observed(token: watcher.token, history.observations(after: watcher.after)))
    }
  }
}
