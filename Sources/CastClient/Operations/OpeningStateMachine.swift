import CastProtocol
import CastTransport

/// Opens a connection: the device's proof as far as one is asked, CONNECT, the first RECEIVER_STATUS.
///
/// Where proof is required nothing else is sent before it holds. Where it is only reported, challenge, CONNECT and
/// GET_STATUS leave in one write, and nothing waits for the proof: it may come later (see ``ProofStateMachine``).
struct OpeningStateMachine: OperationStateMachine {
  private let exchange: AuthenticationExchange?
  private let connects: Bool
  private var refresh: RefreshStateMachine
  private var report: DeviceAuthReport?
  private var proofDeadline: Duration?
  /// The proof has come, and what it is worth is being found out.
  private var isBeingJudged = false

  /// - Parameter connects: False to hear the proof and no more.
  init(_ exchange: AuthenticationExchange?, connects: Bool = true, replyTimeout: Duration) {
    self.exchange = exchange
    self.connects = connects
    refresh = RefreshStateMachine(connects: true, replyTimeout: replyTimeout)
  }

  var timeout: ClientError { refresh.timeout }
  var hearsEverything: Bool { true }
  var bringsProof: Bool { exchange != nil }
  var wakeAt: Duration? { report == nil && !isBeingJudged ? proofDeadline : nil }

  /// Whether the proof comes before everything else.
  private var isAlone: Bool { !connects || exchange?.mode.demandsProof == true }

  mutating func begin(at now: Duration) -> [OperationEffect] {
    guard let exchange else { return refresh.begin(at: now) }
    proofDeadline = now + AuthenticationExchange.replyTimeout
    let challenge = OperationEffect.challenge(exchange.challenge)
    return isAlone ? [challenge] : [challenge] + refresh.begin(at: now)
  }

  mutating func receive(_ event: OperationEvent, at now: Duration) -> [OperationEffect] {
    switch event {
    case .proof(let payload):
      guard let exchange, report == nil, !isBeingJudged else { return [] }
      if let report = exchange.reportAtOnce(on: payload) { return settle(report, at: now) }
      isBeingJudged = true
      return [.judge(exchange, payload)]
    case .judged(let report):
      return isBeingJudged && self.report == nil ? settle(report, at: now) : []
    case .anything(let namespace):
      guard let exchange, report == nil, isAlone, !isBeingJudged else { return [] }
      return settle(exchange.report(onUnexpected: namespace), at: now)
    default:
      let effects = refresh.receive(event, at: now)
      guard effects == [.finish(.success(.done))] else { return effects }
      let end = OperationEffect.finish(.success(.opened(report)))
      guard let exchange, let proofDeadline, report == nil else { return [end] }
      return [.proofFollows(exchange, isBeingJudged: isBeingJudged, until: proofDeadline), end]
    }
  }

  mutating func timerFired(at now: Duration) -> [OperationEffect] {
    guard let exchange, report == nil, !isBeingJudged, let proofDeadline, proofDeadline <= now else { return [] }
    return settle(exchange.reportOnSilence, at: now)
  }

  private mutating func settle(_ report: DeviceAuthReport, at now: Duration) -> [OperationEffect] {
    self.report = report
    if !connects { return [.finish(.success(.opened(report)))] }
    guard exchange?.mode.demandsProof == true else { return [] }
    return report.isVerified ? refresh.begin(at: now) : [.finish(.failure(AuthenticationExchange.error(report)))]
  }
}
