package import CastProtocol
import ScenarioLanguage

/// A run as its events describe it: the part that every kind of report shares.
package struct RunTranscript: Sendable {
  package struct Device: Sendable {
    package var name: String
    package var id: String?
    package var model: String?
    package var address: String?
    package var firmware: String?
    package var isVirtual = false
  }

  /// One scenario on one device.
  package struct Scenario: Sendable {
    package var document: String
    package var device: String?
    /// The device of each role, where it has several.
    package var roles = JSONObject()
    package var row: JSONObject
    /// How `--device` names its device, where the document runs on each of several.
    package var choice: String?
    /// Each rule of `watch` that was broken, the device it is about, and the faults that came before, a line each.
    package var brokenMonitors: [(device: String?, broken: EventKind.MonitorFailed, faultLines: [String])] = []
    /// The faults of virtual receivers that came before it ended, a line each; only of one that did not pass.
    package fileprivate(set) var faultLines: [String] = []
    /// Which try of the scenario it is.
    package var attempt = 1
    /// Which repeat of its row it is, and of how many; `nil` where rows are run once.
    package var repeated: (number: Int, count: Int)?
    /// Unix seconds.
    package var startedAt: Double
    /// The document's own steps; those inside them are ``open`` while they run.
    package var steps: [Step] = []
    /// The steps that run inside the last of ``steps``, in the order of their beginning.
    package var open: [Step] = []
    /// The step that finished last, wherever it stands.
    package var last: Step?
    /// The result; `nil` while it runs.
    package var finished: EventKind.ScenarioFinished?

    /// The innermost step that runs.
    package var running: Step? { open.last ?? steps.last.flatMap { $0.result == nil ? $0 : nil } }

    /// What tells it from the others of the run: `qa-hub lang=no`; empty where there are no others.
    package var mark: String { ([choice == nil ? nil : device] + [rowText]).compactMap { $0 }.joined(separator: " ") }

    /// `lang=no speed=2 repeat 3/10`; `nil` without a matrix and without `--repeat`.
    package var rowText: String? {
      let words = [valuesText, repeated.map { "repeat \($0.number)/\($0.count)" }].compactMap(\.self)
      return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// `lang=no speed=2`; `nil` without a matrix.
    package var valuesText: String? {
      let values = row.members.map { "\($0.name)=\($0.value.string ?? $0.value.serialized())" }
      return values.isEmpty ? nil : values.joined(separator: " ")
    }

    /// Whether both are of one row on one device, with whatever try and repeat.
    func isSameCase(as other: Scenario) -> Bool {
      document == other.document && device == other.device && row == other.row
    }

    package var duration: Double { finished?.duration ?? 0 }
    package var result: RunVerdict? { finished?.result }

    /// Whether an event of this device may be of this scenario.
    fileprivate func isAbout(_ device: String?) -> Bool {
      guard let device, let own = self.device else { return true }
      return device == own
    }
  }

  package struct Step: Sendable {
    package var id: String
    /// The device it is about; `nil` where it is about none of several.
    package var device: String? = nil
    package var section: StepSection
    package var name: String
    /// Where it begins.
    package var place: SourcePlace
    /// Document seconds since the run began.
    package var startedAt: Double
    package var deadline: Double?
    /// The seconds that it was given; `nil` where it may take any time, or takes all of it when all is well.
    package private(set) var limit: Double?
    package var failedAttempts: [EventKind.AttemptFailed] = []
    /// The last expectation that failed.
    package var failedExpectation: EventKind.Expectation?
    /// Seconds between the first and the last of several devices that came to what was expected of all of them.
    package var skew: Double?
    /// It did not fail by itself: a monitor's failure ended it.
    package var isStoppedByMonitor = false
    /// The statuses seen while it ran, the last ``statusLimit`` of them.
    package var statuses: [SeenStatus] = []
    package var polledStatuses = 0
    /// The errors that a receiver page told while it ran, and its pictures, the last ``statusLimit`` of them, a line each.
    package private(set) var pageLines: [String] = []
    /// The faults of virtual receivers that came before it ended, a line each; only of one that did not pass at once.
    package fileprivate(set) var faultLines: [String] = []
    /// `nil` while it runs.
    package var result: StepResult?
    package var reason: String?
    package var attempts = 1
    package var duration = 0.0
    /// Its failure does not count (`if_fails: ignore`).
    package var isIgnored = false
    /// What a resumed run did with it.
    package var resumed: EventKind.StepFinished.Resumption?
    /// The step that holds it, where one does, and the pass of a loop.
    package var parent: String?
    package var pass: Int?
    /// Steps inside it that failed, the last ``failureLimit`` of them.
    package var failures: [Step] = []

    /// `0.052s apart`.
    package var skewText: String? { skew.map { "\($0.decimals(3))s apart" } }

    /// What a resumed run did with it, in words.
    package var resumedText: String? { resumed?.text }

    /// Why it failed, where no expectation says it; `fail` says it by its name alone.
    package var shownReason: String? { reason ?? failedAttempts.last?.error.message }

    fileprivate mutating func see(_ line: String) {
      pageLines.append(line)
      if pageLines.count > RunTranscript.statusLimit { pageLines.removeFirst() }
    }

    /// The innermost step that failed: the cause of its failure.
    package var rootCause: Step {
      var step = self
      while let inner = step.failures.last(where: { !$0.isIgnored }) { step = inner }
      return step
    }
  }

  /// The merged status as of one event.
  package struct SeenStatus: Sendable {
    package var elapsed: Double
    package var isPolled: Bool
    package var values: JSONObject
  }

  static let statusLimit = 16
  static let failureLimit = 16

  /// What is run.
  package private(set) var run = EventKind.RunStarted()
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
  private var statuses: [String: JSONObject] = [:]
  /// When the newest media status came, in document seconds; positions in ``status`` are as of then.
  package private(set) var lastStatusElapsed: Double?
  /// Errors told by `diagnostic` events, for runs that never get to a step.
  package private(set) var errors: [EventKind.Problem] = []
  /// Why `auth: pin` could not keep or compare a device's key, by the device.
  package private(set) var unpinned: [String: String] = [:]
  private var faults = SeenFaults()

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
      devices.append(
        (
          event.device ?? "",
          Device(
            name: name, id: found.id, model: found.model, address: address, isVirtual: found.origin == .known(.virtual))
        ))
    case .deviceConnected(let connected):
      guard let index = devices.lastIndex(where: { $0.id == event.device }) else { return }
      devices[index].device.firmware = connected.firmware
    case .scenarioStarted(let started):
      if scenarios.allSatisfy({ $0.finished != nil }) { (status, statuses) = ([:], [:]) }
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
      updateScenario { scenario in
        let step = Step(started, event)
        if step.parent == nil { scenario.steps.append(step) } else { scenario.open.append(step) }
      }
    case .stepFinished(let finished): finishStep(finished, event)
    case .attemptFailed(let failed): updateStep(event.step) { $0.failedAttempts.append(failed) }
    case .expectFailed(let failed): updateStep(event.step) { ($0.failedExpectation, $0.skew) = (failed, failed.skew) }
    case .expectPassed(let passed):
      if let skew = passed.skew { updateStep(event.step) { $0.skew = skew } }
    case .monitorFailed(let broken):
      let faultLines = faultLines(for: event.device)
      updateScenario { scenario in
        guard scenario.brokenMonitors.count < Self.failureLimit else { return }
        scenario.brokenMonitors.append((event.device, broken, faultLines))
      }
    case .page(let note):
      if note.level == .error { updateStep(event.step) { $0.see("page      \(note.oneLine)") } }
    case .screenshot(let picture): updateStep(event.step) { $0.see("picture   \(picture.path)") }
    case .status(let change): recordStatus(change, event)
    case .plan, .deviceLost, .deviceBack, .request, .reply, .requestFinished, .messages, .mark, .log,
      .finallyStarted, .finallyFinished:
      break
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

  /// A step that was skipped or not run has only this event.
  private mutating func finishStep(_ finished: EventKind.StepFinished, _ event: Event) {
    let faultLines = finished.result.isBad || finished.result == .flaky ? faultLines(for: event.device) : []
    func finish(_ step: inout Step) {
      step.result = finished.result
      step.faultLines = faultLines
      step.reason = finished.reason
      step.attempts = finished.attempts ?? 1
      step.duration = finished.duration ?? 0
      step.isIgnored = finished.isIgnored
      step.resumed = finished.resumed
      step.isStoppedByMonitor = finished.stoppedBy == .monitor
    }
    updateScenario { scenario in
      guard finished.parent != nil else {
        if scenario.steps.last?.id != event.step || scenario.steps.last?.result != nil {
          scenario.steps.append(Step(finished, event))
        }
        guard let index = scenario.steps.indices.last else { return }
        finish(&scenario.steps[index])
        scenario.last = scenario.steps[index]
        return
      }
      let index = scenario.open.lastIndex { $0.id == event.step }
      var step = index.map { scenario.open.remove(at: $0) } ?? Step(finished, event)
      finish(&step)
      scenario.last = step
    }
    // Steps that passed inside another are not reported again, and loops may run for days: they are not kept.
    guard let parent = finished.parent, let step = scenario?.last, step.result?.isBad == true else { return }
    updateStep(parent) { outer in
      outer.failures.append(step)
      if outer.failures.count > Self.failureLimit { outer.failures.removeFirst() }
    }
  }

  private mutating func recordStatus(_ change: EventKind.StatusChange, _ event: Event) {
    status = (statuses[event.device ?? ""] ?? [:]).applying(set: change.set, unset: change.unset)
    statuses[event.device ?? ""] = status
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

extension RunTranscript.Step {
  fileprivate init(_ started: EventKind.StepStarted, _ event: Event) {
    self.init(event, section: started.section, name: started.name, place: started.place, deadline: started.deadline)
    (parent, pass) = (started.parent, started.pass)
    if Verb(rawValue: started.verb)?.takesAllItsTime != true { limit = deadline.map { $0 - startedAt } }
  }

  fileprivate init(_ finished: EventKind.StepFinished, _ event: Event) {
    self.init(event, section: finished.section, name: finished.name ?? "", place: finished.place, deadline: nil)
    (parent, pass) = (finished.parent, finished.pass)
  }

  private init(_ event: Event, section: StepSection, name: String, place: SourcePlace?, deadline: Double?) {
    self.init(
      id: event.step ?? "", device: event.device, section: section, name: name,
      place: place ?? SourcePlace(file: "", line: 0, column: 0), startedAt: event.elapsed, deadline: deadline)
  }
}
