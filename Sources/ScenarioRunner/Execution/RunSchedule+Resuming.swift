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
    var key = JournalKey.row(row, repeated: repeated?.number)
    if let device { key = key.on(device: device.choice) }
    return AttemptJournal(journal: journal, runID: configuration.runID, key: key.attempt(number))
  }

  /// What took part in a row before, and does not answer now; a failure of it leaves the run open.
  func missingDevices(
    of row: JournalKey, besides found: [ChosenDevice]
  ) -> [(device: ChosenDevice, failure: StepFailure)] {
    let known = Set(found.map(\.choice))
    return configuration.earlier.devices(ofRow: row).filter { !known.contains($0) }.map { name in
      let device = FoundDevice(name: name, address: HostAndPort(host: name, port: 0), via: .host)
      let failure = StepFailure(
        .notFound, "\(name) does not answer, and took part before", help: "resume the run when it is on")
      return (ChosenDevice(device: device, name: name, choice: name), failure)
    }
  }

  /// Whether a run that was being ended had not come to a row: it is not begun then.
  func isLeftOut(_ row: JournalKey) -> Bool {
    configuration.earlier.interruption != nil && !configuration.earlier.hasBegun(row: row)
  }

  /// How an earlier part of the run was being ended.
  var earlierInterruption: Runner.Interruption? {
    configuration.earlier.interruption.map { $0.cause == .interrupted ? .interrupt : .terminate }
  }

  /// A try of a scenario that is over: it is told again, and nothing of it is sent.
  func takeOver(
    _ past: JournalEntry.ScenarioEnd, of plan: Plan, _ journal: AttemptJournal
  ) -> ScenarioAttempt.Summary {
    let started = EventKind.ScenarioStarted(fields: past.started)
    emitter.emit(.scenarioStarted(started), document: plan.id, device: past.device)
    for done in journal.earlier.dones(inside: journal.key) where done.told["parent"] == nil {
      emitter.tellAgain(done, with: journal.earlier.dones(inside: done.key), document: plan.id)
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
    let next = key.attempt(number)
    return earlier.end(of: next) != nil || earlier.hasBegun(next)
  }
}

extension RunConfiguration {
  /// What earlier parts of the run have done.
  var earlier: JournaledWork { journal?.earlier ?? JournaledWork() }
}

extension ScenarioAttempt {
  /// What ended it from outside, in this part of the run or in an earlier one.
  nonisolated var interruption: Runner.Interruption? { stops.firstInterruption }
}
