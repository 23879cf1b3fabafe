import CastProtocol
package import RunReporting
import ScenarioLanguage

/// Makes of the events of a check's run what the check came to.
package struct RunObserver: Sendable {
  /// What a device that floods us may add.
  private static let mostMessages = 2_000

  private var transcript = RunTranscript()
  private var messages: [ObservedMessage] = []
  private var finished: EventKind.RunFinished?

  package init() {}

  package mutating func record(_ event: Event) {
    if let message = ObservedMessage(event) {
      if messages.count < Self.mostMessages { messages.append(message) }
      return
    }
    if case .runFinished(let end) = event.kind { finished = end }
    transcript.record(event)
  }

  /// - Parameter heard: What another sender was told meanwhile.
  package func result(of check: ConformanceCheck, heard: [ObservedMessage] = []) -> ConformanceResult {
    var result = verdict(of: check)
    result.observe(messages, for: check)
    if result.verdict == .passed, let shortcoming = check.secondSender?.shortcoming(heard) {
      (result.verdict, result.reason) = (.failed, shortcoming)
    }
    return result
  }

  private func verdict(of check: ConformanceCheck) -> ConformanceResult {
    let results = RunResults(transcript)
    switch finished?.result {
    case .passed, .flaky: return ConformanceResult(check.id, .passed)
    case .failed, .error, nil: break
    }
    let cases = results.suites.flatMap(\.cases)
    let findings = cases.compactMap { one in one.outcome.finding.map { (one, $0) } }
    guard let (one, finding) = findings.first else {
      let message = results.notice?.message ?? "the run broke off"
      return ConformanceResult(check.id, .error, reason: message)
    }
    let isUnjudged = findings.contains { ErrorClass(rawValue: $0.1.type)?.leavesUnjudged == true }
    return ConformanceResult(check.id, isUnjudged ? .error : .failed, reason: "\(one.name): \(finding.message)")
  }
}
