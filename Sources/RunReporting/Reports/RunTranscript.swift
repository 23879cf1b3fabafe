package import CastProtocol
import ScenarioLanguage

/// A run as its events describe it: the part that every kind of report shares.
package struct RunTranscript: Sendable {
  static let statusLimit = 16
  static let failureLimit = 16
  /// How many messages are told of a failure, and of how many failures in a run.
  static let messageLimit = 8
  static let failureWithMessagesLimit = 40

  /// What is run.
  package private(set) var run = EventKind.RunStarted()
  /// What is known of it besides, where its events have no end.
  package internal(set) var fate = RunFate.unknown
  package private(set) var devices: [(id: String, device: Device)] = []
  package private(set) var scenarios: [Scenario] = []
  /// The scenario that the newest event is about.
  private var current: Int?
  /// What the run came to; `nil` while it runs.
  package private(set) var finished: EventKind.RunFinished?
  package private(set) var finishedAt = 0.0
  /// Unix seconds of the newest event.
  private(set) var time = 0.0
  /// Unix seconds of the first event.
  private(set) var startedAt = 0.0
  /// The merged status of the device that was heard of last, as `status` events tell it.
  package private(set) var status = JSONObject()
  private var statuses = MergedStatuses()
  /// When the newest media status came, in document seconds; positions in ``status`` are as of then.
  package private(set) var lastStatusElapsed: Double?
  /// Errors told by `diagnostic` events, for runs that never get to a step.
  package private(set) var errors: [EventKind.Problem] = []
  /// Why `auth: pin` could not keep or compare a device's key, by the device.
  package private(set) var unpinned: [String: String] = [:]
  private var faults = SeenFaults()
  /// The last messages of each device, in both directions.
  private var recentMessages: [String: [EventKind.KeptMessage]] = [:]
  /// How many messages were recorded as they passed.
  package private(set) var messageCount = 0
  private var failuresWithMessages = 0
  /// Failures of which the messages are not told, for there were too many.
  package private(set) var failuresWithoutMessages = 0

  package init() {}

  /// The scenario that the newest event is about, else the last.
  package var scenario: Scenario? { current.map { scenarios[$0] } ?? scenarios.last }

  /// Its place among ``scenarios``.
  package var scenarioIndex: Int? { current ?? scenarios.indices.last }

  /// Whether steps of several devices may follow each other, so that each must say whose it is.
  package var isOfSeveralDevices: Bool {
    scenarios.contains { !$0.roles.members.isEmpty || $0.device != scenarios.first?.device }
  }

  /// What stands before a step's id on a terminal: its device where there are several, and its row of the matrix.
  /// - Parameter label: What tells the run from others that are told beside it.
  func whose(_ device: String?, row: String?, label: String? = nil) -> String {
    [isOfSeveralDevices || label != nil ? device ?? "-" : nil, label, row].compactMap { $0 }.map { $0 + " " }.joined()
  }

  /// The last try of each scenario: what the run comes to.
  package var finalScenarios: [Scenario] {
    scenarios.indices.filter { index in
      let scenario = scenarios[index]
      return !scenarios[(index + 1)...].contains {
        $0.isSameCase(as: scenario) && $0.repeated?.number == scenario.repeated?.number
          && $0.attempt > scenario.attempt
      }
    }.map { scenarios[$0] }
  }

  /// How reports call what a scenario ran on.
  package func deviceText(of scenario: Scenario) -> String {
    guard !scenario.roles.members.isEmpty else {
      return device(scenario.device)?.name ?? scenario.device ?? "no device"
    }
    return scenario.roles.members.map { role in
      "\(role.name)=\(device(role.value.string)?.name ?? role.value.string ?? "")"
    }.joined(separator: ", ")
  }

  package func device(_ id: String?) -> Device? { devices.last { $0.id == id }?.device }
  /// The id of the device that a virtual receiver of this name is.
  func device(called name: String) -> String? { devices.last { $0.device.name == name }?.id }

  /// The step that an event is of, while it runs.
  func runningStep(of event: Event) -> Step? {
    guard let scenario = current.map({ scenarios[$0] }) else { return nil }
    return scenario.open.last { $0.isOf(event) } ?? scenario.steps.last.flatMap { $0.isOf(event) ? $0 : nil }
  }
  package func document(_ id: String) -> EventKind.RunStarted.Document? { run.documents.last { $0.id == id } }

  /// Takes the next event.
  package mutating func record(_ event: Event) {
    if startedAt == 0 { startedAt = event.wallTime }
    time = event.wallTime
    if event.type != .scenarioStarted,
      let index = scenarios.indices.last(where: { scenarios[$0].isAbout(event.device) })
    {
      current = index
    }
    switch event.kind {
    case .runStarted(let started): run = started
    case .runFinished(let finished):
      self.finished = finished
      finishedAt = event.elapsed
    case .diagnostic(let problem):
      if problem.severity == .error { errors.append(problem) }
      if problem.isUnpinned == true { unpinned[event.device ?? ""] = problem.message }
    case .deviceFound(let found):
      let name = found.name.isEmpty ? event.device ?? "" : found.name
      let address = found.address.isEmpty ? nil : found.address
      var device = Device(
        name: name, id: found.id, model: found.model, address: address, isVirtual: found.origin == .known(.virtual))
      // Each row of a matrix finds its device anew.
      let known = self.device(event.device)
      (device.connected, device.software) = (known?.connected, known?.software)
      device.firmware = device.software?.text
      devices.append((event.device ?? "", device))
    case .deviceConnected(let connected):
      guard let index = devices.lastIndex(where: { $0.id == event.device }) else { return }
      devices[index].device.firmware = connected.firmware ?? devices[index].device.software?.text
      devices[index].device.connected = connected
    case .deviceSoftware(let software):
      guard let index = devices.lastIndex(where: { $0.id == event.device }) else { return }
      devices[index].device.software = software
      devices[index].device.firmware = software.text ?? devices[index].device.firmware
    case .scenarioStarted(let started):
      if scenarios.allSatisfy({ $0.finished != nil }) { (status, statuses) = ([:], MergedStatuses()) }
      current = scenarios.count
      scenarios.append(
        Scenario(
          document: event.document ?? "", device: event.device, roles: started.roles ?? [:], row: started.row,
          choice: started.choice, attempt: started.attempt,
          repeated: started.repeatNumber.map { ($0, started.repeats ?? $0) }, startedAt: event.wallTime))
    case .scenarioFinished(let finished):
      let faultLines = finished.result.isGood ? [] : faultLines(for: event.device)
      updateScenario { ($0.finished, $0.faultLines) = (finished, faultLines) }
    case .stepStarted(let started):
      if let parent = started.parent { updateHolder(parent) { $0.inner += 1 } }
      updateScenario { scenario in
        let step = Step(started, event)
        if step.parent == nil { scenario.steps.append(step) } else { scenario.open.append(step) }
      }
    case .stepFinished(let finished): finishStep(finished, event)
    case .attemptFailed(let failed):
      updateStep(event.step) { $0.failedAttempts.append(failed) }
      keepMessages(event)
    case .expectFailed(let failed):
      updateStep(event.step) { ($0.failedExpectation, $0.skew) = (failed, failed.skew) }
      keepMessages(event)
    case .expectPassed(let passed):
      updateStep(event.step) { ($0.passedExpectation, $0.skew) = (passed, passed.skew ?? $0.skew) }
    case .monitorFailed(let broken):
      let faultLines = faultLines(for: event.device)
      updateScenario { scenario in
        guard scenario.brokenMonitors.count < Self.failureLimit else { return }
        scenario.brokenMonitors.append((event.device, broken, faultLines))
      }
    case .page(let note):
      if note.level == .error { updateStep(event.step) { $0.see(.error(note.oneLine)) } }
    case .screenshot(let picture): updateStep(event.step) { $0.see(.picture(picture.path)) }
    case .status(let change): recordStatus(change, event)
    case .request, .reply:
      messageCount += 1
      noteMessages(event)
    case .messages:
      noteMessages(event)
      keepMessages(event)
    case .plan, .deviceLost, .deviceBack, .requestFinished, .mark, .log, .finallyStarted, .finallyFinished: break
    case .fault(let note): faults.see(note, at: event.elapsed)
    }
  }

  /// The faults of a device, or of all where it is not known which it is.
  private func faultLines(for device: String?) -> [String] { faults.lines(of: self.device(device)?.name) }

  private mutating func updateScenario(_ change: (inout Scenario) -> Void) {
    guard let index = current else { return }
    change(&scenarios[index])
  }

  /// Changes the step that runs under this id, else the innermost, else the last of the document's own.
  private mutating func updateStep(_ id: String?, _ change: (inout Step) -> Void) {
    updateScenario { scenario in
      if let index = scenario.open.lastIndex(where: { $0.id == id }) { return change(&scenario.open[index]) }
      let isOwn = scenario.steps.last.map { $0.id == id } ?? false
      if !isOwn, let index = scenario.open.indices.last { return change(&scenario.open[index]) }
      guard let index = scenario.steps.indices.last else { return }
      change(&scenario.steps[index])
    }
  }

  /// Changes the step that holds others.
  private mutating func updateHolder(_ id: String, _ change: (inout Step) -> Void) {
    updateScenario { scenario in
      if let index = scenario.open.lastIndex(where: { $0.id == id }) { return change(&scenario.open[index]) }
      guard let index = scenario.steps.indices.last, scenario.steps[index].id == id else { return }
      change(&scenario.steps[index])
    }
  }

  /// A step that was skipped or not run has only this event.
  private mutating func finishStep(_ finished: EventKind.StepFinished, _ event: Event) {
    let faultLines = finished.result.isBad || finished.result == .flaky ? faultLines(for: event.device) : []
    if let parent = finished.parent {
      if finished.result.isGood { updateHolder(parent) { $0.innerGood += 1 } }
      let isPart = scenario?.open.last { $0.id == event.step }?.isPartlyTaken == true
      if finished.resumed == .taken || isPart { updateHolder(parent) { $0.isPartlyTaken = true } }
    } else {
      updateScenario { scenario in
        guard scenario.steps.last?.id != event.step || scenario.steps.last?.result != nil else { return }
        scenario.steps.append(Step(finished, event))
      }
    }
    // Else they are told already, or with the step in it that failed.
    if finished.result.isBad, let step = runningStep(of: event), step.messages.isEmpty, step.failures.isEmpty {
      keepMessages(event)
    }
    updateScenario { scenario in
      guard finished.parent != nil else {
        guard let index = scenario.steps.indices.last else { return }
        scenario.steps[index].finish(finished, after: faultLines)
        scenario.last = scenario.steps[index]
        return
      }
      let index = scenario.open.lastIndex { $0.id == event.step }
      var step = index.map { scenario.open.remove(at: $0) } ?? Step(finished, event)
      step.finish(finished, after: faultLines)
      scenario.last = step
    }
    // Steps that passed inside another are not reported again, and loops may run for days: they are not kept.
    guard let parent = finished.parent, let step = scenario?.last, step.result?.isBad == true else { return }
    updateStep(parent) { outer in
      outer.failures.append(step)
      if outer.failures.count > Self.failureLimit { outer.failures.removeFirst() }
    }
  }

  // MARK: Messages

  private mutating func noteMessages(_ event: Event) {
    let device = event.device ?? ""
    recentMessages[device, default: []] += event.messages
    let more = (recentMessages[device]?.count ?? 0) - Self.messageLimit
    if more > 0 { recentMessages[device]?.removeFirst(more) }
  }

  /// Keeps the last messages of the device with the step of an event, which has just failed. Several events tell of one
  /// failure.
  private mutating func keepMessages(_ event: Event) {
    guard let messages = recentMessages[event.device ?? ""], let step = runningStep(of: event) else { return }
    guard failuresWithMessages < Self.failureWithMessagesLimit || !step.messages.isEmpty else {
      if !step.lacksMessages { failuresWithoutMessages += 1 }
      return updateStep(event.step) { $0.lacksMessages = true }
    }
    if step.messages.isEmpty { failuresWithMessages += 1 }
    updateStep(event.step) { $0.messages = messages }
  }

  // MARK: Statuses

  private mutating func recordStatus(_ change: EventKind.StatusChange, _ event: Event) {
    status = statuses.apply(change, of: event.device)
    if change.scope == .media { lastStatusElapsed = event.elapsed }
    let isPolled = change.source == .polled
    let seen = SeenStatus(elapsed: event.elapsed, isPolled: isPolled, values: status)
    func note(_ step: inout Step) {
      guard step.result == nil else { return }
      step.statuses.append(seen)
      if step.statuses.count > Self.statusLimit { step.statuses.removeFirst() }
      if isPolled { step.polledStatuses += 1 }
    }
    updateScenario { scenario in
      // Of several devices each tells of itself.
      if scenario.roles.members.isEmpty, let index = scenario.open.indices.last { return note(&scenario.open[index]) }
      if let index = scenario.open.lastIndex(where: { $0.device == event.device }) {
        return note(&scenario.open[index])
      }
      guard let index = scenario.steps.indices.last else { return }
      note(&scenario.steps[index])
    }
  }
}
