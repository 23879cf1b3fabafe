import CastProtocol

/// Asks the platform or an app for its full status; done at the reply.
struct RefreshStateMachine: OperationStateMachine {
  private let target: AppSession?
  private let replyTimeout: Duration
  private let connects: Bool

  /// Asks the platform; `connects` sends the CONNECT that begins everything in the same write.
  init(connects: Bool = false, replyTimeout: Duration) {
    target = nil
    self.connects = connects
    self.replyTimeout = replyTimeout
  }

  /// Asks an app.
  init(_ target: AppSession, replyTimeout: Duration) {
    self.target = target
    connects = false
    self.replyTimeout = replyTimeout
  }

  var session: AppSession? { target }
  var needsMedia: Bool { target != nil }
  var timeout: ClientError {
    ClientError(.timeout, "no \(target == nil ? "RECEIVER_STATUS" : "MEDIA_STATUS") came within \(replyTimeout)")
  }

  mutating func begin(at now: Duration) -> [OperationEffect] {
    if let target { return [.request(.media(.getStatus, to: target.transportID), within: replyTimeout)] }
    let ask = OperationEffect.request(.receiver(.getStatus), within: replyTimeout)
    return connects ? [.connect(.receiver), ask] : [ask]
  }

  mutating func receive(_ event: OperationEvent, at now: Duration) -> [OperationEffect] {
    switch event {
    case .receiverStatus(_, .own(.receiverStatus)): [.finish(.success(.done))]
    // Opening takes any status, whoever it answers.
    case .receiverStatus where connects: [.finish(.success(.done))]
    case .mediaStatus(_, _, .own(.mediaStatus)): [.finish(.success(.done))]
    case .refused(let refusal, _, .own): [.finish(.failure(ClientError(refusal)))]
    case .expired: [.finish(.failure(timeout))]
    default: []
    }
  }
}
