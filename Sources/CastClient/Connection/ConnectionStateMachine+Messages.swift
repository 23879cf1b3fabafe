import CastProtocol

/// What goes over the wire: requests out, and what the device says in.
extension ConnectionStateMachine {
  // MARK: sending

  static let connectMessage = ConnectionRequest.connect(userAgent: "showcaller").json
  static let closeMessage = ConnectionRequest.close(reason: .closedBySelf).json

  mutating func send(
    _ request: OperationEffect.Request, owner: Int?, within limit: Duration?
  ) {
    let pending = requests.issue(
      request.role, owner: owner, peer: request.destination, deadline: limit.map { now.network + $0 })
    let namespace = request.role.namespace
    let json = request.json(requestID: pending.id)
    let contents = request.contents
    requests.describe(
      id: pending.id, as: json["type"]?.string ?? "message", sentAt: now.show, contents: contents)
    if pending.role == .load { apps.noteLoad(of: contents, in: request.destination) }
    if let error = post(namespace, to: request.destination, json) {
      requests.close(id: pending.id)
      if let owner { finish(owner, .failure(error)) }
    } else {
      channel.creditReply()
    }
  }

  /// Puts a message behind those of this step; returns why it cannot be sent.
  @discardableResult
  mutating func post(
    _ namespace: Namespace, to destination: EndpointID, _ json: JSONValue
  ) -> ClientError? {
    post(namespace, to: destination, .text(json.serialized()), json: json)
  }

  @discardableResult
  mutating func post(
    _ namespace: Namespace, to destination: EndpointID, _ payload: CastMessage.Payload, json: JSONValue? = nil
  ) -> ClientError? {
    let message = CastMessage(source: .sender, destination: destination, namespace: namespace, payload: payload)
    do {
      add(frame: try FrameEncoder.frame(message))
    } catch {
      let help = "leave out metadata, tracks or customData"
      return ClientError(.refusedLocally, "the message is too long for one frame of 64 KiB", help: help)
    }
    tap(.sent(message), json: json)
    return nil
  }

  // MARK: receiving

  mutating func perform(_ channelEffects: [ChannelStateMachine.Effect]) {
    for effect in channelEffects {
      switch effect {
      case .send(let bytes):
        add(.send([bytes]))
        tapHeartbeat(bytes)
      case .close(let failure): abandon(ClientError(failure))
      case .heartbeat(let message): tap(.received(message))
      case .oddity(let oddity): add(.odd(oddity))
      case .deliver(let message):
        if isOpen { receive(message) }
      }
    }
  }

  private mutating func receive(_ message: CastMessage) {
    var received = IncomingMessage(message)
    tap(.received(message), json: received.knownJSON)
    for operation in operations where operation.machine.hearsEverything {
      deliver(.init(everything: received), to: operation.token)
    }
    switch received.body {
    case .media:
      received.source = speaker(of: received)
      judge(received)
    case .receiver: if received.source == .receiver { judge(received) }
    case .connection(.close): closed(received)
    case .connection(.connect), .deviceAuth, .heartbeat, .unreadable: break
    case .deviceInfo, .multizone, .other: hear(received)
    }
  }

  /// Takes what only the app, or a neighbour of the platform, knows the meaning of.
  private mutating func hear(_ received: IncomingMessage) {
    if case .deviceInfo = received.body, answerInquiry(received) { return }
    guard received.source == .receiver || apps.contains(received.source) else { return }
    tracker.receive(received, at: now.show)
    observe(.push, .message, received.payload, on: received.namespace, bytes: received.byteCount)
    history.chargeMessageBudget(bytes: received.byteCount)
    if case .multizone = received.body { _ = answerInquiry(received) }
  }

  /// Gives the reply to an inquiry to who asked; false for anything else.
  private mutating func answerInquiry(_ received: IncomingMessage) -> Bool {
    guard let request = requests.request(answeredBy: received), request.role.isInquiry, Refusal(received) == nil else {
      return false
    }
    requests.close(id: request.id)
    if let owner = request.owner { deliver(.answered(received.body), to: owner) }
    return true
  }

  /// The app that a message is from, by its own name: some answer media requests in another.
  private mutating func speaker(of received: IncomingMessage) -> EndpointID {
    guard !apps.contains(received.source), let app = apps.current(runningSession) else { return received.source }
    if !apps.speaks(received.source, for: app) {
      guard case .media(.status(_, let element)) = received.body,
        let contents = element.projectedValue?.value.rest.media?.names,
        requests.isAnswerToLoad(received.requestID, playing: contents)
      else { return received.source }
      apps.noteName(received.source, of: app)
    }
    return app.transportID
  }

  /// Takes a message of the platform or of the player of an app: merges it, ends what it answers, tells who waits.
  private mutating func judge(_ received: IncomingMessage) {
    let request = requests.request(answeredBy: received)
    if answerInquiry(received) { return }
    let scope = received.scope
    // What an app says whose session is over, or that we never talked to, is nothing to us (docs/protocol.md 4.4).
    if received.namespace == .media, !apps.contains(received.source) { return }
    let change = tracker.receive(received, at: now.show)
    if change == nil, scope != .error, scope != .message { return }
    let refusal = scope == .error ? Refusal(received) : nil
    if let request, let outcome = Self.outcome(of: request, scope, refusal) {
      requests.close(id: request.id)
      recordEnd(of: request, as: outcome)
    }
    observe(
      request?.role.isPoll == true ? .polled : .push, scope, received.payload, on: received.namespace,
      bytes: received.byteCount, error: refusal.map { ClientError($0) }, isAnswer: request != nil)
    let media = snapshot.mediaSource == received.source ? snapshot.$media : nil
    if scope == .media { apps.scheduleMediaRefresh(media, from: received.source, at: now.network) }
    guard !operations.isEmpty else {
      if scope == .receiver { apps.keep(runningSession) }
      return
    }

    let event: (Correlation) -> OperationEvent
    switch received.body {
    case .receiver(.status):
      guard let status = snapshot.receiver else { return }
      event = { .receiverStatus(status, $0) }
    case .receiver(.launchStatus(_, let status)):
      if let owner = request?.owner { deliver(.launchStatus(status), to: owner) }
      return
    case .media(.status):
      event = { .mediaStatus(media?.value, from: received.source, $0) }
    case .media(let news) where scope == .message:
      event = { .news(news, content: received.content, from: received.source, $0) }
    default:
      guard let refusal else { return }
      event = { .refused(refusal, from: received.source, $0) }
    }
    for operation in operations {
      let correlation: Correlation =
        if let request {
          request.owner == operation.token ? .own(request.role) : .other(request.role, sequence: request.sequence)
        } else {
          received.requestID == 0 ? .spontaneous : .foreign
        }
      deliver(event(correlation), to: operation.token)
    }
    if scope == .receiver { dropLostSessions() }
  }

  /// The session of the app that the device lists.
  private var runningSession: String? { snapshot.$receiver?.value.application?.sessionID }

  /// How a message that answers `request` ends it; `nil` where only the operation can tell.
  private static func outcome(
    of request: RequestStateMachine.Pending, _ scope: Observation.Scope, _ refusal: Refusal?
  ) -> RequestRecord.Outcome? {
    if scope == .error { return refusal.map { .init(.failure(ClientError($0)), of: request.role.asCommand) } }
    return request.role.isPoll || request.role == .stopApp ? .completed : nil
  }

  // MARK: losing apps

  /// Ends what belongs to apps the newest status does not list any more.
  private mutating func dropLostSessions() {
    for operation in operations {
      guard let session = operation.machine.session else { continue }
      if let error = AppConnections.loss(of: session, in: snapshot.receiver) {
        finish(operation.token, .failure(error))
      } else if operation.orphanedUntil != nil {
        finish(operation.token, .failure(ClientError(.appGone, "the app closed its virtual connection")))
      }
    }
    apps.keep(runningSession)
  }

  /// CLOSE: from an app its end, from the platform that of everything (docs/protocol.md 2.3).
  private mutating func closed(_ received: IncomingMessage) {
    let source = received.source
    if source == .receiver {
      return abandon(ClientError(.connectionLost, "the device closed the virtual connection"))
    }
    guard apps.contains(source) else { return }
    apps.disconnect(source)
    tracker.appClosed(source)
    observe(.push, .connection, received.payload)
    orphan(source)
    // Gone, replaced, or only tired of us: the platform knows.
    send(.receiver(.getStatus), owner: nil, within: timeouts.replyTimeout)
  }
}

extension OperationEvent {
  /// As an operation hears it that hears every message.
  fileprivate init(everything message: IncomingMessage) {
    if case .deviceAuth(let payload) = message.body {
      self = .proof(payload)
    } else {
      self = .anything(message.namespace)
    }
  }
}

extension IncomingMessage {
  /// What a message of the platform or of a player changes.
  fileprivate var scope: Observation.Scope {
    switch body {
    case .receiver(.status): .receiver
    case .media(.status): .media
    case .media(.queueChange), .media(.queueItemIDs), .media(.queueItems), .media(.sessionState): .message
    case .receiver, .media, .multizone, .deviceInfo, .connection, .deviceAuth, .heartbeat, .other, .unreadable: .error
    }
  }
}
