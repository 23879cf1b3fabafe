import RunReporting

/// A false pass by the run's own events: a scenario that passed though a step or a monitor of it failed, a judging step
/// that passed and judged nothing, an exit code that says otherwise.
package struct VerdictChecker: Checker {
  package let name = "verdict"
  private static let judging: Set<String> = ["expect", "always", "never", "expect_sequence", "expect_together"]

  package init() {}

  package func problems(in trace: Trace) -> [String] {
    if trace.error != nil { return [] }
    var problems: [String] = []
    var failed: [String] = []
    var verbs: [String: String] = [:]
    var judged: Set<String> = []
    var isGood = true
    for event in trace.events {
      let step = event.step ?? ""
      switch event.kind {
      // Another try of the scenario counts alone.
      case .scenarioStarted: failed = []
      case .stepStarted(let started):
        verbs[step] = started.verb
        judged.remove(step)
      case .expectPassed: judged.insert(step)
      case .monitorFailed(let broken): if !broken.isIgnored { failed.append("the monitor \(broken.name)") }
      case .stepFinished(let finished):
        // What a group makes of its steps, and what a cleanup comes to, is their business.
        if finished.result.isBad, !finished.isIgnored, finished.parent == nil, finished.section == .steps {
          failed.append(step)
        }
        if finished.result == .passed, finished.attempts != nil, let verb = verbs[step], Self.judging.contains(verb),
          !judged.contains(step)
        {
          problems.append("\(step) passed, and nothing says that it judged anything")
        }
      case .scenarioFinished(let finished):
        if finished.result.isGood, let first = failed.first { problems.append("passed, and \(first) failed") }
        isGood = isGood && finished.result.isGood
      case .runFinished(let finished):
        if finished.exit == 0, !(isGood && finished.result.isGood) { problems.append("exit 0, and not all passed") }
        if let exit = trace.exit, exit != finished.exit { problems.append("exit \(exit), and told \(finished.exit)") }
      default: continue
      }
    }
    return problems
  }
}
