import RunReporting

/// How the steps of a scenario ended, counted.
struct StepTally: Hashable, Sendable {
  private(set) var counts = EventKind.StepCounts()
  private(set) var firstFailure: String?

  /// Whether all that was begun did what it should, and nothing was left out.
  var isClean: Bool { counts.failed == 0 && counts.errors == 0 && counts.notRun == 0 }

  mutating func count(_ result: StepResult, of step: String, isIgnored: Bool = false) {
    if isIgnored {
      counts.ignored += 1
      return
    }
    switch result {
    case .passed: counts.passed += 1
    case .flaky: counts.flaky += 1
    case .failed: counts.failed += 1
    case .error: counts.errors += 1
    case .skipped: counts.skipped += 1
    case .notRun: counts.notRun += 1
    }
    if result.isBad { firstFailure = firstFailure ?? step }
  }
}
