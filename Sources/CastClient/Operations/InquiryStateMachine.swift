import CastProtocol

/// Asks the platform what changes nothing: which apps it can run, what kind of device it is. Done at the answer.
struct InquiryStateMachine: OperationStateMachine {
  private let request: OperationEffect.Request
  private let replyTimeout: Duration

  init(_ request: OperationEffect.Request, replyTimeout: Duration) {
    self.request = request
    self.replyTimeout = replyTimeout
  }

  var timeout: ClientError { ClientError(.timeout, "the device did not answer within \(replyTimeout)") }

  mutating func begin(at now: Duration) -> [OperationEffect] { [.request(request, within: replyTimeout)] }

  mutating func receive(_ event: OperationEvent, at now: Duration) -> [OperationEffect] {
    switch event {
    case .answered(let answer): [.finish(.success(.answer(answer)))]
    case .refused(let refusal, _, .own): [.finish(.failure(ClientError(refusal)))]
    case .expired: [.finish(.failure(timeout))]
    default: []
    }
  }
}
