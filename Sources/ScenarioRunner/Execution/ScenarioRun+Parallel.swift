import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// `parallel`: several lines of steps at once.
extension ScenarioRun {
  func parallel(_ action: Plan.ParallelAction, of step: Plan.Step) async throws(StepFailure) {
    let ids = action.branches.map { openLane(for: $0) }
    let tasks = zip(ids, action.branches).map { id, branch in
      times.show.spawn {
        await Lane.$current.withValue(id) {
          await self.run(branch, of: step, among: action.failFast ? ids : [])
        }
      }
    }
    // Each of them ends soon when the run is stopped.
    for task in tasks { await task.value }
    var failed: StepFailure?
    var soft: StepFailure?
    // The one that ended the others comes first.
    for id in ids.sorted(by: { (lanes[$0]?.stopCause == nil ? 0 : 1, $0) < (lanes[$1]?.stopCause == nil ? 0 : 1, $1) })
    {
      guard let lane = lanes[id] else { continue }
      flakySteps += lane.flakySteps
      failed = failed ?? lane.outcome?.failure
      soft = soft ?? lane.outcome?.softFailure
    }
    let before = lane.reply
    // Afterwards it is the last branch's, in the order of the document.
    if let reply = ids.compactMap({ lanes[$0]?.reply }).last(where: { $0 != before }) { lane.reply = reply }
    for id in ids { lanes[id] = nil }
    try check(ListOutcome(failure: failed, softFailure: soft))
  }

  /// A lane that begins where this one stands.
  private func openLane(for branch: Plan.ParallelAction.Branch) -> Int {
    if case .one(let role)? = branch.role, let index = deviceIndex(ofRole: role) { return openLane(on: index) }
    return openLane(on: lane.device)
  }

  /// A lane for one device that begins where this one stands.
  func openLane(on device: Int?) -> Int {
    lastLane += 1
    var lane = lane
    lane.parent = Lane.current
    lane.running = nil
    lane.linkWait = nil
    lane.awaited = []
    lane.stopCause = nil
    lane.isSheltered = false
    lane.flakySteps = 0
    lane.outcome = nil
    lane.device = device
    lanes[lastLane] = lane
    return lastLane
  }

  /// - Parameter others: The branches that end when this one fails.
  private func run(_ branch: Plan.ParallelAction.Branch, of step: Plan.Step, among others: [Int]) async {
    let outcome = await runNested(branch.steps, of: step)
    lane.outcome = outcome
    // Where the run ends anyway, all branches have that reason.
    guard outcome.failure != nil, stopCause == nil else { return }
    for other in others where other != Lane.current { stop(lane: other, .branch(branch.name)) }
  }
}
