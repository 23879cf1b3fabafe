import CastProtocol
import CastTransport

/// Waits for a proof that only informs, while the connection is used already.
struct ProofStateMachine: OperationStateMachine {
  private let exchange: AuthenticationExchange
  private let deadline: Duration

  init(_ exchange: AuthenticationExchange, until deadline: Duration) {
    self.exchange = exchange
    self.deadline = deadline
  }

  var hearsEverything: Bool { true }
  var bringsProof: Bool { true }
  var wakeAt: Duration? { deadline }
  var timeout: ClientError { ClientError(.timeout, "no proof came") }

  mutating func begin(at now: Duration) -> [OperationEffect] { [] }

  mutating func receive(_ event: OperationEvent, at now: Duration) -> [OperationEffect] {
    guard case .proof(let payload) = event else { return [] }
    return [.finish(.success(.opened(exchange.report(on: payload))))]
  }

  mutating func timerFired(at now: Duration) -> [OperationEffect] {
    deadline <= now ? [.finish(.success(.opened(exchange.reportOnSilence)))] : []
  }
}
