import Synchronization
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// `parallel`: several lines of steps at once.
extension StepRunner {
  func parallel(_ action: Plan.ParallelAction, of step: Plan.Step, _ scope: StepScope) async throws(StepFailure) {
    let branches = action.branches.map { openLine(from: scope, for: $0) }
    let others = action.failFast ? branches.map(\.line) : []
    let tasks = zip(branches, action.branches).map { line, branch in
      let box = OutcomeBox()
      let task = times.show.spawn(on: device(line).executor) {
        let outcome = await self.run(branch, of: step, line, among: others)
        box.value.withLock { $0 = outcome }
      }
      return (task, box)
    }
    // Each of them ends soon when the run is stopped.
    for (task, _) in tasks { await task.value }
    var failed: StepFailure?
    var soft: StepFailure?
    // The one that ended the others comes first.
    let order = branches.indices.sorted { left, right in
      func rank(_ index: Int) -> (Int, Int) { (stops.isStopped(branches[index].line) ? 1 : 0, index) }
      return rank(left) < rank(right)
    }
    for index in order {
      let outcome = tasks[index].1.value.withLock { $0 }
      failed = failed ?? outcome.failure
      soft = soft ?? outcome.softFailure
    }
    let before = replyOfLine(scope)
    for branch in branches {
      let line = closeLine(branch)
      addFlaky(line.flakySteps, scope)
      // Afterwards it is the last branch's, in the order of the document.
      if let reply = line.reply, reply != before { self.reply(reply, scope) }
    }
    try check(ListOutcome(failure: failed, softFailure: soft), scope)
  }

  private func openLine(from scope: StepScope, for branch: Plan.ParallelAction.Branch) -> StepScope {
    if case .one(let role)? = branch.role, let index = deviceIndex(ofRole: role) {
      return openLine(from: scope, device: index)
    }
    return openLine(from: scope, device: scope.device)
  }

  /// - Parameter others: The branches that end when this one fails.
  private func run(
    _ branch: Plan.ParallelAction.Branch, of step: Plan.Step, _ scope: StepScope, among others: [StopTree.Line]
  ) async -> ListOutcome {
    let outcome = await runNested(branch.steps, of: step, scope)
    // Where the run ends anyway, all branches have that reason.
    if outcome.failure != nil, stops.cause(of: scope.line) == nil {
      for other in others where other != scope.line { stops.stop(other, .branch(branch.name)) }
    }
    return outcome
  }
}
