import RunReporting

/// What a run of several scenarios comes to.
struct RunEnd: Hashable, Sendable {
  let verdict: RunVerdict
  let exit: RunExit

  /// - Parameters:
  ///   - scenarios: What each that was begun came to.
  ///   - interruption: Why the run was stopped from outside. It may come between two scenarios, when all that were begun
  ///     have passed: then, too, the run is incomplete.
  ///   - failsOnFlaky: Whether a run that passed only after retries has failed.
  init(of scenarios: [ScenarioAttempt.Summary], interruption: Runner.Interruption?, failsOnFlaky: Bool) {
    var exits = ExitCodes()
    for scenario in scenarios { exits.formUnion(scenario.exits) }
    if let interruption { exits.insert(interruption.exit) }
    let order: [RunVerdict] = [.error, .failed, .flaky]
    let worst = order.first { verdict in scenarios.contains { $0.result == verdict } } ?? .passed
    verdict = interruption == nil ? worst : .error
    exit = verdict == .flaky && failsOnFlaky && exits.chosen == .passed ? .flaky : exits.chosen
  }
}
