import RunReporting
import ScenarioLanguage

/// A false pass by the run's own events: a scenario that passed though a step or a monitor of it failed, a judging step
/// that passed and judged nothing, a verb that the language does not have, an exit code that says otherwise.
package struct VerdictChecker: Checker {
  package let name = "verdict"

  package init() {}

  package func problems(in trace: Trace) -> [String] {
    if trace.error != nil { return [] }
    var problems: [String] = []
    var failed: [String] = []
    var verbs: [String: Verb] = [:]
    var judged: Set<String> = []
    var isGood = true
    for event in trace.events {
      let step = event.step ?? ""
      switch event.kind {
      // Another try of the scenario counts alone.
      case .scenarioStarted: failed = []
      case .stepStarted(let started):
        verbs[step] = Verb(rawValue: started.verb)
        if verbs[step] == nil { problems.append("\(step) is a `\(started.verb)`, which is no verb") }
        judged.remove(step)
      case .expectPassed: judged.insert(step)
      case .monitorFailed(let broken): if !broken.isIgnored { failed.append("the monitor \(broken.name)") }
      case .stepFinished(let finished):
        // What a group makes of its steps, and what a cleanup comes to, is their business.
        if finished.result.isBad, !finished.isIgnored, finished.parent == nil, finished.section == .steps {
          failed.append(step)
        }
        if finished.result == .passed, finished.attempts != nil, verbs[step]?.judges == true,
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
      case .runStarted, .diagnostic, .plan, .deviceFound, .deviceConnected, .deviceSoftware, .deviceLost, .deviceBack,
        .attemptFailed,
        .request, .reply, .requestFinished, .messages, .status, .expectFailed, .mark, .log, .finallyStarted,
        .finallyFinished,
        .page,
        .screenshot, .fault:
        continue
      }
    }
    return problems
  }
}
