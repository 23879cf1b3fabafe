import CastProtocol

/// Stops an app; done when a RECEIVER_STATUS no longer lists its session.
///
/// Some devices answer with the request's id, some only tell everybody (docs/protocol.md 3.1).
struct StopAppStateMachine: OperationStateMachine {
  private let target: AppSession
  private let isRunning: Bool

  /// - Parameter running: What runs now.
  init(_ target: AppSession, running: ReceiverStatus.Application?) {
    self.target = target
    isRunning = running?.sessionID == target.sessionID
  }

  var changes: Set<OtherSenderAction.Subject> { [.app, .media] }
  var timeout: ClientError { ClientError(.timeout, "\(target.appID) still runs after STOP") }

  mutating func begin(at now: Duration) -> [OperationEffect] {
    isRunning ? [.request(.receiver(.stop(sessionID: target.sessionID)))] : [.finish(.success(.done))]
  }

  mutating func receive(_ event: OperationEvent, at now: Duration) -> [OperationEffect] {
    switch event {
    case .receiverStatus(let status, _) where status.application?.sessionID != target.sessionID:
      return [.finish(.success(.done))]
    case .refused(let refusal, _, .own(.stopApp)):
      // A session the device does not know is one that does not run.
      return [.finish(refusal.reason == "INVALID_SESSION_ID" ? .success(.done) : .failure(ClientError(refusal)))]
    default:
      return []
    }
  }
}
