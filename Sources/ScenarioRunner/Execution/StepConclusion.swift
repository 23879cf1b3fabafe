import DeviceControl
import RunReporting
import ScenarioLanguage

/// What a step came to, decided from its last failure and from what its document says of failures.
struct StepConclusion: Sendable {
  let result: StepResult
  /// It failed, and that does not count.
  let isIgnored: Bool
  /// Whether what follows in its list is not run.
  let endsList: Bool
  /// What `step.finished` says of the failure; `nil` where an expectation has said it.
  let reason: String?
  let stoppedBy: EventKind.StepFinished.Stopper?

  /// A step that is not carried out.
  init(skipped reason: String) {
    (result, self.reason) = (.skipped, reason)
    (isIgnored, endsList, stoppedBy) = (false, false, nil)
  }

  /// - Parameters:
  ///   - failure: Of the last try; `nil` where one did what it should.
  ///   - isFlaky: Whether the step, or one inside it, needed a second try.
  ///   - isStopped: Whether the steps were stopped from outside.
  init(_ step: Plan.Step, failure: StepFailure?, isFlaky: Bool, section: StepSection, isStopped: Bool) {
    guard let failure else {
      result = isFlaky ? .flaky : .passed
      (isIgnored, endsList, reason, stoppedBy) = (false, false, nil, nil)
      return
    }
    // What setup expects is about the bench, not about what is tested.
    let isAssertion = failure.isExpectation || failure.isAboutMonitor
    result = isAssertion && section != .setup ? .failed : .error
    isIgnored = step.ifFails == .ignore && !isStopped
    endsList = !isIgnored && (isStopped || step.ifFails == .stop && !failure.failsWithoutStopping)
    reason = result == .error || failure.isAboutMonitor || step.isFlow ? failure.message(in: step) : nil
    stoppedBy = failure.isAboutMonitor ? .monitor : nil
  }
}
