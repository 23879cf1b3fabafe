import CastProtocol
import CastTransport

/// Waits for a proof that only informs, while the connection is used already.
struct ProofStateMachine: OperationStateMachine {
  private let exchange: AuthenticationExchange
  private let deadline: Duration
  /// The proof has come, and what it is worth is being found out.
  private var isBeingJudged: Bool

  init(_ exchange: AuthenticationExchange, isBeingJudged: Bool = false, until deadline: Duration) {
    self.exchange = exchange
    self.isBeingJudged = isBeingJudged
    self.deadline = deadline
  }

  var hearsEverything: Bool { true }
  var bringsProof: Bool { true }
  var wakeAt: Duration? { isBeingJudged ? nil : deadline }
  var timeout: ClientError { ClientError(.timeout, "no proof came") }

  mutating func begin(at now: Duration) -> [OperationEffect] { [] }

  mutating func receive(_ event: OperationEvent, at now: Duration) -> [OperationEffect] {
    switch event {
    case .proof(let payload) where !isBeingJudged:
      if let report = exchange.reportAtOnce(on: payload) { return [.finish(.success(.opened(report)))] }
      isBeingJudged = true
      return [.judge(exchange, payload)]
    case .judged(let report) where isBeingJudged:
      isBeingJudged = false
      return [.finish(.success(.opened(report)))]
    default: return []
    }
  }

  mutating func timerFired(at now: Duration) -> [OperationEffect] {
    deadline <= now && !isBeingJudged ? [.finish(.success(.opened(exchange.reportOnSilence)))] : []
  }
}
