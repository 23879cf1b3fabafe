import CastClient
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// The verbs of flow: steps that hold other steps (docs/language/steps.md "Flow").
extension StepRunner {
  /// A pass that took no time is given this much, so that a loop of them reaches the scenario's deadline.
  private static let shortestPass = Duration.milliseconds(1)

  func run(_ group: Plan.GroupAction, of step: Plan.Step, _ scope: StepScope) async throws(StepFailure) {
    let body = await runNested(group.steps, of: step, scope)
    let cleanup = await runCleanup(of: group, step, scope)
    try check(body, scope)
    // The steps passed; a failed cleanup fails the group all the same.
    if let failure = cleanup.failure ?? cleanup.softFailure { throw failure }
  }

  /// A group's `finally`: whatever became of the steps, and all of it, also when the run is being stopped.
  private func runCleanup(of group: Plan.GroupAction, _ step: Plan.Step, _ outer: StepScope) async -> ListOutcome {
    if group.finally.isEmpty { return ListOutcome() }
    var scope = outer
    // A group that ran out of time cleans up all the same.
    if let groupEnd = scope.groupEnd, now >= groupEnd { scope.groupEnd = now + plan.finallyTimeout }
    guard stops.cause(of: scope.line) != nil, stops.interruptions < 2 else {
      return await runNested(group.finally, of: step, scope, runsAll: true)
    }
    scope.groupEnd = cleanupEnd()
    let judgedRules = owner.judgesRules
    // Only a branch was stopped: the rules still hold for the others.
    if stops.cause != nil { owner.judgesRules = false }
    defer { owner.judgesRules = judgedRules }
    return await stops.shielded(scope.line) { await runNested(group.finally, of: step, scope, runsAll: true) }
  }

  func choose(among branches: [Plan.Branch], of step: Plan.Step, _ scope: StepScope) async throws(StepFailure) {
    let key = scope.key.decision(attempt: scope.attempt)
    let taken = earlier.choice(key)
    for (index, branch) in branches.enumerated() {
      if let taken {
        guard index == taken else { continue }
      } else if let condition = branch.condition {
        switch await answer(to: condition, scope) {
        case .yes: break
        case .no: continue
        case .unknown(let failure): throw failure
        }
      }
      if taken == nil { journal?.append(.choice(.init(key: key, value: index))) }
      return try check(await runNested(branch.steps, of: step, scope), scope)
    }
  }

  func `repeat`(_ loop: Plan.RepeatAction, of step: Plan.Step, _ scope: StepScope) async throws(StepFailure) {
    let most =
      switch loop.bound {
      case .times(let count): count
      case .until(_, let count): count
      }
    try await passes(most, through: loop.steps, of: step, scope) { _ in
      [:]
    } isOver: { pass throws(StepFailure) in
      guard case .until(let condition, let most) = loop.bound else { return false }
      // An earlier part of the run has judged it; only that it did not hold is written down.
      let key = scope.key.decision(attempt: scope.attempt, pass: pass)
      if self.earlier.choice(key) != nil { return false }
      switch await self.answer(to: condition, scope) {
      case .yes: return true
      case .no(let mismatches):
        if pass < most {
          self.journal?.append(.choice(.init(key: key, value: 0)))
          return false
        }
        let seen = mismatches.map(\.text).joined(separator: ", ")
        throw StepFailure(
          .expectation, "`until` did not hold after \(most) \(most == 1 ? "pass" : "passes"): \(seen)")
      case .unknown(let failure): throw failure
      }
    }
  }

  func forEach(_ loop: Plan.ForEachAction, of step: Plan.Step, _ scope: StepScope) async throws(StepFailure) {
    guard let items = value(of: loop.list, scope)?.array else {
      throw StepFailure(.invalidState, "`\(loop.list)` was saved without a list")
    }
    try await passes(items.count, through: loop.steps, of: step, scope) { pass in
      let item = items[pass - 1]
      var values: [String: JSONValue] = ["item": item, "index": .int(pass)]
      for member in item.object?.members ?? [] { values["item.\(member.name)"] = member.value }
      return values
    } isOver: { _ in
      false
    }
  }

  /// Runs a loop's body up to `most` times.
  /// - Parameter loopValues: What the loop gives its values in a pass; nothing: as outside.
  private func passes(
    _ most: Int, through steps: [Plan.Step], of step: Plan.Step, _ outer: StepScope,
    loopValues: (Int) -> [String: JSONValue], isOver: (Int) async throws(StepFailure) -> Bool
  ) async throws(StepFailure) {
    var softFailure: StepFailure?
    var pass = 0
    while pass < most {
      pass += 1
      let started = now
      var scope = outer
      let values = loopValues(pass)
      if !values.isEmpty { scope.loopValues = values }
      let outcome = await runNested(steps, of: step, scope, pass: pass)
      softFailure = softFailure ?? outcome.softFailure
      if let failure = outcome.failure ?? outside(scope) { throw failure }
      if try await isOver(pass) { break }
      if pass < most, now <= started {
        _ = await cancellably(scope) { [times] in try? await times.show.sleep(for: Self.shortestPass) }
        if let stopped = outside(scope) { throw stopped }
      }
      if let groupEnd = scope.groupEnd, now >= groupEnd {
        throw StepTries.groupIsOver
      }
    }
    if var softFailure {
      softFailure.failsWithoutStopping = true
      throw softFailure
    }
  }

  func runNested(
    _ steps: [Plan.Step], of step: Plan.Step, _ outer: StepScope, pass: Int? = nil, runsAll: Bool = false
  ) async -> ListOutcome {
    var scope = outer
    scope.nesting = StepScope.Nesting(parent: step.id, pass: pass)
    if journal != nil { scope.path = outer.key.inside(attempt: outer.attempt, pass: pass) }
    return await run(steps, scope, runsAll: runsAll)
  }

  /// Throws what a list of nested steps failed with.
  func check(_ outcome: ListOutcome, _ scope: StepScope) throws(StepFailure) {
    if let failure = outcome.failure ?? outside(scope) { throw failure }
    guard var failure = outcome.softFailure else { return }
    failure.failsWithoutStopping = true
    throw failure
  }
}
