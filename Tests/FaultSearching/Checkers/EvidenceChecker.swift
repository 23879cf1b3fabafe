import CastProtocol
import RunReporting

/// A false pass by the receiver's ledger: an expectation that passed on a value that the receiver had not told, or had
/// told to be over before the step began.
package struct EvidenceChecker: Checker {
  package let name = "false pass"
  /// Events tell milliseconds.
  private static let rounding = 0.001

  package init() {}

  package func problems(in trace: Trace) -> [String] {
    if trace.error != nil || !trace.script.isTrue { return [] }
    var problems: [String] = []
    var begun: [String: Double] = [:]
    for event in trace.events {
      guard let step = event.step else { continue }
      let passed: EventKind.Expectation
      switch event.kind {
      case .stepStarted:
        begun[step] = event.elapsed
        continue
      case .expectPassed(let expectation): passed = expectation
      case .runStarted, .runFinished, .diagnostic, .plan, .deviceFound, .deviceConnected, .deviceSoftware, .deviceLost,
        .deviceBack,
        .scenarioStarted, .scenarioFinished, .stepFinished, .attemptFailed, .request, .reply, .requestFinished,
        .messages, .status,
        .expectFailed, .monitorFailed, .mark, .log, .finallyStarted, .finallyFinished, .page, .screenshot, .fault:
        continue
      }
      guard let device = event.device, let ledger = trace.ledgers[device] else { continue }
      for field in LedgerField.allCases {
        guard let value = field.value(in: passed.got), !Self.needsNoStatus(field, value) else { continue }
        let window = (begun[step] ?? event.elapsed)...event.elapsed + Self.rounding
        if !Self.isTold(value, field, window, in: ledger, trace.script) {
          problems.append(
            "\(step) passed at \(event.elapsed) s on \(field.rawValue) \(value.serialized()), which \(device) did not tell"
          )
        }
      }
    }
    return problems
  }

  /// What is so where nobody says anything, or is told in other ways.
  private static func needsNoStatus(_ field: LedgerField, _ value: JSONValue) -> Bool {
    if value == .null { return true }
    return field == .player && ["idle", "loading"].contains(value.string)
  }

  /// Whether the value was told, and not told to be over, at a time in the window.
  private static func isTold(
    _ value: JSONValue, _ field: LedgerField, _ window: ClosedRange<Double>, in ledger: ReceiverLedger,
    _ script: FaultScript
  ) -> Bool {
    let told = ledger.told.filter { $0.fields[field] != nil }
    for (index, status) in told.enumerated() where status.fields[field] == value && status.time <= window.upperBound {
      // What says otherwise may come late, or be lost.
      guard script.isFaithful else { return true }
      let next = told[(index + 1)...].first { $0.fields[field] != value }
      if (next?.time ?? .infinity) + script.lag >= window.lowerBound { return true }
    }
    return false
  }
}
