package import CastProtocol
package import CastTransport

/// The rules of the virtual receiver: messages of its sockets in, messages out. Holds no clock and no socket.
///
/// Times are show time. Perform the effects in order; call with ``Input/timerFired`` at ``nextDeadline``. Framing and
/// heartbeat are the business of a `ChannelStateMachine` per socket.
package struct ReceiverStateMachine: Sendable {
  package enum Input: Hashable, Sendable {
    /// A socket has opened; the certificate is the one that it shows its peer, in DER.
    case connected(ConnectionID, certificate: [UInt8]? = nil)
    case message(ConnectionID, CastMessage)
    /// A message that is not to be dealt with as it should.
    case faulty(ConnectionID, CastMessage, RequestFault)
    /// Something goes wrong by itself.
    case directive(Directive)
    /// A socket has closed, whoever closed it.
    case closed(ConnectionID)
    /// Another receiver set its own volume, or that of a member of this group.
    case volume(ReceiverConfiguration.VolumeChange)
    /// What came of ``Effect/prove(_:)``; `nil`: no proof could be made.
    case proof(ProofRequest, DeviceCredentials.Proof?)
    /// What came of ``Effect/fetch(_:)``.
    case fetched(FetchRequest, MediaFetch.Outcome)
    /// What comes of a page that ``Effect/page(_:)`` has started, by the session id of its app.
    case page(sessionID: String, PageReport)
    /// Somebody at the device switched its input or its power.
    case display(ReceiverDisplay)
    /// Somebody at the device, or at another phone, did something.
    case person(PersonAction)
    /// What comes of the player outside.
    case player(PlayerInput)
    /// ``ReceiverStateMachine/nextDeadline`` has come; early or late calls do no harm.
    case timerFired
  }

  package enum Effect: Hashable, Sendable {
    case send(ConnectionID, CastMessage)
    case close(ConnectionID)
    /// Have the credentials sign; ``Input/proof(_:_:)`` takes the outcome.
    case prove(ProofRequest)
    /// Look whether content is there; ``Input/fetched(_:_:)`` takes the outcome.
    case fetch(FetchRequest)
    /// Have the browser do something; ``Input/page(sessionID:_:)`` takes what comes of it.
    case page(PageOrder)
    /// Tell whoever runs the receiver of a request that its recording does not know.
    case unknown(UnknownRequest)
    /// A volume has changed that others may have to follow.
    case volumeChanged(ReceiverConfiguration.VolumeChange)
  }

  /// One open socket.
  struct Connection: Sendable {
    let id: ConnectionID
    let certificate: [UInt8]?
    var virtualConnections = VirtualConnectionTable()
    /// Whether a challenge is being answered.
    var awaitsProof = false
  }

  /// What a challenge wants signed, and who gets the proof.
  package struct ProofRequest: Hashable, Sendable {
    package let connection: ConnectionID
    let sender: EndpointID
    let endpoint: EndpointID
    package let nonce: [UInt8]?
    package let hash: DeviceAuthHash
    /// The one that the socket shows its peer, in DER.
    package let certificate: [UInt8]
  }

  /// Content that an app wants to play.
  package struct FetchRequest: Hashable, Sendable {
    /// Whose it is.
    let sessionID: String
    package let media: MediaFetch
  }

  let configuration: ReceiverConfiguration
  var connections: [Connection] = []
  var application: RunningApplication?
  var pendingLaunch: PendingLaunch?
  var volume: DeviceVolume
  var display = ReceiverDisplay()
  /// Since when no page is open that could play; `nil`: one is.
  var playerGoneSince: Duration? = .zero
  /// The members of a group, each with its volume.
  var members: [ReceiverConfiguration.Member]
  var sessionIDs: SessionIDGenerator
  /// What answers in place of the rules; `nil`: the rules do.
  var replay: ReplayPlayer?
  /// Seeds app sessions, and says how long starting an app takes.
  var random: SeededGenerator
  private var effects: [Effect] = []

  package init(configuration: ReceiverConfiguration) {
    self.configuration = configuration
    volume = DeviceVolume(configuration)
    members = configuration.members
    sessionIDs = SessionIDGenerator(seed: configuration.seed)
    random = SeededGenerator(seed: ~configuration.seed)
    replay = configuration.recording.map { ReplayPlayer($0, seed: configuration.seed) }
  }

  /// When media next do something by themselves (a break, a clip or the content ends), or a person decides.
  package var nextDeadline: Duration? {
    [application?.media?.nextDeadline, pendingLaunch?.due, replay?.nextDeadline].compactMap { $0 }.min()
  }

  /// The facts that mDNS announces now.
  var showing: ReceiverConfiguration.Showing {
    var showing = ReceiverConfiguration.Showing()
    if let application {
      showing.isAppRunning = true
      showing.statusText = application.statusText
    }
    return showing
  }

  /// Takes one input at show time `now`, which never goes back.
  package mutating func receive(_ input: Input, at now: Duration) -> [Effect] {
    if configuration.playsOutside { application?.media?.player?.goneSince = playerGoneSince }
    if let outputs = application?.media?.advance(to: now) { deliver(outputs) }
    decidePendingLaunch(at: now)
    playReplay(at: now)
    switch input {
    case .connected(let id, let certificate): open(id, certificate)
    case .message(let id, let message): receive(message, on: id, at: now)
    case .faulty(let id, let message, let fault): receive(message, fault, on: id, at: now)
    case .directive(let directive): obey(directive, at: now)
    case .closed(let id):
      connections.removeAll { $0.id == id }
      if pendingLaunch?.sender.connection == id, pendingLaunch?.isStarting == false { pendingLaunch = nil }
    case .volume(let change): follow(change)
    case .proof(let request, let proof): answer(request, by: proof)
    case .fetched(let request, let outcome):
      if application?.sessionID == request.sessionID,
        let outputs = application?.media?.fetched(request.media.id, outcome, at: now)
      {
        deliver(outputs)
      }
    case .page(let sessionID, let report): receive(report, ofPage: sessionID)
    case .display(let new): show(new, at: now)
    case .person(let action): act(action, at: now)
    case .player(let input): receive(input, at: now)
    case .timerFired: break
    }
    application?.media?.noteIdle(at: now)
    announceSenders()
    informPage()
    defer { effects = [] }
    return effects
  }

  /// What is to be done when the receiver is switched off.
  mutating func stop() -> [Effect] {
    defer { effects = [] }
    let running = application?.page == nil ? nil : application?.sessionID
    for sessionID in [pendingLaunch?.pageSessionID, running].compactMap({ $0 }) { order(.stop(sessionID: sessionID)) }
    return effects
  }

  private mutating func open(_ id: ConnectionID, _ certificate: [UInt8]?) {
    guard connections.count < ReceiverLimits.connections, !connections.contains(where: { $0.id == id }) else {
      effects.append(.close(id))
      return
    }
    connections.append(Connection(id: id, certificate: certificate))
  }

  private mutating func receive(
    _ message: CastMessage, _ fault: RequestFault? = nil, on id: ConnectionID, at now: Duration
  ) {
    guard let index = connections.firstIndex(where: { $0.id == id }) else { return }
    let sender = Sender(connection: id, index: index, id: message.source, endpoint: message.destination)
    switch message.namespace {
    case .heartbeat: return
    case .deviceAuth: answerChallenge(message, to: sender)
    case .connection: receiveConnectionMessage(message, from: sender, at: now)
    default:
      // Without a virtual connection nothing is heard, and nobody is told (docs/protocol.md 2.2).
      guard let kind = connections[index].virtualConnections.kind(of: message.source, to: message.destination) else {
        return
      }
      if fault == nil, replayMessage(message, from: sender, at: now) { return }
      if message.destination != .receiver, let app = application, app.page != nil {
        if let fault { spoil(message, fault, from: sender, of: app) } else { deliverToPage(message, from: sender) }
        return
      }
      if message.destination != .receiver, application?.customNamespaces.contains(message.namespace) == true {
        echo(message, to: sender)
        return
      }
      guard let request = Self.json(message) else { return }
      if let fault { return receive(request, fault, from: sender, at: now) }
      if message.namespace == .commandAndControl, message.destination != .receiver {
        answerCommandAndControl(request, to: sender)
      } else if message.destination == .receiver {
        receivePlatformMessage(request, on: message.namespace, from: sender, kind: kind, at: now)
      } else if message.namespace == .media,
        let outputs = application?.media?.receive(request, from: sender, at: now)
      {
        deliver(outputs)
      }
    }
  }

  /// The object a message carries; anything else is ignored (docs/protocol.md 1.2).
  static func json(_ message: CastMessage) -> JSONObject? {
    guard case .text(let text) = message.payload else { return nil }
    return (try? JSONValue(parsing: text))?.object
  }

  // MARK: sending

  /// Who sent the message at hand, and to which endpoint of ours.
  struct Sender: Hashable, Sendable {
    var connection: ConnectionID
    var index: Int
    var id: EndpointID
    var endpoint: EndpointID
  }

  /// Answers one sender, from the endpoint it spoke to.
  mutating func reply(_ json: JSONValue, on namespace: Namespace, to sender: Sender) {
    send(CastMessage(source: sender.endpoint, destination: sender.id, namespace: namespace, json: json), to: sender)
  }

  /// Sends back what came on a channel of the app's own, whatever it is: text or bytes.
  private mutating func echo(_ message: CastMessage, to sender: Sender) {
    send(
      CastMessage(
        source: sender.endpoint, destination: sender.id, namespace: message.namespace, payload: message.payload),
      to: sender)
  }

  mutating func tell(_ change: ReceiverConfiguration.VolumeChange) { effects.append(.volumeChanged(change)) }

  mutating func prove(_ request: ProofRequest) { effects.append(.prove(request)) }

  mutating func report(_ request: UnknownRequest) { effects.append(.unknown(request)) }

  mutating func order(_ order: PageOrder) { effects.append(.page(order)) }

  mutating func send(_ message: CastMessage, to sender: Sender) { effects.append(.send(sender.connection, message)) }

  /// Sends to everyone: once to each socket on which somebody is connected to `source`.
  mutating func broadcast(_ json: JSONValue, on namespace: Namespace, from source: EndpointID) {
    broadcast(.text(json.serialized()), on: namespace, from: source)
  }

  mutating func broadcast(
    _ payload: @autoclosure () -> CastMessage.Payload, on namespace: Namespace, from source: EndpointID
  ) {
    let reached = connections.filter { $0.virtualConnections.reaches(source) }
    if reached.isEmpty { return }
    let message = CastMessage(source: source, destination: .everyone, namespace: namespace, payload: payload())
    for connection in reached { effects.append(.send(connection.id, message)) }
  }

  mutating func deliver(_ outputs: [MediaSessionStateMachine.Output]) {
    guard let transportID = application?.transportID, let sessionID = application?.sessionID else { return }
    for output in outputs {
      switch output {
      case .everyone(let json): broadcast(json, on: .media, from: transportID)
      case .one(let sender, let json): reply(json, on: .media, to: sender)
      case .fetch(let media): effects.append(.fetch(FetchRequest(sessionID: sessionID, media: media)))
      case .exit: endApplication(answering: 0)
      }
    }
  }

  /// Tells the app's present senders its status when one joins (docs/protocol.md 2.2).
  mutating func announceMedia(at now: Duration) {
    guard let status = application?.media?.announcement(at: now) else { return }
    deliver([.everyone(status)])
  }

  /// Ends every virtual connection to `endpoint` and tells its senders.
  mutating func closeAll(to endpoint: EndpointID) {
    for index in connections.indices {
      for sender in connections[index].virtualConnections.closeAll(to: endpoint) {
        let message = CastMessage(
          source: endpoint, destination: sender, namespace: .connection, json: ["type": "CLOSE"])
        effects.append(.send(connections[index].id, message))
      }
    }
  }

  /// Broadcasts a status when the app's first sender has come or its last one has left.
  private mutating func announceSenders() {
    guard let app = application else { return }
    let hasSender = connections.contains { $0.virtualConnections.isVisible(at: app.transportID) }
    if hasSender == app.hasSender { return }
    application?.hasSender = hasSender
    if configuration.reportsSenderConnected { broadcastStatus(answering: 0) }
  }
}
