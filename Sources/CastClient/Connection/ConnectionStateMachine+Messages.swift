import CastProtocol

/// What goes over the wire: requests out, and what the device says in.
extension ConnectionStateMachine {
  // MARK: sending

  static let connectMessage = ConnectionRequest.connect(userAgent: "showcaller").json
  static let closeMessage = ConnectionRequest.close(reason: .closedBySelf).json

  mutating func send(
    _ request: OperationEffect.Request, owner: Int?, within limit: Duration?, at now: Moment
  ) {
    let pending = requests.issue(
      request.role, owner: owner, peer: request.destination, deadline: limit.map { now.network + $0 })
    let namespace = request.role.namespace
    let json = request.json(requestID: pending.id)
    let contents = request.contents
    requests.describe(
      id: pending.id, as: json["type"]?.string ?? "message", sentAt: now.show, contents: contents)
    if pending.role == .load { apps.noteLoad(of: contents, in: request.destination) }
    if let error = post(namespace, to: request.destination, json, at: now) {
      requests.close(id: pending.id)
      if let owner { finish(owner, .failure(error)) }
    } else {
      channel.creditReply()
    }
  }

  /// Puts a message behind those of this step; returns why it cannot be sent.
  @discardableResult
  mutating func post(
    _ namespace: Namespace, to destination: EndpointID, _ json: JSONValue, at now: Moment
  ) -> ClientError? {
    post(namespace, to: destination, .text(json.serialized()), at: now)
  }

  @discardableResult
  mutating func post(
    _ namespace: Namespace, to destination: EndpointID, _ payload: CastMessage.Payload, at now: Moment
  ) -> ClientError? {
    let message = CastMessage(source: .sender, destination: destination, namespace: namespace, payload: payload)
    do {
      outgoing.append(try ChannelStateMachine.encode([message]))
    } catch {
      let help = "leave out metadata, tracks or customData"
      return ClientError(.refusedLocally, "the message is too long for one frame of 64 KiB", help: help)
    }
    tap(.sent(message))
    return nil
  }

  /// Hands the messages of this step to the socket.
  mutating func flush() {
    guard !outgoing.isEmpty else { return }
    effects.append(.send(outgoing))
    outgoing = []
  }

  // MARK: receiving

  mutating func perform(_ channelEffects: [ChannelStateMachine.Effect], at now: Moment) {
    for effect in channelEffects {
      switch effect {
      case .send(let bytes):
        effects.append(.send([bytes]))
        tapHeartbeat(bytes)
      case .close(let failure): abandon(ClientError(failure), at: now)
      case .heartbeat(let message): tap(.received(message))
      case .oddity(let oddity): effects.append(.odd(oddity))
      case .deliver(let message):
        if isOpen { receive(message, at: now) }
      }
    }
  }

  private mutating func receive(_ message: CastMessage, at now: Moment) {
    tap(.received(message))
    for operation in operations where operation.machine.hearsEverything {
      let isProof = message.namespace == .deviceAuth
      tell(operation.token, isProof ? .proof(message.payload) : .anything(message.namespace), at: now)
    }
    if message.namespace == .deviceDiscovery, case .text(let text) = message.payload,
      let json = try? JSONValue(parsing: text),
      let received = ReceivedMessage(source: message.source, namespace: message.namespace, json: json),
      answerInquiry(received, at: now)
    {
      return
    }
    if message.namespace == .multizone, message.source == .receiver, case .text(let text) = message.payload,
      let json = try? JSONValue(parsing: text)
    {
      tracker.receive(json, namespace: .multizone, from: .receiver, at: now.show)
      observe(.push, .message, json, on: .multizone, bytes: message.payload.byteCount, at: now)
      history.noteMessage(bytes: message.payload.byteCount)
      if let received = ReceivedMessage(source: message.source, namespace: .multizone, json: json) {
        _ = answerInquiry(received, at: now)
      }
      return
    }
    if isOfApp(message) {
      let bytes = message.payload.byteCount
      observe(.push, .message, message.payload.asJSON, on: message.namespace, bytes: bytes, at: now)
      return history.noteMessage(bytes: bytes)
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

  /// Whether it is on a namespace that only the app, or a part of the platform that we do not speak, knows.
  private func isOfApp(_ message: CastMessage) -> Bool {
    switch message.namespace {
    case .connection, .heartbeat, .deviceAuth, .receiver, .media: false
    default: message.source == .receiver || apps.contains(message.source)
    }
  }

  /// Gives the reply to an inquiry to who asked; false for anything else.
  private mutating func answerInquiry(_ received: ReceivedMessage, at now: Moment) -> Bool {
    guard let request = requests.request(answeredBy: received), request.role.isInquiry, Refusal(received) == nil else {
      return false
    }
    requests.close(id: request.id)
    if let owner = request.owner { tell(owner, .answered(received.json), at: now) }
    return true
  }

  /// What apps tell of queues and sessions besides their status.
  private static let news = ["QUEUE_CHANGE", "QUEUE_ITEM_IDS", "QUEUE_ITEMS", "SESSION_STATE"]

  /// The message in its app's own name: some answer media requests in another.
  private mutating func named(_ received: ReceivedMessage) -> ReceivedMessage {
    guard received.namespace == .media, !apps.contains(received.source),
      let app = apps.current(in: snapshot.receiver)
    else { return received }
    if !apps.speaks(received.source, for: app) {
      let element = received.json["status"].map { $0.array?.first ?? $0 }
      let contents = element?["media"].flatMap { MediaInformation($0) }?.names ?? []
      guard requests.isAnswerToLoad(received.requestID, playing: contents) else { return received }
      apps.noteName(received.source, of: app)
    }
    var received = received
    received.source = app.transportID
    return received
  }

  private mutating func receive(_ received: ReceivedMessage, from message: CastMessage, at now: Moment) {
    let received = named(received)
    let request = requests.request(answeredBy: received)
    if answerInquiry(received, at: now) { return }
    let scope: Observation.Scope
    switch (received.namespace, received.type) {
    case (.receiver, "RECEIVER_STATUS"): scope = .receiver
    case (.media, "MEDIA_STATUS"): scope = .media
    case (.media, let type) where Self.news.contains(type): scope = .message
    default: scope = .error
    }
    // What an app says whose session is over, or that we never talked to, is nothing to us (docs/protocol.md 4.4).
    if received.namespace == .media, !apps.contains(received.source) { return }
    let change = tracker.receive(received.json, namespace: received.namespace, from: received.source, at: now.show)
    if change == nil, scope != .error, scope != .message { return }
    let isPolled = request?.role.isPoll ?? false
    if let request, let outcome = Self.outcome(of: request, by: received, scope) {
      requests.close(id: request.id)
      tell(request, outcome)
    }
    observe(
      isPolled ? .polled : .push, scope, received.json, on: received.namespace, bytes: message.payload.byteCount,
      isAnswer: request != nil, at: now)
    guard !operations.isEmpty || scope == .media else {
      if scope == .receiver { apps.keepListed(in: snapshot.receiver) }
      return
    }

    let make: (Correlation) -> OperationEvent?
    switch scope {
    case .receiver:
      guard let status = snapshot.receiver else { return }
      make = { .receiverStatus(status, $0) }
    case .media:
      let status = snapshot.mediaSource == received.source ? snapshot.media : nil
      apps.planFollowUp(status, from: received.source, at: now.network)
      make = { .mediaStatus(status, from: received.source, $0) }
    case .message:
      make = { .news(received.type, received.json, from: received.source, $0) }
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

  /// How `message`, which answers `request`, ends it; `nil` where only the operation can tell.
  private static func outcome(
    of request: RequestStateMachine.Pending, by message: ReceivedMessage, _ scope: Observation.Scope
  ) -> RequestRecord.Outcome? {
    if scope == .error { return Refusal(message).map { .init(.failure(ClientError($0)), of: request.role.asCommand) } }
    return request.role.isPoll || request.role == .stopApp ? .completed : nil
  }

  // MARK: losing apps

  /// Ends what belongs to apps the newest status does not list any more.
  private mutating func dropLostSessions(at now: Moment) {
    for operation in operations {
      guard let session = operation.machine.session else { continue }
      if let error = AppConnections.loss(of: session, in: snapshot.receiver) {
        finish(operation.token, .failure(error))
      } else if operation.orphanedUntil != nil {
        finish(operation.token, .failure(ClientError(.appGone, "the app closed its virtual connection")))
      }
    }
    apps.keepListed(in: snapshot.receiver)
  }

  /// CLOSE: from an app its end, from the platform that of everything (docs/protocol.md 2.3).
  private mutating func closed(_ source: EndpointID, _ json: JSONValue, at now: Moment) {
    if source == .receiver {
      return abandon(ClientError(.connectionLost, "the device closed the virtual connection"), at: now)
    }
    guard apps.contains(source) else { return }
    apps.disconnect(source)
    tracker.appClosed(source)
    observe(.push, .connection, json, at: now)
    for index in operations.indices where operations[index].machine.session?.transportID == source {
      operations[index].orphanedUntil = now.network + Self.closeGrace
    }
    // Gone, replaced, or only tired of us: the platform knows.
    send(.receiver(.getStatus), owner: nil, within: configuration.replyTimeout, at: now)
  }
}

extension CastMessage.Payload {
  fileprivate var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    }
  }

  /// What a message says: its JSON, else `text`, or `hex` and the number of `bytes` (docs/protocol.md 1.3).
  var asJSON: JSONValue {
    switch self {
    case .text(let text): return (try? JSONValue(parsing: text)) ?? ["text": .string(text)]
    case .binary(let bytes):
      let digits = Array("0123456789abcdef".utf8)
      let hex = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
      return ["bytes": .int(bytes.count), "hex": .string(String(decoding: hex, as: UTF8.self))]
    }
  }
}
