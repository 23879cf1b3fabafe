import CastProtocol
import RunReporting

extension TemporaryFolder {
  /// Leaves a run of `file` in the folder `r` that ended with `exit`; `nil`: it did not end. Without a file its events have
  /// no begin.
  func leaveRun(
    _ id: String, of file: String?, exit: Int?, rows: [(values: JSONObject, result: RunVerdict)] = []
  ) throws {
    var events: [EventKind] = []
    if let file {
      var started = EventKind.RunStarted()
      var document = EventKind.RunStarted.Document()
      document.file = file
      (started.run, started.documents) = (id, [document])
      events.append(.runStarted(started))
    }
    for row in rows {
      var (started, finished) = (EventKind.ScenarioStarted(), EventKind.ScenarioFinished())
      (started.row, finished.result) = (row.values, row.result)
      events += [.scenarioStarted(started), .scenarioFinished(finished)]
    }
    if let exit {
      var finished = EventKind.RunFinished()
      finished.exit = exit
      events.append(.runFinished(finished))
    }
    let lines = events.enumerated().map { index, kind in
      EventRecord(Event(number: index + 1, wallTime: 0, elapsed: 0, device: nil, kind: kind)).jsonLine + "\n"
    }
    try write("r/\(id)/events.jsonl", lines.joined())
  }
}
