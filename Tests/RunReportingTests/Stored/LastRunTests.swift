import CastProtocol
import RunReporting
import Testing

/// What of a run has to be run again, from its events alone.
@Suite struct LastRunTests {
  /// `s no` begins the row `lang=no`, `f passed tv` ends it on a device, `x 0` the run.
  private static func outcome(_ lines: String) -> StoredOutcome {
    var outcome = StoredOutcome()
    var started = EventKind.RunStarted()
    var document = EventKind.RunStarted.Document()
    document.file = "qa/a.yaml"
    (started.run, started.documents) = ("01", [document])
    var events: [(kind: EventKind, device: String?)] = [(.runStarted(started), nil)]
    for words in lines.split(separator: ",").map({ $0.split(separator: " ").map(String.init) }) {
      switch words[0] {
      case "s":
        var scenario = EventKind.ScenarioStarted()
        if words[1] != "-" { scenario.row = ["lang": .string(words[1])] }
        events.append((.scenarioStarted(scenario), nil))
      case "f":
        var scenario = EventKind.ScenarioFinished()
        scenario.result = RunVerdict(rawValue: words[1]) ?? .error
        events.append((.scenarioFinished(scenario), words.count > 2 ? words[2] : "tv"))
      default:
        var finished = EventKind.RunFinished()
        finished.exit = Int(words[1]) ?? -1
        events.append((.runFinished(finished), nil))
      }
    }
    for (index, event) in events.enumerated() {
      outcome.record(Event(number: index + 1, wallTime: 0, elapsed: 0, device: event.device, kind: event.kind))
    }
    return outcome
  }

  static let outcomes: [(lines: String, hasPassed: Bool, passedRows: [String])] = [
    ("s no,f passed,s en,f passed,x 0", true, []),
    ("s no,f passed,s en,f failed,x 1", false, ["no"]),
    ("s no,f failed,s en,f error,x 1", false, []),
    ("s -,f failed,x 1", false, []),
    // Tried again: the last try counts.
    ("s no,f failed,s no,f passed,s en,f failed,x 1", false, ["no"]),
    ("s no,f flaky,s en,f failed,x 1", false, ["no"]),
    // A flaky row is why the run did not pass.
    ("s no,f flaky,s en,f passed,x 7", false, ["en"]),
    // On several devices all have to pass.
    ("s no,s no,f passed tv,f failed hub,s en,s en,f passed hub,f passed tv,x 1", false, ["en"]),
    // Ended before it could tell: what had begun did not pass.
    ("s no,f passed,s en", false, ["no"]),
    ("s no,f passed", false, ["no"]),
    ("s no,f passed,s en,f error,x 130", false, ["no"]),
    ("x 4", false, []),
  ]

  @Test(
    "A row has passed when its last try has, on all its devices, and the run did not end within it", arguments: outcomes
  )
  func rows(_ example: (lines: String, hasPassed: Bool, passedRows: [String])) {
    let outcome = Self.outcome(example.lines)
    #expect(outcome.file == "qa/a.yaml" && outcome.run == "01")
    #expect(outcome.hasPassed == example.hasPassed)
    #expect(outcome.passedRows.map { $0["lang"]?.string } == example.passedRows)
  }

  private static let last = LastRun([
    .init(file: "a.yaml", outcome: outcome("x 0")), .init(file: "b.yaml", outcome: outcome("x 1")),
    .init(file: "c.yaml", outcome: outcome("s no")), .init(file: "d.yaml", outcome: nil),
  ])

  static let again: [(files: [String], indices: [Int]?)] = [
    (["a.yaml", "b.yaml", "c.yaml", "d.yaml"], [1, 2, 3]), (["d.yaml", "new.yaml", "b.yaml"], [0, 2]),
    (["a.yaml"], []), (["new.yaml"], nil), ([], nil),
  ]

  @Test("Documents are run again that failed, did not come to their end, or were never begun", arguments: again)
  func documents(_ example: (files: [String], indices: [Int]?)) {
    #expect(Self.last.unpassed.map(\.file) == ["b.yaml", "c.yaml", "d.yaml"])
    #expect(Self.last.again(among: example.files, where: ==)?.map(\.index) == example.indices)
  }
}
