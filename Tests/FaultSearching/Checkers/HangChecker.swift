import RunReporting
import ScenarioLanguage
import Simulation

/// A hang: a simulation that stands or never ends, a scenario or a step that goes on behind its deadline, a run that does
/// not say that it is over.
package struct HangChecker: Checker {
  package let name = "hang"
  /// What a step may take to end once its time is over, in seconds.
  private static let grace = 0.1
  /// What a judging step may take besides: a silent device is asked once (docs/language/conditions.md).
  private static let reply = 5.0

  package init() {}

  package func problems(in trace: Trace) -> [String] {
    switch trace.error {
    case .deadlock(let at): return ["nothing can run at \(at), and the run is not over"]
    case .livelock(let at): return ["the clock stands at \(at)"]
    case .overdue(let at): return ["still busy at \(at)"]
    case .escaped, .leaked: return []
    case nil: break
    }
    if trace.events.isEmpty { return [] }
    var problems: [String] = []
    var limits: [String: Double] = [:]
    var begun: [String: Double] = [:]
    for event in trace.events {
      let scenario = "\(event.document ?? "")/\(event.device ?? "")"
      switch event.kind {
      case .plan(let plan): limits[event.document ?? ""] = plan.deadline + plan.finallyDeadline
      case .scenarioStarted: begun[scenario] = event.elapsed
      case .scenarioFinished:
        guard let begin = begun[scenario], let limit = limits[event.document ?? ""] else { continue }
        if event.elapsed - begin > limit + Self.grace {
          problems.append("the scenario took \(event.elapsed - begin) s, and its deadlines are after \(limit) s")
        }
      case .stepStarted(let started):
        guard let deadline = started.deadline else { continue }
        begun[scenario + "/\(event.step ?? "")"] =
          deadline + (Verb(rawValue: started.verb)?.asksSilentDevices == true ? Self.reply : 0)
      case .stepFinished(let finished):
        guard let deadline = begun.removeValue(forKey: scenario + "/\(event.step ?? "")"), finished.attempts == 1 else {
          continue
        }
        if event.elapsed > deadline + Self.grace {
          problems.append("\(event.step ?? "") ended at \(event.elapsed) s, and its deadline was at \(deadline) s")
        }
      case .runStarted, .runFinished, .diagnostic, .deviceFound, .deviceConnected, .deviceSoftware, .deviceLost,
        .deviceBack,
        .attemptFailed,
        .request, .reply, .requestFinished, .messages, .status, .expectPassed, .expectFailed, .monitorFailed, .mark,
        .log,
        .finallyStarted, .finallyFinished, .page, .screenshot, .fault:
        continue
      }
    }
    if trace.events.last?.type != .runFinished { problems.append("the run does not say that it is over") }
    return problems
  }
}
