import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// What a run of several scenarios writes down and takes over.
extension RunSchedule {
  /// The journal of one try of a scenario; its key is the same in each part of the run.
  func journal(
    of row: Int, repeated: RowRepeats.Place?, on device: ChosenDevice?, number: Int
  ) -> AttemptJournal? {
    guard let journal = configuration.journal else { return nil }
    var key = Self.key(of: row, repeated)
    if let device { key += "@" + Self.key(of: device.choice) }
    return AttemptJournal(journal: journal, runID: configuration.runID, key: "\(key)#\(number)")
  }

  /// The key of a row, or of a repeat of it.
  static func key(of row: Int, _ repeated: RowRepeats.Place?) -> String {
    "r\(row)" + (repeated.map { ".\($0.number)" } ?? "")
  }

  /// A device in a key: in one, `:` ends what is the scenario's, and `#` comes before the try.
  static func key(of choice: String) -> String {
    choice.replacing("%", with: "%25").replacing(":", with: "%3A").replacing("#", with: "%23")
  }

  private static func choice(of key: String) -> String {
    key.replacing("%23", with: "#").replacing("%3A", with: ":").replacing("%25", with: "%")
  }

  /// What took part in a row before, and does not answer now; a failure of it leaves the run open.
  func missingDevices(of key: String, besides found: [ChosenDevice]) -> [(device: ChosenDevice, failure: StepFailure)] {
    let known = Set(found.map { Self.key(of: $0.choice) })
    return (configuration.journal?.past?.devices(ofRow: key) ?? []).filter { !known.contains($0) }.map { key in
      let name = Self.choice(of: key)
      let device = FoundDevice(name: name, address: HostAndPort(host: name, port: 0), via: .host)
      let failure = StepFailure(
        .notFound, "\(name) does not answer, and took part before", help: "resume the run when it is on")
      return (ChosenDevice(device: device, name: name, choice: name), failure)
    }
  }

  /// Whether a run that was being ended had not come to a row: it is not begun then.
  func isLeftOut(_ key: String) -> Bool {
    guard let past = configuration.journal?.past, past.interruption != nil else { return false }
    return !past.hasBegun(row: key)
  }

  /// How an earlier part of the run was being ended.
  var earlierInterruption: Runner.Interruption? {
    configuration.journal?.past?.interruption.map { $0.cause == .interrupted ? .interrupt : .terminate }
  }

  /// A try of a scenario that is over: it is told again, and nothing of it is sent.
  func takeOver(
    _ past: JournalEntry.ScenarioEnd, of plan: Plan, _ journal: AttemptJournal
  ) -> ScenarioAttempt.Summary {
    let started = EventKind.ScenarioStarted(fields: past.started)
    emitter.emit(.scenarioStarted(started), document: plan.id, device: past.device)
    for done in journal.past?.dones(below: journal.key + ":") ?? [] where done.told["parent"] == nil {
      emitter.tellAgain(done, with: journal.past?.dones(below: done.key + "~") ?? [], document: plan.id)
    }
    emitter.emit(
      .scenarioFinished(EventKind.ScenarioFinished(fields: past.finished)), document: plan.id, device: past.device)
    return ScenarioAttempt.Summary(
      result: past.result, exits: ExitCodes(numbers: past.exits), failureClass: past.errorClass)
  }

  func noteEnd(_ end: RunEnd) {
    guard let journal = configuration.journal, !journal.isLeftOpen else { return }
    journal.append(.end(.init(result: end.verdict, exit: Int(end.exit.rawValue))), isDurable: true)
  }
}

extension AttemptJournal {
  /// Whether an earlier part of the run had begun a later try of the same scenario.
  func isFollowed(by number: Int) -> Bool {
    let next = key.prefix { $0 != "#" } + "#\(number)"
    return past?.end(of: String(next)) != nil || past?.hasBegun(String(next)) == true
  }

  /// How long an earlier part of the run took from the begin of the first try of the scenario to the end of this one.
  var timeOfTries: Duration {
    let first = key.prefix { $0 != "#" } + "#1"
    var (begin, end): (Double?, Double?)
    for entry in past?.entries ?? [] {
      switch entry.kind {
      case .scenario(let scenario) where scenario.key == first: begin = begin ?? entry.elapsed
      case .scenarioEnd(let scenario) where scenario.key == key: end = entry.elapsed
      default: break
      }
    }
    return .clamped(seconds: max(0, (end ?? 0) - (begin ?? 0)))
  }
}

extension ScenarioAttempt {
  /// What ended it from outside, in this part of the run or in an earlier one.
  nonisolated var interruption: Runner.Interruption? { stops.firstInterruption }
}
