import CastProtocol
import ScenarioLanguage

/// Makes timelines of events, one event at a time. Scenarios that run at the same time have one together.
struct TimelineBuilder: Sendable {
  /// What the statuses of a page may cost, in bytes of the page.
  static let statusBytes = 600_000
  /// How much of a value is kept.
  static let valueLimit = 300

  private(set) var timelines: [RunTimeline] = []
  /// Scenarios of the newest timeline that still run.
  private var running = 0
  /// As the transcript's, but a scenario begins with what the one before left.
  private var statuses = MergedStatuses()
  /// Since when a device's player is buffering.
  private var stalls: [String: Double] = [:]

  /// - Parameter transcript: What is known of the run, this event included.
  mutating func record(_ event: Event, in transcript: RunTranscript) {
    switch event.kind {
    case .scenarioStarted(let started): begin(started, event, transcript.scenarioIndex)
    case .scenarioFinished:
      running = max(0, running - 1)
      if running == 0 { close(at: event.elapsed) }
    case .stepStarted(let step): start(step, event)
    case .stepFinished(let step): finish(step, event)
    case .status(let change): see(change, event)
    case .expectPassed(let judged): judge(judged, true, event, transcript.runningStep(of: event))
    case .expectFailed(let judged): judge(judged, false, event, transcript.runningStep(of: event))
    case .request, .reply, .messages: for message in event.messages { say(message, event) }
    case .attemptFailed(let failed):
      mark("\(event.step ?? ""): try \(failed.attempt) failed: \(failed.error.message)", .bad, event)
    case .mark(let note), .log(let note): mark(note.text, .note, event)
    case .page(let note):
      guard note.level == .error else { break }
      update(event, of: device(note.receiver, transcript)) {
        $0.marks.add(Self.moment(event, "page: \(note.oneLine)", .bad))
      }
    case .fault(let fault):
      update(event, of: device(fault.receiver, transcript)) { $0.faults.add(Self.moment(event, fault.oneLine, .note)) }
    case .monitorFailed(let broken):
      update(event) { $0.monitors.add(Self.moment(event, broken.name, broken.isIgnored ? .note : .bad)) }
    case .deviceLost(let lost):
      update(event) { device in
        device.link.change(to: "lost: \(lost.reason)", at: event.elapsed)
        // Nothing is known of the device until it is back.
        Self.draw([:], at: event.elapsed, &device)
        Self.track([:], at: event.elapsed, &device)
      }
    case .deviceBack:
      let known = statuses[event.device] ?? [:]
      update(event) { device in
        device.link.close(at: event.elapsed)
        Self.draw(known, at: event.elapsed, &device)
      }
    case .runFinished: if running > 0 { close(at: event.elapsed) }
    case .runStarted, .diagnostic, .plan, .deviceFound, .deviceConnected, .deviceSoftware, .requestFinished,
      .finallyStarted, .finallyFinished, .screenshot:
      break
    }
    if running > 0, let last = timelines.indices.last { timelines[last].end = max(timelines[last].end, event.elapsed) }
  }

  /// The timelines of a run that ended without a word, too.
  var finished: [RunTimeline] {
    var copy = self
    if copy.running > 0, let last = copy.timelines.last { copy.close(at: last.end) }
    return copy.timelines
  }

  private static func moment(_ event: Event, _ text: String, _ look: Moments.Look) -> Moments.Moment {
    Moments.Moment(time: event.elapsed, text: HTML.cut(text, to: valueLimit), look: look)
  }

  /// The device of an event that names a virtual receiver in its place.
  private func device(_ receiver: String, _ transcript: RunTranscript) -> String {
    transcript.device(called: receiver) ?? receiver
  }

  private mutating func update(_ event: Event, of other: String? = nil, _ change: (inout RunTimeline.Device) -> Void) {
    guard running > 0, let last = timelines.indices.last else { return }
    guard let index = timelines[last].index(of: event.device ?? other) else { return }
    change(&timelines[last].devices[index])
  }

  private mutating func mark(_ text: String, _ look: Moments.Look, _ event: Event) {
    update(event) { $0.marks.add(Self.moment(event, text, look)) }
  }

  // MARK: Scenarios and steps

  private mutating func begin(_ started: EventKind.ScenarioStarted, _ event: Event, _ scenario: Int?) {
    if running == 0 { timelines.append(RunTimeline(start: event.elapsed, end: event.elapsed)) }
    running += 1
    guard let last = timelines.indices.last else { return }
    if let scenario { timelines[last].scenarios.append(scenario) }
    let devices = started.roles.map { $0.members.map { $0.value.string } } ?? [event.device]
    for device in devices {
      guard let index = timelines[last].index(of: device), let known = statuses[device] else { continue }
      // As the scenario before left it.
      Self.draw(known, at: event.elapsed, &timelines[last].devices[index])
      add(row(event.elapsed, set: known, unset: []), to: index)
    }
  }

  private mutating func close(at time: Double) {
    running = 0
    guard let last = timelines.indices.last else { return }
    timelines[last].end = max(timelines[last].end, time)
    for index in timelines[last].devices.indices {
      let id = timelines[last].devices[index].id ?? ""
      timelines[last].devices[index].note(stallSince: stall(of: id), until: time)
      timelines[last].devices[index].link.close(at: time)
      timelines[last].devices[index].app.close(at: time)
      timelines[last].devices[index].player.close(at: time)
      timelines[last].devices[index].adBreak.close(at: time)
      timelines[last].devices[index].rate.close(at: time)
    }
  }

  private mutating func start(_ step: EventKind.StepStarted, _ event: Event) {
    guard step.parent == nil else { return }
    let bar = RunTimeline.Bar(
      id: event.step ?? "", name: HTML.cut(step.name, to: Self.valueLimit), start: event.elapsed)
    onDevices(of: event) { device in
      if device.steps.count < RunTimeline.barLimit { device.steps.append(bar) } else { device.missedBars += 1 }
    }
  }

  private mutating func finish(_ step: EventKind.StepFinished, _ event: Event) {
    guard step.parent == nil else { return }
    onDevices(of: event) { device in
      guard let index = device.steps.lastIndex(where: { $0.id == event.step && $0.result == nil }) else { return }
      device.steps[index].end = event.elapsed
      device.steps[index].result = step.result
    }
  }

  /// A step of a scenario with several devices may be about none of them: then it is on the lanes of all.
  private mutating func onDevices(of event: Event, _ change: (inout RunTimeline.Device) -> Void) {
    guard event.device == nil, running > 0, let last = timelines.indices.last, !timelines[last].devices.isEmpty else {
      return update(event, change)
    }
    for index in timelines[last].devices.indices { change(&timelines[last].devices[index]) }
  }

  /// - Parameter step: The step that judged it.
  private mutating func judge(
    _ judged: EventKind.Expectation, _ hasPassed: Bool, _ event: Event, _ step: RunTranscript.Step?
  ) {
    let window = RunTimeline.Window(
      start: step?.startedAt ?? event.elapsed, end: event.elapsed, deadline: step?.deadline, step: event.step ?? "",
      text: HTML.cut(WantText.conditions(judged.want), to: Self.valueLimit), hasPassed: hasPassed)
    onDevices(of: event) { device in
      // What failed must be seen.
      if device.windows.count < RunTimeline.barLimit || !hasPassed && device.windows.count < 2 * RunTimeline.barLimit {
        device.windows.append(window)
      } else {
        device.missedBars += 1
      }
    }
  }

  private mutating func say(_ message: EventKind.KeptMessage, _ event: Event) {
    let name = HTML.cut(message.message.message["type"]?.string ?? message.message.namespace, to: Self.valueLimit)
    let look: Moments.Look = message.isSent ? .sent : .received
    update(event) { $0.messages.add(Moments.Moment(time: message.elapsed, text: name, look: look)) }
  }

  // MARK: Statuses

  private mutating func see(_ change: EventKind.StatusChange, _ event: Event) {
    let id = event.device ?? ""
    let new = statuses.apply(change, of: event.device)
    guard running > 0, let last = timelines.indices.last else { return }
    guard let index = timelines[last].index(of: event.device) else { return }
    timelines[last].devices[index].note(stallSince: stall(of: id), until: event.elapsed)
    stalls[id] = new["player"]?.string == "buffering" ? stalls[id] ?? event.elapsed : nil
    if !change.set.members.isEmpty || !change.unset.isEmpty {
      Self.draw(new, at: event.elapsed, &timelines[last].devices[index])
    }
    if change.scope == .media { Self.track(new, at: event.elapsed, &timelines[last].devices[index]) }
    var row = row(event.elapsed, set: change.set, unset: change.unset)
    row.isPolled = change.source == .polled
    add(row, to: index)
  }

  private func row(_ time: Double, set: JSONObject, unset: [String]) -> StatusLog.Row {
    StatusLog.Row(
      time: time,
      set: set.members.map { member in
        (member.name, HTML.cut(WantText.value(member.value, at: FieldPath([member.name])), to: Self.valueLimit))
      }, unset: unset)
  }

  /// All logs of a page together have a size that they may not exceed.
  private mutating func add(_ row: StatusLog.Row, to index: Int) {
    guard let last = timelines.indices.last else { return }
    timelines[last].devices[index].statuses.add(row)
    statusCost += row.cost
    guard statusCost > statusLimit else { return }
    statusCost = 0
    for place in timelines.indices {
      for device in timelines[place].devices.indices {
        timelines[place].devices[device].statuses.thin()
        statusCost += timelines[place].devices[device].statuses.cost
      }
    }
    // Very many scenarios have a few statuses each, whatever the limit is: not all are looked at with every status.
    statusLimit = max(Self.statusBytes, statusCost * 2)
  }

  private var statusCost = 0
  private var statusLimit = statusBytes

  /// Since when a device's player is buffering, as far as the timeline tells.
  private func stall(of id: String) -> Double? { stalls[id].map { max($0, timelines.last?.start ?? $0) } }

  private static func draw(_ status: JSONObject, at time: Double, _ device: inout RunTimeline.Device) {
    func text(_ value: JSONValue?) -> String? { value?.string.map { HTML.cut($0, to: Self.valueLimit) } }
    let app = status["app"]
    device.app.change(to: text(app?["name"]) ?? text(app?["id"]), at: time)
    device.player.change(to: text(status["player"]), at: time)
    let adBreak = status["break"].flatMap { $0.isNull ? nil : HTML.cut(StatusText.breakName($0), to: Self.valueLimit) }
    device.adBreak.change(to: adBreak.map { $0.isEmpty ? "break" : $0 }, at: time)
    device.rate.change(to: status["rate"]?.number.map { $0.decimals(2) + "x" }, at: time)
  }

  /// Positions in the merged status are as of the newest media status.
  private static func track(_ status: JSONObject, at time: Double, _ device: inout RunTimeline.Device) {
    let isRunning = status["player"]?.string == "playing"
    let speed = isRunning ? status["rate"]?.number ?? 1 : 0
    device.position.add(
      .init(time: time, position: status["position"]?.number.flatMap { $0.isFinite ? max(0, $0) : nil }, speed: speed))
  }
}
