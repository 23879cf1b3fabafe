import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// Judges one expectation on recorded statuses, with the code that judges live ones.
struct ExpectationReplay {
  /// What the judging came to.
  enum Outcome: Sendable {
    case decided(Verdict)
    /// Why nothing that was recorded decides it.
    case undecided(String)
  }

  /// The status as the expectation begins.
  var view: StatusView
  /// What was seen since the step that a sequence looks back to.
  var history: [ObservedStatus] = []
  /// What came after the expectation began, oldest first.
  var later: ArraySlice<DeviceHistory.Seen>
  /// The values saved by then.
  var saved: [String: JSONValue]
  /// The part of the run that may decide it, on the run's clock.
  var start: Duration
  var end: Duration
  /// Why that part ends there.
  var endReason: String
  var reply: Duration

  /// - Returns: `nil` for a step that judges nothing, or that needs more than statuses.
  func judge(_ step: Plan.Step) -> Outcome? {
    switch step.action {
    case .expect(let action): return judge(ExpectStateMachine(action, saved: saved, start: start, reply: reply))
    case .always(let action):
      return judge(WindowStateMachine(.always, action, saved: saved, start: start, reply: reply))
    case .never(let action):
      return judge(WindowStateMachine(.never, action, saved: saved, start: start, reply: reply))
    case .waitUntil(let condition):
      let action = Plan.ExpectAction(condition: condition, within: step.timeout)
      return judge(ExpectStateMachine(action, saved: saved, start: start, reply: reply))
    case .expectSequence(let action):
      var machine = SequenceStateMachine(action, saved: saved, start: start, reply: reply)
      if let untold = untold(machine.conditions) { return untold }
      if case .finished(let verdict)? = machine.lookBack(on: history).last { return .decided(verdict) }
      return judge(machine)
    default: return nil
    }
  }

  private func untold(_ conditions: [Condition]) -> Outcome? {
    conditions.lazy.compactMap { $0.untold(saved) }.first.map(Outcome.undecided)
  }

  private func judge(_ machine: some ExpectationStateMachine) -> Outcome {
    if let untold = untold(machine.conditions) { return untold }
    let isAboutConnection = machine.conditions.contains {
      $0.leaves.contains { $0.path.parts.first == "connection" }
    }
    if !view.snapshot.isConnected, !isAboutConnection { return .undecided("the device was lost") }
    var machine = machine
    var effects = machine.begin(with: view)
    for seen in later {
      if let verdict = Self.verdict(in: effects) { return .decided(verdict) }
      if seen.isLoss, !isAboutConnection { return .undecided("the device was lost") }
      let status = seen.status
      if status.view.at > end { break }
      if let verdict = wait(until: status.view.at, &machine) { return .decided(verdict) }
      effects = machine.observe(status)
    }
    if let verdict = Self.verdict(in: effects) ?? wait(until: end, &machine) { return .decided(verdict) }
    return .undecided(endReason)
  }

  /// Lets time pass up to a moment.
  private func wait(until time: Duration, _ machine: inout some ExpectationStateMachine) -> Verdict? {
    // Each call is due later than the one before, or there is nothing more to be done by then.
    var last: Duration?
    while machine.nextCheck <= time, last.map({ machine.nextCheck > $0 }) ?? true {
      last = machine.nextCheck
      if let verdict = Self.verdict(in: machine.timerFired(at: machine.nextCheck)) { return verdict }
    }
    return nil
  }

  private static func verdict(in effects: [JudgeEffect]) -> Verdict? {
    for case .finished(let verdict) in effects { return verdict }
    return nil
  }
}

extension Condition {
  /// Why the events of a run do not decide it: they do not tell a field, or a value that it compares with.
  func untold(_ saved: [String: JSONValue]) -> String? {
    for leaf in leaves {
      let names = leaf.matcher.savedNames + [leaf.path.variable].compactMap(\.self)
      if let name = names.first(where: { ConditionJudge.value(of: $0, in: saved) == nil }) {
        return "events do not tell the value of `\(name)`"
      }
      if leaf.path.variable == nil, !RecordedStatuses.tell(leaf.path) {
        return "events do not tell `\(leaf.path.text)`"
      }
    }
    return nil
  }
}
