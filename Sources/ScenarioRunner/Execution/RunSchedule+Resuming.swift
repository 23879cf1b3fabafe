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
    var key = "r\(row)"
    if let repeated { key += ".\(repeated.number)" }
    // In a key `:` ends what is the scenario's.
    if let device { key += "@" + device.choice.replacing(":", with: ";") }
    return AttemptJournal(journal: journal, runID: configuration.runID, key: "\(key)#\(number)")
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
}

extension ScenarioAttempt {
  /// What ended it from outside, in this part of the run or in an earlier one.
  nonisolated var interruption: Runner.Interruption? { stops.firstInterruption }
}
