import CastProtocol

/// Asks an app for what another device needs to go on where it stands (docs/protocol.md 3.7).
struct StoreSessionStateMachine: OperationStateMachine {
  private let target: AppSession
  private let mediaSessionID: Int
  private let replyTimeout: Duration

  init(_ target: AppSession, mediaSessionID: Int, replyTimeout: Duration) {
    self.target = target
    self.mediaSessionID = mediaSessionID
    self.replyTimeout = replyTimeout
  }

  var session: AppSession? { target }
  var needsMedia: Bool { true }
  var timeout: ClientError { ClientError(.timeout, "no SESSION_STATE came") }

  mutating func begin(at now: Duration) -> [OperationEffect] {
    let object: JSONObject = ["type": "STORE_SESSION", "mediaSessionId": .int(mediaSessionID)]
    return [.request(.raw(.sessionState, object, to: target.transportID), within: replyTimeout)]
  }

  mutating func receive(_ event: OperationEvent, at now: Duration) -> [OperationEffect] {
    switch event {
    case .news(.sessionState(_, let state), let content, target.transportID, .own):
      guard let state else {
        return [.finish(.failure(ClientError(.invalidRequest, "SESSION_STATE holds no state", wire: content)))]
      }
      return [.finish(.success(.sessionState(.object(state.json))))]
    case .refused(let refusal, target.transportID, .own): return [.finish(.failure(ClientError(refusal)))]
    case .expired: return [.finish(.failure(timeout))]
    default: return []
    }
  }
}
