import CastClient
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// The verbs of flow: steps that hold other steps (language.md 2.9).
extension ScenarioRun {
  /// Where steps stand inside another one.
  struct Nesting: Sendable {
    /// The id of the step that holds them.
    var parent: String
    /// Which pass of a loop it is, from 1.
    var pass: Int?
  }

  /// A pass that took no time is given this much, so that a loop of them reaches the scenario's deadline.
  private static let shortestPass = Duration.milliseconds(1)

  func run(_ group: Plan.GroupAction, of step: Plan.Step) async throws(StepFailure) {
    let body = await runNested(group.steps, of: step)
    let cleanup = await runCleanup(of: group, step)
    try check(body)
    // What the group was for is done; that it could not clean up is its failure all the same.
    if let failure = cleanup.failure ?? cleanup.softFailure { throw failure }
  }

  /// A group's `finally`: whatever became of the steps, and all of it, also when the run is being stopped.
  private func runCleanup(of group: Plan.GroupAction, _ step: Plan.Step) async -> ListOutcome {
    if group.finally.isEmpty { return ListOutcome() }
    let outerEnd = groupEnd
    defer { groupEnd = outerEnd }
    // A group that ran out of time cleans up all the same.
    if let groupEnd, now >= groupEnd { self.groupEnd = now + plan.finallyTimeout }
    guard stopCause != nil, interruptionCount < 2 else {
      return await runNested(group.finally, of: step, runsAll: true)
    }
    let end = groupCleanupEnd ?? now + plan.finallyTimeout
    groupCleanupEnd = end
    let wasWatching = isWatching
    // Only a branch was stopped: the rules still hold for the others.
    if runStop != nil { isWatching = false }
    defer { isWatching = wasWatching }
    groupEnd = end
    return await sheltered { await runNested(group.finally, of: step, runsAll: true) }
  }

  func choose(among branches: [Plan.Branch], of step: Plan.Step) async throws(StepFailure) {
    for branch in branches {
      if let condition = branch.condition {
        switch await answer(to: condition) {
        case .yes: break
        case .no: continue
        case .unknown(let failure): throw failure
        }
      }
      return try check(await runNested(branch.steps, of: step))
    }
  }

  func `repeat`(_ loop: Plan.RepeatAction, of step: Plan.Step) async throws(StepFailure) {
    let most =
      switch loop.bound {
      case .times(let count): count
      case .until(_, let count): count
      }
    try await passes(most, through: loop.steps, of: step) { _ in
    } isOver: { pass throws(StepFailure) in
      guard case .until(let condition, let most) = loop.bound else { return false }
      switch await self.answer(to: condition) {
      case .yes: return true
      case .no(let mismatches):
        if pass < most { return false }
        let seen = mismatches.map(\.text).joined(separator: ", ")
        throw StepFailure(
          .expectation, "`until` did not hold after \(most) \(most == 1 ? "pass" : "passes"): \(seen)")
      case .unknown(let failure): throw failure
      }
    }
  }

  func forEach(_ loop: Plan.ForEachAction, of step: Plan.Step) async throws(StepFailure) {
    guard let items = value(of: loop.list)?.array else {
      throw StepFailure(.invalidState, "`\(loop.list)` was saved without a list")
    }
    let outer = lane.loopValues
    defer { lane.loopValues = outer }
    try await passes(items.count, through: loop.steps, of: step) { pass in
      let item = items[pass - 1]
      var values: [String: JSONValue] = ["item": item, "index": .int(pass)]
      for member in item.object?.members ?? [] { values["item.\(member.name)"] = member.value }
      self.lane.loopValues = values
    } isOver: { _ in
      false
    }
  }

  /// Runs a loop's body up to `most` times.
  private func passes(
    _ most: Int, through steps: [Plan.Step], of step: Plan.Step, begin: (Int) -> Void,
    isOver: (Int) async throws(StepFailure) -> Bool
  ) async throws(StepFailure) {
    var softFailure: StepFailure?
    var pass = 0
    while pass < most {
      pass += 1
      let started = now
      begin(pass)
      let outcome = await runNested(steps, of: step, pass: pass)
      softFailure = softFailure ?? outcome.softFailure
      if let failure = outcome.failure ?? outside() { throw failure }
      if try await isOver(pass) { break }
      if pass < most, now <= started {
        _ = await stoppable { try? await self.times.show.sleep(for: Self.shortestPass) }
        if let stopped = outside() { throw stopped }
      }
      if let groupEnd, now >= groupEnd { throw StepFailure(.timeout, "the time of the group it stands in was over") }
    }
    if var softFailure {
      softFailure.isSoft = true
      throw softFailure
    }
  }

  func runNested(_ steps: [Plan.Step], of step: Plan.Step, pass: Int? = nil, runsAll: Bool = false) async
    -> ListOutcome
  {
    let outer = nesting
    nesting = Nesting(parent: step.id, pass: pass)
    defer { nesting = outer }
    return await runSteps(steps, runsAll: runsAll)
  }

  /// Throws what a list of nested steps failed with.
  func check(_ outcome: ListOutcome) throws(StepFailure) {
    if let failure = outcome.failure ?? outside() { throw failure }
    guard var failure = outcome.softFailure else { return }
    failure.isSoft = true
    throw failure
  }
}
