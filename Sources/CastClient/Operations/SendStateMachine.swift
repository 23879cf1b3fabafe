import CastProtocol

/// Sends one message on a namespace of an app or the platform; done as soon as it is out.
///
/// An app has to offer the namespace. Some list theirs only a moment after they began, so the device is asked again
/// before the message is refused (cast-protocol.md 3.3).
struct SendStateMachine: OperationStateMachine {
  /// What namespaces begin with; anything else no receiver routes.
  static let prefix = "urn:x-cast:"
  /// How long an app may take to list a namespace.
  static let patience = Duration.seconds(2)
  static let pollInterval = Duration.milliseconds(500)

  private let namespace: Namespace
  private let payload: CastMessage.Payload
  /// `nil`: the platform.
  private let target: AppSession?
  private var offered: [Namespace]
  private var giveUpAt: Duration?
  private var nextPoll: Duration?

  /// - Parameter running: What runs now.
  init(
    _ payload: CastMessage.Payload, on namespace: Namespace, to target: AppSession?,
    running: ReceiverStatus.Application?
  ) {
    self.payload = payload
    self.namespace = namespace
    self.target = target
    offered = running?.sessionID == target?.sessionID ? running?.namespaces ?? [] : []
  }

  var session: AppSession? { target }
  var wakeAt: Duration? { nextPoll }
  var timeout: ClientError { notOffered }

  mutating func begin(at now: Duration) -> [OperationEffect] {
    guard namespace.rawValue.hasPrefix(Self.prefix), namespace.rawValue.utf8.count > Self.prefix.utf8.count else {
      let error = ClientError(
        .refusedLocally, "a namespace begins with `\(Self.prefix)`", help: "such as `urn:x-cast:com.example.player`")
      return [.finish(.failure(error))]
    }
    if isOffered { return send() }
    giveUpAt = now + Self.patience
    return poll(at: now)
  }

  mutating func receive(_ event: OperationEvent, at now: Duration) -> [OperationEffect] {
    guard case .receiverStatus(let status, _) = event, let app = status.application,
      app.sessionID == target?.sessionID
    else { return [] }
    offered = app.namespaces
    return isOffered ? send() : []
  }

  mutating func timerFired(at now: Duration) -> [OperationEffect] {
    guard let nextPoll, nextPoll <= now else { return [] }
    if let giveUpAt, now >= giveUpAt { return [.finish(.failure(notOffered))] }
    return poll(at: now)
  }

  private mutating func poll(at now: Duration) -> [OperationEffect] {
    nextPoll = now + Self.pollInterval
    return [.request(.receiver(.getStatus), within: Self.patience)]
  }

  private mutating func send() -> [OperationEffect] {
    nextPoll = nil
    return [
      .message(namespace, payload, to: target?.transportID ?? .receiver), .finish(.success(.done)),
    ]
  }

  private var isOffered: Bool { target == nil || offered.contains(namespace) }

  private var notOffered: ClientError {
    let own = offered.filter { !$0.isOfPlatform }.map(\.rawValue)
    let list = own.isEmpty ? "it offers none of its own" : "it offers \(own.prefix(5).joined(separator: ", "))"
    return ClientError(
      .invalidRequest, "\(target?.appID ?? "the app") does not offer the namespace \(namespace.rawValue): \(list)",
      help: "check the spelling, and that the app is the one that knows this namespace")
  }
}

extension Namespace {
  /// Whether it belongs to the connection, the platform or its media player rather than to an app.
  var isOfPlatform: Bool { rawValue.hasPrefix("urn:x-cast:com.google.cast.") }
}
