import CastProtocol
import RunReporting
import ScenarioLanguage
import Testing

@testable import ScenarioRunner

@Suite("What a step came to") struct StepConclusionTests {
  static func step(_ ifFails: Plan.IfFails = .stop, isFlow: Bool = false) -> Plan.Step {
    Plan.Step(
      id: "s1", name: "n", verb: isFlow ? "group" : "play", action: isFlow ? .group(.init(steps: [])) : .play,
      timeout: .seconds(10), ifFails: ifFails,
      span: SourceSpan(file: "a.yaml", line: 3, column: 5, endLine: 3, endColumn: 12))
  }

  static func failure(_ errorClass: ErrorClass, inside step: String? = nil, failsWithoutStopping: Bool = false)
    -> StepFailure
  {
    var failure = StepFailure(errorClass, "m")
    (failure.step, failure.failsWithoutStopping) = (step, failsWithoutStopping)
    return failure
  }

  @Test("A step that did what it should passed, or is flaky, and nothing ends", arguments: [false, true])
  func good(isFlaky: Bool) {
    let came = StepConclusion(Self.step(), failure: nil, isFlaky: isFlaky, section: .steps, isStopped: false)
    #expect(came.result == (isFlaky ? .flaky : .passed))
    #expect(!came.isIgnored && !came.endsList && came.reason == nil && came.stoppedBy == nil)
  }

  @Test(
    "An expectation and a rule of `watch` fail a step; all else, and in setup these too, are errors",
    arguments: [
      (.expectation, .steps, .failed), (.monitor, .steps, .failed), (.expectation, .finally, .failed),
      (.expectation, .setup, .error), (.monitor, .setup, .error), (.timeout, .steps, .error),
      (.interrupted, .onFailure, .error),
    ] as [(ErrorClass, StepSection, StepResult)])
  func results(errorClass: ErrorClass, section: StepSection, result: StepResult) {
    let came = StepConclusion(
      Self.step(), failure: Self.failure(errorClass), isFlaky: true, section: section, isStopped: false)
    #expect(came.result == result)
    #expect(came.stoppedBy == (errorClass == .monitor ? .monitor : nil))
  }

  @Test(
    "`if_fails` says whether the list goes on and whether the failure counts; a stop from outside overrules it",
    arguments: [
      (.stop, false, false, false, true), (.continue, false, false, false, false), (.ignore, false, false, true, false),
      // A group in which a step failed with `continue`.
      (.stop, true, false, false, false),
      (.stop, false, true, false, true), (.continue, false, true, false, true), (.ignore, false, true, false, true),
      (.stop, true, true, false, true),
    ] as [(Plan.IfFails, failsWithoutStopping: Bool, isStopped: Bool, isIgnored: Bool, endsList: Bool)])
  func lists(ifFails: Plan.IfFails, failsWithoutStopping: Bool, isStopped: Bool, isIgnored: Bool, endsList: Bool) {
    let came = StepConclusion(
      Self.step(ifFails), failure: Self.failure(.loadFailed, failsWithoutStopping: failsWithoutStopping),
      isFlaky: false, section: .steps,
      isStopped: isStopped)
    #expect(came.isIgnored == isIgnored && came.endsList == endsList)
  }

  @Test(
    "The reason is told where no expectation tells it, with the step inside that it is about",
    arguments: [
      (false, .timeout, nil, "m"), (false, .expectation, nil, nil), (false, .monitor, nil, "m"),
      (true, .expectation, "s1.2", "s1.2: m"), (true, .timeout, "s1.2", "s1.2: m"), (true, .timeout, "s1", "m"),
    ] as [(isFlow: Bool, ErrorClass, inside: String?, reason: String?)])
  func reasons(isFlow: Bool, errorClass: ErrorClass, inside: String?, reason: String?) {
    let came = StepConclusion(
      Self.step(isFlow: isFlow), failure: Self.failure(errorClass, inside: inside), isFlaky: false, section: .steps,
      isStopped: false)
    #expect(came.reason == reason)
  }
}
