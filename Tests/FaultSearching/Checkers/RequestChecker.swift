import CastProtocol
import RunReporting

/// Requests that a run says are done, and the receiver knows nothing of; answers that nobody sent. Of runs with `--wire`.
package struct RequestChecker: Checker {
  package let name = "request"

  /// What a status shows to be done, whoever asked for it: who is slow to read may get the request later.
  /// A rate goes back to what it was when a break ends, so the status that says so may be older than the request.
  private static let shownByStatus: Set<String> = ["LAUNCH", "STOP", "SET_PLAYBACK_RATE"]

  package init() {}

  package func problems(in trace: Trace) -> [String] {
    if trace.error != nil || !trace.script.isTrue { return [] }
    var problems: [String] = []
    for event in trace.events {
      guard let device = event.device else { continue }
      let ledger = trace.ledgers[device] ?? ReceiverLedger()
      switch event.kind {
      case .requestFinished(let request):
        if request.outcome != .completed || Self.shownByStatus.contains(request.name) { continue }
        let isKnown = ledger.received.contains {
          $0.requestID == request.id && $0.type == request.name && $0.time <= event.elapsed + 0.001
        }
        if !isKnown { problems.append("\(request.name) \(request.id) is done, and \(device) never got it") }
      case .reply(let reply):
        guard let id = reply.id?.int, let type = reply.message["type"]?.string else { continue }
        let isKnown = ledger.sent.contains {
          $0.requestID == id && $0.type == type && $0.time <= event.elapsed + 0.001
        }
        if !isKnown { problems.append("an answer \(type) to \(id) came, and \(device) did not send it") }
      case .runStarted, .runFinished, .diagnostic, .plan, .deviceFound, .deviceConnected, .deviceSoftware, .deviceLost,
        .deviceBack,
        .scenarioStarted, .scenarioFinished, .stepStarted, .stepFinished, .attemptFailed, .request, .messages, .status,
        .expectPassed, .expectFailed, .monitorFailed, .mark, .log, .finallyStarted, .finallyFinished, .page,
        .screenshot,
        .fault:
        continue
      }
    }
    return problems
  }
}
