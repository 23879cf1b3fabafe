import CastProtocol

/// Answers senders from a recording. Holds no clock: what is due is taken with ``due(at:)``, which is called after each
/// input and at ``nextDeadline``.
struct ReplayPlayer: Sendable {
  typealias Sender = ReceiverStateMachine.Sender

  /// What goes out.
  enum Delivery: Hashable, Sendable {
    case reply(CastMessage.Payload, Namespace, to: Sender)
    case everyone(CastMessage.Payload, Namespace, from: EndpointID)
    /// Ends the virtual connections to an app.
    case close(EndpointID)
  }

  /// What becomes of a request.
  enum Outcome: Hashable, Sendable {
    case known
    /// The recording has no such request.
    case unknown
  }

  /// How early a status request may come and still get its recorded answer.
  private static let lookTolerance = Duration.milliseconds(500)

  private let script: ReplayScript
  private(set) var identities: ReplayIdentities
  private var uses: [Int]
  /// The last command that was matched; -1 before the first.
  private var place = -1
  /// When that was.
  private var placeTime = Duration.zero
  private var hasOpened = false
  private var pending = ReplayQueue()
  /// The last statuses that were told, with the ids of the recording.
  private(set) var receiverStatus: JSONValue?
  private(set) var mediaStatus: JSONValue?
  /// When the last media status was told.
  private(set) var mediaTime = Duration.zero

  init(_ recording: Recording, seed: UInt64) {
    script = ReplayScript(recording)
    identities = ReplayIdentities(seed: seed)
    uses = Array(repeating: 0, count: script.exchanges.count)
    launchedApps = Set(
      script.exchanges.compactMap { $0.request.type == "LAUNCH" ? $0.request.object?["appId"]?.string : nil })
  }

  // MARK: inputs

  /// A sender connected to an endpoint.
  mutating func connected(_ sender: Sender, at now: Duration) {
    if !hasOpened, sender.endpoint == .receiver {
      hasOpened = true
      placeTime = now
      schedule(script.opening, for: nil, answering: nil, at: now)
    }
    let isApp = sender.endpoint != .receiver
    let next = script.exchanges.indices.first { index in
      let exchange = script.exchanges[index]
      guard exchange.kind == .connection, uses[index] == 0, !exchange.outputs.isEmpty else { return false }
      return isApp == (exchange.request.destination != .receiver)
    }
    if let next { play(next, for: sender, answering: nil, at: now) }
  }

  /// A request, or a message that wants no answer.
  mutating func receive(
    _ payload: CastMessage.Payload, on namespace: Namespace, from sender: Sender, at now: Duration
  ) -> Outcome {
    let payload = RecordedMessage.Payload(payload)
    let live = if case .json(let json) = payload { json.object } else { JSONObject?.none }
    let requestID = live.flatMap(ReceiverStateMachine.requestID)
    if namespace == .receiver || namespace == .media, requestID == nil { return .known }
    guard let index = match(payload, live, on: namespace, isForApp: sender.endpoint != .receiver, at: now) else {
      return answerByStatus(live, on: namespace, to: sender, requestID, at: now) ? .known : .unknown
    }
    play(index, for: sender, answering: requestID, at: now)
    return .known
  }

  /// Apps that the recording starts.
  let launchedApps: Set<String>

  /// Whether an app runs at `endpoint` now.
  func hasApp(at endpoint: EndpointID) -> Bool {
    runningApps.contains { app in
      app["transportId"]?.string.map { $0 == identities.recordedSession(endpoint.rawValue) } ?? false
    }
  }

  var runningApps: [JSONValue] { receiverStatus?["applications"]?.array ?? [] }

  // MARK: matching

  /// The request of the recording that this one is.
  private func match(
    _ payload: RecordedMessage.Payload, _ live: JSONObject?, on namespace: Namespace, isForApp: Bool, at now: Duration
  ) -> Int? {
    let fitting = script.exchanges.indices.filter { index in
      let request = script.exchanges[index].request
      guard request.namespace == namespace, script.exchanges[index].kind != .connection else { return false }
      if let destination = request.destination, (destination != .receiver) != isForApp { return false }
      guard let recorded = request.object, let live else { return request.payload == payload }
      return ReplayMatching.isSame(recorded, live, on: namespace) && hasSameSession(recorded, live)
    }
    guard let first = fitting.first else { return nil }
    let ahead = fitting.first { uses[$0] == 0 && $0 > place }
    if script.exchanges[first].kind == .status {
      // At any other time a request gets the current status.
      guard let ahead else { return nil }
      let isNow = script.exchanges.indices.allSatisfy { index in
        index <= place || index >= ahead || script.exchanges[index].kind != .command
      }
      return isNow && !isEarly(ahead, at: now) ? ahead : nil
    }
    return ahead ?? fitting.first { uses[$0] == 0 } ?? fitting.last
  }

  /// Whether a status was asked for much later in the recording: what it said is yet to come.
  private func isEarly(_ index: Int, at now: Duration) -> Bool {
    let before = place < 0 ? script.exchanges.first : script.exchanges[place]
    guard let then = script.exchanges[index].request.at, let start = before?.request.at else { return false }
    return then - start > now - placeTime + Self.lookTolerance
  }

  private func hasSameSession(_ recorded: JSONObject, _ live: JSONObject) -> Bool {
    if let old = recorded["mediaSessionId"]?.int, let new = live["mediaSessionId"]?.int,
      identities.recordedMedia(new) != old
    {
      return false
    }
    guard recorded["type"]?.string == "STOP", let old = recorded["sessionId"]?.string,
      let new = live["sessionId"]?.string
    else { return true }
    return identities.recordedSession(new) == old
  }

  // MARK: playing

  private mutating func play(_ index: Int, for sender: Sender, answering requestID: Int?, at now: Duration) {
    let exchange = script.exchanges[index]
    if exchange.kind == .command, index > place {
      // What the recording has before this request comes before it.
      pending.hurry(to: now)
      place = index
      placeTime = now
    }
    if uses[index] > 0, ["LAUNCH", "LOAD", "QUEUE_LOAD"].contains(exchange.request.type) {
      for output in exchange.outputs where output.isAnswer { identities.renew(by: output.message) }
    }
    uses[index] += 1
    schedule(exchange.outputs, for: sender, answering: requestID, at: now)
  }

  /// Lets all that the recording has behind a request wait for its time. Only who asks for the same again and again finds no
  /// room.
  private mutating func schedule(
    _ outputs: [ReplayScript.Output], for sender: Sender?, answering requestID: Int?, at now: Duration
  ) {
    let room = max(ReceiverLimits.delayedMessages, script.outputCount)
    var outputs = outputs
    if pending.count >= room {
      // With so much pending, only answers are kept, as their senders wait for them; with far more, nothing is.
      outputs = pending.count < room + 3 * ReceiverLimits.delayedMessages ? outputs.filter(\.isAnswer) : []
    }
    pending.add(
      outputs.map { output in
        .init(due: now + output.delay, output: output, sender: sender, requestID: output.isAnswer ? requestID : nil)
      })
  }

  var nextDeadline: Duration? { pending.nextDeadline }

  /// What goes out by `now`.
  mutating func due(at now: Duration) -> [Delivery] {
    var deliveries: [Delivery] = []
    while let next = pending.take(by: now) {
      if let delivery = deliver(next, at: now) { deliveries.append(delivery) }
    }
    return deliveries
  }

  private mutating func deliver(_ pending: ReplayQueue.Entry, at now: Duration) -> Delivery? {
    let message = pending.output.message
    note(message, at: now)
    if pending.output.isOnlyKnown { return nil }
    let source = endpoint(of: message, pending.sender)
    if message.namespace == .connection { return source == .receiver ? nil : .close(source) }
    let payload = identities.live(message.payload, answering: pending.requestID).sent
    let isForAll = message.destination.map { $0 == .everyone } ?? Self.isOfEveryone(message)
    if !isForAll, let sender = pending.sender, sender.endpoint == source {
      return .reply(payload, message.namespace, to: sender)
    }
    return .everyone(payload, message.namespace, from: source)
  }

  /// Whether devices send it to all, where the recording does not say to whom it went.
  private static func isOfEveryone(_ message: RecordedMessage) -> Bool {
    ["RECEIVER_STATUS", "MEDIA_STATUS"].contains(message.type)
  }

  /// Where a message comes from now.
  private mutating func endpoint(of message: RecordedMessage, _ sender: Sender?) -> EndpointID {
    if let source = message.source { return identities.live(source) }
    if message.namespace == .receiver || message.namespace == .multizone { return .receiver }
    if let sender { return sender.endpoint }
    return (runningApps.first?["transportId"]?.string).map { EndpointID(identities.live($0)) } ?? .receiver
  }

  // MARK: statuses

  /// Keeps how things are, for those who look.
  private mutating func note(_ message: RecordedMessage, at now: Duration) {
    guard let object = message.object else { return }
    switch (message.namespace, object["type"]?.string) {
    case (.receiver, "RECEIVER_STATUS"):
      let before = runningApps.first?["sessionId"]
      receiverStatus = object["status"]
      if runningApps.first?["sessionId"] != before { mediaStatus = nil }
    case (.media, "MEDIA_STATUS"):
      mediaTime = now
      guard var status = object["status"]?.array?.first?.object else {
        mediaStatus = nil
        return
      }
      // Most statuses leave out what has not changed (docs/protocol.md 4.4).
      if let old = mediaStatus?.object, old["mediaSessionId"] == status["mediaSessionId"] {
        var merged = old
        // Except a break, which is over where it is not told.
        merged["breakStatus"] = nil
        for member in status.members { merged[member.name] = member.value }
        status = merged
      }
      mediaStatus = .object(status)
    default: return
    }
  }

  private mutating func answerByStatus(
    _ request: JSONObject?, on namespace: Namespace, to sender: Sender, _ requestID: Int?, at now: Duration
  ) -> Bool {
    guard let requestID, request?["type"]?.string == "GET_STATUS" else { return false }
    let answer: JSONValue
    switch namespace {
    case .receiver:
      let idle: JSONValue = ["volume": ["controlType": "attenuation", "level": 1, "muted": false]]
      answer = ["requestId": 0, "status": receiverStatus ?? idle, "type": "RECEIVER_STATUS"]
    case .media: answer = ["requestId": 0, "status": .array(mediaStatus.map { [$0] } ?? []), "type": "MEDIA_STATUS"]
    default: return false
    }
    var message = RecordedMessage(.toSender, namespace, .json(answer))
    message.destination = EndpointID(sender.id.rawValue)
    message.source = nil
    let output = ReplayScript.Output(message: message, delay: .zero, isAnswer: true)
    schedule([output], for: sender, answering: requestID, at: now)
    return true
  }
}
