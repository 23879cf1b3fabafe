import RunReporting
import ScenarioLanguage
import Testing

@testable import ScenarioRunner

@Suite("What a run of several scenarios comes to") struct RunEndTests {
  typealias Summary = ScenarioAttempt.Summary

  static func summary(_ verdict: RunVerdict, _ exits: RunExit...) -> Summary {
    var codes = ExitCodes()
    for exit in exits { codes.insert(exit) }
    return Summary(result: verdict, exits: codes, failureClass: nil)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var scenarios: [Summary] = []
    var interruption: Runner.Interruption?
    var failsOnFlaky = false
    var verdict: RunVerdict
    var exit: RunExit
  }

  static let passed = summary(.passed)
  static let flaky = summary(.flaky)
  static let failed = summary(.failed, .expectationFailed)

  @Test(
    arguments: [
      Case(testDescription: "nothing was to be run", verdict: .passed, exit: .passed),
      Case(testDescription: "all passed", scenarios: [passed, passed], verdict: .passed, exit: .passed),
      Case(testDescription: "one was flaky", scenarios: [passed, flaky], verdict: .flaky, exit: .passed),
      Case(
        testDescription: "one was flaky, which must not be", scenarios: [flaky, passed], failsOnFlaky: true,
        verdict: .flaky, exit: .flaky),
      Case(
        testDescription: "a failure counts for more than flakiness", scenarios: [flaky, failed], failsOnFlaky: true,
        verdict: .failed, exit: .expectationFailed),
      Case(
        testDescription: "an error counts for more than a failure, its exit too",
        scenarios: [failed, summary(.error, .noDevice)], verdict: .error, exit: .noDevice),
      Case(
        testDescription: "flaky with an exit of its own keeps that", scenarios: [summary(.flaky, .deadlinePassed)],
        failsOnFlaky: true, verdict: .flaky, exit: .deadlinePassed),
      Case(
        testDescription: "interrupted before the first began", interruption: .interrupt, verdict: .error,
        exit: .interrupted),
      Case(
        testDescription: "interrupted between two, when all that were begun had passed", scenarios: [passed],
        interruption: .terminate, verdict: .error, exit: .terminated),
      Case(
        testDescription: "interrupted after a failure", scenarios: [failed], interruption: .interrupt, verdict: .error,
        exit: .interrupted),
    ])
  func comesTo(example: Case) {
    let end = RunEnd(of: example.scenarios, interruption: example.interruption, failsOnFlaky: example.failsOnFlaky)
    #expect(end.verdict == example.verdict)
    #expect(end.exit == example.exit)
  }
}
