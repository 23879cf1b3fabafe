import CastProtocol

/// Sends one message on a namespace of an app or the platform; done as soon as it is out.
///
/// An app has to offer the namespace. Some list theirs only a moment after they began, so the device is asked again
/// before the message is refused (docs/protocol.md 3.3). A channel may be named before there is an app: the message
/// waits until one runs that offers the namespace, whoever started it, and connects to it.
struct SendStateMachine: OperationStateMachine {
  /// Who gets it.
  enum Target: Hashable, Sendable {
    case platform
    case app(AppSession)
    /// The first app that offers the namespace.
    case nextApp
  }

  /// What namespaces begin with; anything else no receiver routes.
  static let prefix = "urn:x-cast:"
  /// How long an app may take to list a namespace.
  static let patience = Duration.seconds(2)
  static let pollInterval = Duration.milliseconds(500)

  private let namespace: Namespace
  private let payload: CastMessage.Payload
  private var target: Target
  private var running: ReceiverStatus.Application?
  private var giveUpAt: Duration?
  private var nextPoll: Duration?
  /// Whether we have connected to the app ourselves.
  private var hasEntered = false

  /// - Parameter running: What runs now.
  init(
    _ payload: CastMessage.Payload, on namespace: Namespace, to target: Target, running: ReceiverStatus.Application?
  ) {
    self.payload = payload
    self.namespace = namespace
    self.target = target
    self.running = running
  }

  var opensAppConnection: Bool { hasEntered }
  var session: AppSession? { if case .app(let session) = target { session } else { nil } }
  // What an app does with a message of its own is nobody else's doing.
  var changes: Set<OtherSenderAction.Subject> { target == .platform ? [] : [.media] }
  var wakeAt: Duration? { nextPoll }
  var timeout: ClientError {
    target == .nextApp
      ? ClientError(.timeout, "no app came that offers the namespace \(namespace.rawValue)") : notOffered
  }

  mutating func begin(at now: Duration) -> [OperationEffect] {
    guard namespace.rawValue.hasPrefix(Self.prefix), namespace.rawValue.utf8.count > Self.prefix.utf8.count else {
      let error = ClientError(
        .refusedLocally, "a namespace begins with `\(Self.prefix)`", help: "such as `urn:x-cast:com.example.player`")
      return [.finish(.failure(error))]
    }
    switch target {
    case .platform: return send(to: .receiver)
    case .nextApp: return running.map { enter($0, at: now) } ?? []
    case .app(let session):
      if isOffered(by: session) { return send(to: session.transportID) }
      giveUpAt = now + Self.patience
      return poll(at: now)
    }
  }

  /// Connects to the app if it is the one that was waited for; the message follows in the next step, when the
  /// connection knows the app.
  private mutating func enter(_ app: ReceiverStatus.Application, at now: Duration) -> [OperationEffect] {
    guard let transportID = app.transportID, app.namespaces.contains(namespace) else { return [] }
    running = app
    target = .app(
      AppSession(appID: app.appID, sessionID: app.sessionID, transportID: transportID, isOurs: false))
    hasEntered = true
    nextPoll = now
    return [.connect(transportID)]
  }

  mutating func receive(_ event: OperationEvent, at now: Duration) -> [OperationEffect] {
    switch (target, event) {
    case (.nextApp, .receiverStatus(let status, _)):
      return status.application.map { enter($0, at: now) } ?? []
    case (.app(let session), .receiverStatus(let status, _)):
      guard let app = status.application, app.sessionID == session.sessionID else { return [] }
      running = app
      return isOffered(by: session) ? send(to: session.transportID) : []
    default:
      return []
    }
  }

  mutating func timerFired(at now: Duration) -> [OperationEffect] {
    guard let nextPoll, nextPoll <= now else { return [] }
    if hasEntered, case .app(let session) = target { return send(to: session.transportID) }
    if let giveUpAt, now >= giveUpAt { return [.finish(.failure(notOffered))] }
    return poll(at: now)
  }

  private mutating func poll(at now: Duration) -> [OperationEffect] {
    nextPoll = now + Self.pollInterval
    return [.request(.receiver(.getStatus), within: Self.patience)]
  }

  private mutating func send(to endpoint: EndpointID) -> [OperationEffect] {
    nextPoll = nil
    return [.message(namespace, payload, to: endpoint), .finish(.success(.done))]
  }

  private func isOffered(by session: AppSession) -> Bool {
    running?.sessionID == session.sessionID && running?.namespaces.contains(namespace) == true
  }

  private var notOffered: ClientError {
    let offered = running?.sessionID == session?.sessionID ? running?.ownNamespaces ?? [] : []
    let own = offered.map(\.rawValue)
    let list = own.isEmpty ? "it offers none of its own" : "it offers \(own.prefix(5).joined(separator: ", "))"
    return ClientError(
      .invalidRequest, "\(session?.appID ?? "the app") does not offer the namespace \(namespace.rawValue): \(list)",
      help: "check the spelling, and that the app is the one that knows this namespace")
  }
}
