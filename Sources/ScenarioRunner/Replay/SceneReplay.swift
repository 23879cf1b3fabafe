import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// Judges what one scenario of a run saw.
struct SceneReplay {
  /// What is known of one device while the events are gone through.
  private struct Device {
    /// All that it showed, with the number of the event.
    var seen: [(number: Int, seen: ExpectationReplay.Seen)] = []
    /// The view after each, and before the first.
    var views: [RecordedStatuses] = [RecordedStatuses()]

    /// The place of the first that was seen after an event.
    func place(after number: Int) -> Int { seen.firstIndex { $0.number > number } ?? seen.endIndex }
  }

  /// A step as it was run.
  private struct Begun {
    var step: Plan.Step
    var device: String?
    var pass: Int?
    var number: Int
    var start: Duration
    var end: Moment?
    var hasPassed: Bool?
    /// What ended it in the run, where that was none of what it judges.
    var cause: String?
    /// The values saved by then.
    var saved: [String: JSONValue]
    /// It is new in the edited document: nothing of it was run.
    var isNew = false
    var isCleanup = false
  }

  /// A moment of the run.
  private struct Moment {
    /// Of the event then.
    var number: Int
    var time: Duration

    init(_ event: Event) { (number, time) = (event.number, SceneReplay.time(event)) }
    init(_ begun: Begun) { (number, time) = (begun.number, begun.start) }
  }

  private let events: [Event]
  private let before: [Event]
  private let old: Plan
  private let plan: Plan
  private let isOurs: (Event) -> Bool

  init(events: [Event], before: [Event], old: Plan, plan: Plan, isOurs: @escaping (Event) -> Bool) {
    self.events = events
    self.before = before
    self.old = old.withRolesWrittenOut
    self.plan = plan.withRolesWrittenOut
    self.isOurs = isOurs
  }

  func judged() -> [RunReplay.Judged] {
    let devices = devices()
    let begun = begun()
    let end = end(of: begun)
    let judged = begun.enumerated().compactMap { index, step in judge(step, index, begun, devices, until: end) }
    return judged + monitors(devices, begun, until: end)
  }

  /// To the millisecond that events are cut to: sums of times then meet as they did.
  private static func time(_ event: Event) -> Duration {
    .milliseconds(Int64(exactly: (event.elapsed * 1000).rounded()) ?? 0)
  }

  // MARK: what was seen

  private func devices() -> [String: Device] {
    var devices: [String: Device] = [:]
    for event in before + events where isOurs(event) {
      guard let id = event.device else { continue }
      var device = devices[id] ?? Device()
      var statuses = device.views.last ?? RecordedStatuses()
      switch event.kind {
      case .deviceConnected: statuses.connect()
      case .deviceLost:
        statuses.lose()
        device.seen.append((event.number, .lost(ObservedStatus(statuses.view(at: Self.time(event))))))
        device.views.append(statuses)
      case .status(let change):
        device.seen.append((event.number, .status(statuses.record(change, at: Self.time(event)))))
        device.views.append(statuses)
      default: break
      }
      // What a connection does to the newest view comes with no status.
      if case .deviceConnected = event.kind { device.views[device.views.count - 1] = statuses }
      devices[id] = device
    }
    return devices
  }

  // MARK: what was run

  private func begun() -> [Begun] {
    let matching = StepMatching(old.allSteps, plan.allSteps)
    var saved: [String: JSONValue] = [:]
    for variable in plan.variables {
      if case .literal(let value) = variable.value { saved[variable.name] = value }
    }
    var begun: [Begun] = []
    var open: [String: Int] = [:]
    let cleanup = Set((plan.onFailure + plan.finally).flattened.map(\.id))
    for event in events where isOurs(event) {
      guard let id = event.step else { continue }
      let key = "\(event.device ?? "")\u{0}\(id)"
      switch event.kind {
      case .stepStarted(let started):
        guard let step = matching.edited[id] else { continue }
        open[key] = begun.count
        begun.append(
          Begun(
            step: step, device: event.device, pass: started.pass, number: event.number, start: Self.time(event),
            saved: saved, isCleanup: cleanup.contains(step.id)))
      case .attemptFailed(let failed):
        let isJudged = [.expectation, .timeout].contains(failed.error.errorClass)
        if !isJudged, let index = open[key] { begun[index].cause = failed.error.className }
      case .stepFinished(let finished):
        for member in finished.saved?.members ?? [] { saved[member.name] = member.value }
        let isPassed: Bool? = finished.result.isGood ? true : finished.result.isBad ? false : nil
        let device = open[key].map { begun[$0].device } ?? event.device
        if let index = open.removeValue(forKey: key) {
          (begun[index].end, begun[index].hasPassed) = (Moment(event), isPassed)
        }
        for new in matching.new where new.after == id && new.step.judgesStatuses {
          begun.append(
            Begun(
              step: new.step, device: device, pass: finished.pass, number: event.number, start: Self.time(event),
              saved: saved, isNew: true, isCleanup: cleanup.contains(new.step.id)))
        }
      default: break
      }
    }
    return begun
  }

  /// When the steps were done: then the app is left, or what cleans up begins.
  private func end(of begun: [Begun]) -> Moment? {
    begun.filter { !$0.isCleanup }.compactMap(\.end).max { $0.number < $1.number } ?? events.last.map(Moment.init)
  }

  // MARK: judging

  private func judge(
    _ begun: Begun, _ index: Int, _ all: [Begun], _ devices: [String: Device], until mainEnd: Moment?
  ) -> RunReplay.Judged? {
    guard begun.step.judgesStatuses, let device = begun.device.flatMap({ devices[$0] }) ?? devices.values.first else {
      return nil
    }
    let place = device.place(after: begun.number)
    let (end, reason) = horizon(of: begun, index, all, until: mainEnd)
    let lookBack = start(ofHistoryOf: begun, index, all)
    var replay = ExpectationReplay(
      view: device.views[place].view(at: begun.start),
      later: device.seen[place..<max(place, device.place(after: end?.number ?? .max))].map(\.seen)[...],
      saved: begun.saved, start: begun.start,
      // Times of events are cut to milliseconds.
      end: max(end?.time ?? begun.start, begun.end?.time ?? begun.start) + .milliseconds(1), endReason: reason,
      reply: plan.timeouts.reply)
    replay.view.baseline = baseline(before: index, all, device)
    replay.history = device.seen[..<place].filter { $0.number > lookBack }.compactMap { seen in
      if case .status(let status) = seen.seen { status } else { nil }
    }
    guard let outcome = replay.judge(begun.step) else { return nil }
    return RunReplay.Judged(
      document: "", device: begun.device, row: [:], step: begun.step.id, pass: begun.pass, name: begun.step.name,
      place: SourcePlace(startOf: begun.step.span), before: begun.isNew ? nil : begun.hasPassed,
      now: Self.outcome(outcome, begun.step))
  }

  /// Until when what is seen is about a step, and why not longer.
  private func horizon(
    of begun: Begun, _ index: Int, _ all: [Begun], until mainEnd: Moment?
  ) -> (end: Moment?, reason: String) {
    if let cause = begun.cause, let end = begun.end { return (end, "`\(cause)` ended it") }
    // The next action changes what is seen.
    let next = all[(index + 1)...].first {
      $0.step.isAction && $0.device == begun.device && $0.number > begun.number && $0.isCleanup == begun.isCleanup
    }
    if let next { return (Moment(next), "the run went on with \(next.step.id)") }
    if begun.isCleanup { return (events.last.map(Moment.init), "the run ended") }
    return (mainEnd, "the run ended with \(all.last { !$0.isCleanup }?.step.id ?? begun.step.id)")
  }

  /// The status as the last action began.
  private func baseline(before index: Int, _ all: [Begun], _ device: Device) -> StatusView.Baseline? {
    guard let action = all[..<index].last(where: { $0.step.isAction && $0.device == all[index].device }) else {
      return nil
    }
    return StatusView.Baseline(device.views[device.place(after: action.number)].view(at: action.start))
  }

  /// The number of the event with which a sequence's look-back begins.
  private func start(ofHistoryOf begun: Begun, _ index: Int, _ all: [Begun]) -> Int {
    guard case .expectSequence(let action) = begun.step.action else { return begun.number }
    if let since = action.since, let named = all[..<index].last(where: { $0.step.id == since }) { return named.number }
    return all[..<index].last { $0.step.isAction && $0.device == begun.device }?.number ?? 0
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

  private func monitors(
    _ devices: [String: Device], _ begun: [Begun], until end: Moment?
  ) -> [RunReplay.Judged] {
    guard let first = begun.first else { return [] }
    return devices.sorted { $0.key < $1.key }.flatMap { id, device in
      plan.watch.map { monitor in
        RunReplay.Judged(
          document: "", device: id, row: [:], name: monitor.name, place: SourcePlace(monitor.span),
          before: wasKept(monitor, on: id), now: judge(monitor, device, from: first, until: end))
      }
    }
  }

  /// Whether a rule of this name held in the run; `nil` where the run had none.
  private func wasKept(_ monitor: Plan.Monitor, on device: String) -> Bool? {
    guard old.watch.contains(where: { $0.name == monitor.name }) else { return nil }
    return !events.contains { event in
      if case .monitorFailed(let broken) = event.kind {
        broken.name == monitor.name && event.device == device
      } else {
        false
      }
    }
  }

  private func judge(
    _ monitor: Plan.Monitor, _ device: Device, from first: Begun, until end: Moment?
  ) -> RunReplay.Outcome {
    let condition =
      switch monitor.rule {
      case .always(let condition), .never(let condition): condition
      }
    if let untold = condition.untold(first.saved) { return .undecided(untold) }
    var machine = MonitorStateMachine(monitor)
    func failed(_ violation: MonitorStateMachine.Violation) -> RunReplay.Outcome {
      .failed("at +\(violation.since.seconds.decimals(1, padded: true))s: \(WantText.values(violation.got))")
    }
    for (number, seen) in device.seen where number > first.number {
      guard case .status(let status) = seen, number <= end?.number ?? .max else { break }
      if let violation = machine.observe(status, saved: first.saved) { return failed(violation) }
    }
    if let end, let violation = machine.timerFired(at: end.time) { return failed(violation) }
    return .passed
  }
}
