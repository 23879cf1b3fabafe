import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

extension SceneReplay {
  /// Judges all expectations in the order of the run, then the rules of `watch`.
  func judged() -> [RunReplay.Judged] {
    var judged: [RunReplay.Judged] = []
    // How the last pass of each added step ended: those behind it begin then.
    var ends: [String: Duration?] = [:]
    for (index, step) in begun.enumerated() where step.step.judgesStatuses && step.step.skip == nil {
      var step = step
      let outcome: ExpectationReplay.Outcome
      if let doubt = matching.doubts[step.step.id] {
        outcome = .undecided(doubt)
      } else if let follows = step.follows, let start = ends[follows] {
        if let start {
          step.start.time = start
          outcome = judge(step, at: index)
        } else {
          outcome = .undecided("the step before it did not pass")
        }
      } else {
        outcome = judge(step, at: index)
      }
      if step.isNew {
        if case .decided(let verdict) = outcome, verdict.outcome == .passed {
          ends[step.step.id] = .some(verdict.at)
        } else {
          ends[step.step.id] = .some(nil)
        }
      }
      var one = made(step.step, step.device, step.pass, step.isNew ? nil : step.hasPassed, outcome)
      // It ran when the events end.
      one.wasMissed = !step.isNew && step.end == nil
      judged.append(one)
    }
    judged += unplaced.map { made($0, nil, nil, nil, .undecided("nobody can tell when it would have begun")) }
    judged += missed.map { step in
      let device = devices.count == 1 ? devices.first : nil
      var missed = made(step, device, nil, nil, .undecided("the run did not come to it"))
      missed.wasMissed = true
      return missed
    }
    return judged + rules()
  }

  private func made(
    _ step: Plan.Step, _ device: String?, _ pass: Int?, _ before: Bool?, _ outcome: ExpectationReplay.Outcome
  ) -> RunReplay.Judged {
    RunReplay.Judged(
      document: "", device: device, row: [:], step: step.id, pass: pass, name: step.name,
      place: SourcePlace(startOf: step.span), before: before, now: Self.outcome(outcome, step),
      isIgnored: step.ifFails == .ignore)
  }

  private func judge(_ begun: Begun, at index: Int) -> ExpectationReplay.Outcome {
    guard let device = begun.device, let history = histories[device] else {
      return .undecided("events do not tell which device it is about")
    }
    var place = history.place(after: begun.start.number)
    // One that follows an added step begins later than the event that it was added at.
    while begun.follows != nil, place < history.seen.count, history.seen[place].status.view.at <= begun.start.time {
      place += 1
    }
    let (end, reason) = horizon(of: begun)
    let last = max(place, history.place(after: end?.number ?? .max))
    var replay = ExpectationReplay(
      view: history.view(before: place, at: begun.start.time), later: history.seen[place..<last], saved: begun.saved,
      start: begun.start.time,
      // Times of events are cut to milliseconds.
      end: max(end?.time ?? begun.start.time, begun.start.time) + .milliseconds(1), endReason: reason,
      reply: plan.timeouts.reply)
    let action = lastAction(before: begun, on: device)
    if let action {
      replay.view.baseline = StatusView.Baseline(
        history.view(before: history.place(after: action.number), at: action.time))
    }
    if case .expectSequence(let sequence) = begun.step.action {
      let named = sequence.since.flatMap { since in self.begun[..<index].last { $0.step.id == since } }
      if let since = sequence.since, named == nil { return .undecided("the run did not come to \(since)") }
      let since = named?.start.number ?? action?.number ?? 0
      replay.history = history.seen[min(history.place(after: since), place)..<place].filter { !$0.isLoss }.map(\.status)
    }
    return replay.judge(begun.step) ?? .undecided("it is not judged on statuses")
  }

  /// Until when what is seen is about a step, and why not longer.
  private func horizon(of begun: Begun) -> (end: Moment?, reason: String) {
    if let cause = begun.cause, let end = begun.end { return (end, "`\(cause)` ended it") }
    // What other branches do meanwhile is seen, as it was then; the next action behind the step changes what is seen.
    let done = begun.end ?? begun.start
    let next = begun.device.flatMap { device in
      actions[device].flatMap { list in
        Self.first(in: list, after: done.number).map { list[$0] }
      }
    }
    if let next, next.isCleanup == begun.isCleanup { return (next.start, "the run went on with \(next.id)") }
    let last = begun.isCleanup ? events.last.map(Moment.init) : end
    // Nothing that was recorded ends before the step did.
    let end = [last, begun.end].compactMap(\.self).max { $0.number < $1.number }
    return (end, "the run ended")
  }

  private typealias Action = (id: String, start: Moment, isCleanup: Bool)

  /// The place of the first action that began after an event.
  private static func first(in actions: [Action], after number: Int) -> Int? {
    var (low, high) = (0, actions.count)
    while low < high {
      let middle = (low + high) / 2
      if actions[middle].start.number > number { high = middle } else { low = middle + 1 }
    }
    return low < actions.count ? low : nil
  }

  /// When the last action of a device began before a step did.
  private func lastAction(before begun: Begun, on device: String) -> Moment? {
    guard let list = actions[device] else { return nil }
    let place = (Self.first(in: list, after: begun.start.number - 1) ?? list.count) - 1
    return place >= 0 ? list[place].start : nil
  }

  private static func outcome(_ outcome: ExpectationReplay.Outcome, _ step: Plan.Step) -> RunReplay.Outcome {
    switch outcome {
    case .undecided(let reason): return .undecided(reason)
    case .decided(let verdict):
      switch verdict.outcome {
      case .passed: return .passed
      case .failed, .inconclusive:
        return .failed(VerdictText(EventKind.Expectation(verdict, of: step, because: nil) { $0.seconds }).oneLine)
      }
    }
  }

  // MARK: rules

  private func rules() -> [RunReplay.Judged] {
    guard let first = begun.first(where: { !$0.isNew }) else { return [] }
    let broken = events.reduce(into: Set<String>()) { broken, event in
      if case .monitorFailed(let monitor) = event.kind { broken.insert("\(event.device ?? "")\u{0}\(monitor.name)") }
    }
    return histories.sorted { $0.key < $1.key }.flatMap { device, history in
      plan.watch.map { monitor in
        RunReplay.Judged(
          document: "", device: device, row: [:], kind: .rule, name: monitor.name, place: SourcePlace(monitor.span),
          before: oldRules.contains(monitor.name) ? !broken.contains("\(device)\u{0}\(monitor.name)") : nil,
          now: judge(monitor, history, from: first), isIgnored: monitor.ifFails == .ignore)
      }
    }
  }

  private func judge(_ monitor: Plan.Monitor, _ history: DeviceHistory, from first: Begun) -> RunReplay.Outcome {
    let condition =
      switch monitor.rule {
      case .always(let condition), .never(let condition): condition
      }
    // What is saved later has no one value.
    if let untold = condition.untold(first.saved) { return .undecided(untold) }
    if let difference = matching.difference { return .undecided(difference) }
    var machine = MonitorStateMachine(monitor)
    func failed(_ violation: MonitorStateMachine.Violation) -> RunReplay.Outcome {
      .failed("at +\(violation.since.seconds.decimals(1, padded: true))s: \(WantText.values(violation.got))")
    }
    let last = history.place(after: end?.number ?? .max)
    for seen in history.seen[min(history.place(after: first.start.number), last)..<last] where !seen.isLoss {
      if let violation = machine.observe(seen.status, saved: first.saved) { return failed(violation) }
    }
    if let end, let violation = machine.timerFired(at: end.time) { return failed(violation) }
    return .passed
  }
}
