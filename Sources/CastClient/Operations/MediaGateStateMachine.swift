package import CastProtocol

/// An operation on media in an app that does not list the media namespace: the device is asked before it is refused.
///
/// An app that was entered a moment ago may list it late (quirk 5) and gets that moment; any other is asked once.
struct MediaGateStateMachine: OperationStateMachine {
  /// How long after it was entered an app may list its namespaces.
  static let patience = Duration.seconds(2)
  static let pollInterval = Duration.milliseconds(500)

  private var operation: any OperationStateMachine
  private let replyTimeout: Duration
  private let patienceEnd: Duration
  private var listed: ReceiverStatus.Application?
  private var hasBegun = false
  private var nextPoll: Duration?

  /// - Parameters:
  ///   - listed: The app as the device lists it.
  ///   - connectedAt: When this connection connected to it, on the network clock.
  init(
    _ operation: any OperationStateMachine, listed: ReceiverStatus.Application?, connectedAt: Duration,
    replyTimeout: Duration
  ) {
    self.operation = operation
    self.listed = listed
    self.replyTimeout = replyTimeout
    patienceEnd = connectedAt + Self.patience
  }

  var session: AppSession? { operation.session }
  var isLoading: Bool { operation.isLoading }
  var changes: Set<OtherSenderAction.Subject> { operation.changes }
  var wakeAt: Duration? { hasBegun ? operation.wakeAt : nextPoll }
  var timeout: ClientError { hasBegun ? operation.timeout : .noMedia(listed) }

  mutating func begin(at now: Duration) -> [OperationEffect] { poll(at: now) }

  mutating func receive(_ event: OperationEvent, at now: Duration) -> [OperationEffect] {
    if hasBegun { return operation.receive(event, at: now) }
    switch event {
    case .receiverStatus(let status, let correlation):
      guard let app = status.application, app.sessionID == session?.sessionID else { return [] }
      listed = app
      if app.namespaces.contains(.media) {
        hasBegun = true
        return operation.begin(at: now)
      }
      return correlation == .own(.receiverStatus) && now >= patienceEnd ? [refusal] : []
    case .refused(_, _, .own(.receiverStatus)), .expired(.receiverStatus):
      return now >= patienceEnd ? [refusal] : []
    default:
      return []
    }
  }

  mutating func timerFired(at now: Duration) -> [OperationEffect] {
    if hasBegun { return operation.timerFired(at: now) }
    guard let nextPoll, nextPoll <= now else { return [] }
    return poll(at: now)
  }

  private mutating func poll(at now: Duration) -> [OperationEffect] {
    nextPoll = now < patienceEnd ? now + Self.pollInterval : nil
    return [.request(.receiver(.getStatus), within: replyTimeout)]
  }

  private var refusal: OperationEffect { .finish(.failure(.noMedia(listed))) }
}

extension ClientError {
  /// The app that runs plays no media.
  package static func noMedia(_ app: ReceiverStatus.Application?) -> ClientError {
    let name = app.map { $0.displayName.isEmpty ? $0.appID : "\($0.displayName) (\($0.appID))" } ?? "the app"
    let own = app?.ownNamespaces ?? []
    if let app, app.namespaces.isEmpty {
      // To launch it again would change nothing.
      return ClientError(
        .invalidState, "\(name) lists no namespaces, so nothing can be played in it",
        help: "it may list them later: try again, or launch another app")
    }
    let help =
      own.isEmpty
      ? "launch an app that does, such as CC1AD845"
      : "launch an app that does, or send it a message on \(own.prefix(3).map(\.rawValue).joined(separator: " or "))"
    return ClientError(.invalidState, "\(name) plays no media", help: help)
  }
}
