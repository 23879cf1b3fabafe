import CastProtocol

/// Takes up an app session again after the connection was made anew: nothing is pushed to a sender that comes back
/// (quirk 25), so it connects to the app and asks what it plays.
///
/// Done when the app has told, whether asked or by itself; ends with `app_gone` where nothing runs, with `taken_over`
/// where something else does.
struct ResumeStateMachine: OperationStateMachine {
  private let before: AppSession
  /// What was loaded there; `nil`: nothing of ours, or nothing certain.
  private let mediaSession: Int?
  private let running: ReceiverStatus.Application?
  private let replyTimeout: Duration
  private var entered: AppSession?

  /// - Parameter status: What the device says of itself since the connection is open.
  init(_ before: AppSession, playing mediaSession: Int?, status: ReceiverStatus?, replyTimeout: Duration) {
    self.before = before
    self.mediaSession = mediaSession
    running = status?.application
    self.replyTimeout = replyTimeout
  }

  var session: AppSession? { entered }
  var opensAppConnection: Bool { true }
  var timeout: ClientError { ClientError(.timeout, "\(before.appID) did not say what it plays") }

  mutating func begin(at now: Duration) -> [OperationEffect] {
    var status = ReceiverStatus()
    status.application = running
    if let error = AppConnections.loss(of: before, in: status) { return [.finish(.failure(error))] }
    // Its transport id may be another now.
    guard let transportID = running?.transportID else { return [.finish(.failure(AppConnections.gone))] }
    var session = before
    session.transportID = transportID
    entered = session
    // Without media there is nothing to ask.
    guard running?.namespaces.contains(.media) == true else {
      return [.connect(transportID), .finish(.success(.session(session)))]
    }
    return [.connect(transportID), .request(.media(.getStatus, to: transportID), within: replyTimeout)]
  }

  mutating func receive(_ event: OperationEvent, at now: Duration) -> [OperationEffect] {
    guard let entered else { return [] }
    switch event {
    case .mediaStatus(let status, entered.transportID, .own(.mediaStatus)):
      return [end(status, in: entered)]
    case .mediaStatus(let status?, entered.transportID, _) where status.isActive && !status.contentNames.isEmpty:
      // The answer may be lost. One that names no content says too little: what plays could not be told from others'.
      return [end(status, in: entered)]
    case .refused(_, _, .own(.mediaStatus)), .expired(.mediaStatus):
      // An app that does not say what it plays is still ours.
      return [.finish(.success(.session(entered)))]
    default:
      return []
    }
  }

  private func end(_ status: MediaStatus?, in entered: AppSession) -> OperationEffect {
    .finish(isAnothers(status) ? .failure(Self.replaced(by: status)) : .success(.session(entered)))
  }

  private func isAnothers(_ status: MediaStatus?) -> Bool {
    guard let status, status.isActive, let mediaSession else { return false }
    return status.mediaSessionID != mediaSession
  }

  private static func replaced(by status: MediaStatus?) -> ClientError {
    let content = status?.media ?? status?.extendedMedia
    let what = content?.metadata?["title"]?.string ?? content?.contentID
    return ClientError(
      .takenOver, "another sender loaded \(what.map { "`\($0)`" } ?? "other media") while the connection was lost")
  }
}
