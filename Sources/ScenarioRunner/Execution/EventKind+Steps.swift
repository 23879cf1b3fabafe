import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

extension EventKind.StepStarted {
  /// - Parameter deadline: Document seconds since the run began; `nil` where only the scenario's deadline counts.
  init(_ step: Plan.Step, in scope: StepScope, deadline: Double?) {
    self.init()
    (verb, name, section) = (step.verb, step.name, scope.section)
    (parent, pass) = (scope.nesting?.parent, scope.nesting?.pass)
    place = SourcePlace(startOf: step.span)
    self.deadline = deadline
  }
}

extension EventKind.StepFinished {
  /// A step that never began: no `step.started` has told what it is.
  init(_ step: Plan.Step, in scope: StepScope, neverBegun result: StepResult, because reason: String) {
    self.init()
    (self.result, self.reason) = (result, reason)
    (verb, name, section) = (step.verb, step.name, scope.section)
    (parent, pass) = (scope.nesting?.parent, scope.nesting?.pass)
    place = SourcePlace(startOf: step.span)
  }
}

extension EventKind.Expectation {
  /// What one device was expected to show.
  /// - Parameter elapsed: Document seconds between the run's begin and a moment of the show clock.
  init(_ verdict: Verdict, of step: Plan.Step, because: String?, elapsed: (Duration) -> Double) {
    self.init()
    place = SourcePlace(verdict.mismatches.first?.span ?? step.span)
    (want, got) = (verdict.want, verdict.got)
    nearest = verdict.nearest.map { .init(elapsed: elapsed($0.at), values: $0.values) }
    for name in verdict.mismatches.map(\.path.text) where !mismatches.contains(name) { mismatches.append(name) }
    statuses = verdict.statuses
    (isEstimated, isPolled) = (verdict.isEstimated, verdict.isPolled)
    isInconclusive = verdict.outcome == .inconclusive
    (margins, waitedFor) = (verdict.margins, verdict.waitedFor)
    (remark, self.because) = (verdict.remark, because)
  }

  /// Which message was to come.
  init(_ search: MessageSearch, of step: Plan.Step, because: String?) {
    self.init()
    place = SourcePlace(search.mismatches.first?.span ?? step.span)
    (want, got) = (search.want, search.got)
    mismatches = search.mismatches.map { "\(MessageSearch.field).\($0.path.text)" }
    messages = search.count
    remark = search.count == 0 ? search.shortcoming : nil
    self.because = because
  }

  /// What several devices were expected to show at the same time.
  init(_ machine: TogetherStateMachine, of step: Plan.Step, because: String?) {
    self.init()
    place = SourcePlace(machine.span ?? step.span)
    (want, got) = (machine.want, machine.got)
    isEstimated = machine.isEstimated
    skew = machine.spread?.seconds
    margins = machine.margin.map { [$0] } ?? []
    remark = machine.hasPassed ? nil : machine.shortcoming
    self.because = because
  }
}
