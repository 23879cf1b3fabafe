import CastProtocol
import RunReporting
import ScenarioLanguage
import Testing

/// A number is a number, `'1` a text.
private func row(_ word: String) -> JSONObject {
  ["lang": Int(word).map(JSONValue.int) ?? .string(word.replacing("'", with: ""))]
}

/// What of a run has to be run again, from its events alone.
@Suite struct LastRunTests {
  /// `s no tv 2` begins the row `lang=no` on one of two devices, `r no tv` tries it again, `f passed tv` ends it there,
  /// `x 0` the run.
  private static func outcome(_ lines: String) -> StoredOutcome {
    var outcome = StoredOutcome()
    var started = EventKind.RunStarted()
    var document = EventKind.RunStarted.Document()
    document.file = "qa/a.yaml"
    (started.run, started.documents) = ("01", [document])
    var events: [(kind: EventKind, device: String?)] = [(.runStarted(started), nil)]
    for words in lines.split(separator: ",").map({ $0.split(separator: " ").map(String.init) }) {
      switch words[0] {
      case "s", "r":
        var scenario = EventKind.ScenarioStarted()
        if words[1] != "-" { scenario.row = row(words[1]) }
        scenario.attempt = words[0] == "r" ? 2 : 1
        // `no*` is a repeat of that row.
        if words[1].hasSuffix("*") { (scenario.repeatNumber, scenario.row) = (1, row(String(words[1].dropLast()))) }
        scenario.devices = words.count > 3 ? Int(words[3]) : nil
        events.append((.scenarioStarted(scenario), words.count > 2 ? words[2] : "tv"))
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
    ("s no,f failed,r no,f passed,s en,f failed,x 1", false, ["no"]),
    ("s no,f failed,r no,x 130", false, []),
    ("s no,f flaky,s en,f failed,x 1", false, ["no"]),
    // A flaky row is why the run did not pass.
    ("s no,f flaky,s en,f passed,x 7", false, ["en"]),
    // Of repeats all have to pass, and to have been run.
    ("s no*,f passed,s no*,f passed,s en*,f passed,s en*,f failed,x 1", false, ["no", "no"]),
    ("s no*,f passed,s no*,f passed,x 130", false, []), ("s no*,f passed,s no*,f passed", false, []),
    // On several devices all have to pass.
    ("s no tv 2,s no hub 2,f passed tv,f failed hub,s en hub 2,s en tv 2,f passed hub,f passed tv,x 1", false, ["en"]),
    ("s no tv 2,f passed tv,s no hub 2,f passed hub,s en tv 2,f passed tv,s en hub 2,f failed hub,x 1", false, ["no"]),
    // It ended before it came to the other device.
    ("s no tv 2,f passed tv", false, []), ("s no tv 2,f passed tv,x 130", false, []),
    ("s no tv 2,s no hub 2,f passed tv,f passed hub,s en tv 2,f passed tv", false, ["no"]),
    // The same row twice is two rows, of which one failed.
    ("s no,f passed,s no,f failed,x 1", false, []), ("s no,f failed,s en,f passed,s no,f passed,x 1", false, ["en"]),
    ("s no,f passed,s no,f passed,s en,f failed,x 1", false, ["no", "no"]),
    // A text is no number.
    ("s 1,f passed,s '1,f failed,x 1", false, ["1"]), ("s '1,f passed,s 1,f failed,x 1", false, ["'1"]),
    // Ended before it could tell: what had begun did not pass.
    ("s no,f passed,s en", false, ["no"]),
    ("s no,f passed", false, ["no"]),
    ("s no,f passed,s en,f error,x 130", false, ["no"]),
    // Ended between two rows: all that were begun have passed.
    ("s no,f passed,x 130", false, ["no"]), ("s -,f passed,x 130", false, []),
    ("x 4", false, []),
  ]

  @Test(
    "A row has passed when its last try has, on all its devices, and the run did not end within it", arguments: outcomes
  )
  func rows(_ example: (lines: String, hasPassed: Bool, passedRows: [String])) {
    let outcome = Self.outcome(example.lines)
    #expect(outcome.file == "qa/a.yaml" && outcome.run == "01")
    #expect(outcome.hasPassed == example.hasPassed)
    #expect(outcome.passedRows == example.passedRows.map(row))
  }

  static let rowsAgain: [(planned: [String]?, lines: String, again: RunnableDocument.RowsAgain)] = [
    // Failed, and never begun.
    (["no", "en", "de"], "s no,f passed,s en,f failed", .only([row("en"), row("de")])),
    (["1", "'1"], "s 1,f passed,x 1", .only([row("'1")])),
    // Interrupted between two rows, as a row was done, and when all were.
    (["no", "en", "de"], "s no,f passed,x 130", .only([row("en"), row("de")])),
    (["no", "en", "de"], "s no,f passed,s en,f error,x 143", .only([row("en"), row("de")])),
    (["no", "en"], "s no,f passed,s en,f passed,x 130", .only([row("no"), row("en")])),
    (nil, "s no,f passed,x 130", .without([row("no")])),
    // The row that was to be run twice passed once.
    (["no", "no", "en"], "s no,f passed", .only([row("no"), row("en")])),
    // The run failed apart from its rows.
    (["no"], "s no,f passed,x 8", .only([row("no")])), (["no", "en"], "", .only([row("no"), row("en")])),
    // What was to be run is not known.
    (nil, "s no,f passed,s en,f failed,x 1", .without([row("no")])), (nil, "x 1", .without([])),
  ]

  @Test("Of the rows that were to be run those are run again that did not pass", arguments: rowsAgain)
  func rowsRunAgain(_ example: (planned: [String]?, lines: String, again: RunnableDocument.RowsAgain)) {
    let document = LastRun.Document(
      file: "qa/a.yaml", outcome: Self.outcome(example.lines), plannedRows: example.planned?.map(row))
    #expect(document.rowsAgain == example.again)
  }

  static let leftRows: [(lines: String, again: RunnableDocument.RowsAgain)] = [
    ("s no,f passed,x 0", .only([row("de")])), ("s no,f failed,x 1", .only([row("no"), row("de")])),
    ("s no,f passed,x 8", .only([row("no"), row("de")])),
  ]

  @Test(
    "Rows that were left out are run again with those that failed, also where all that ran has passed",
    arguments: leftRows)
  func left(_ example: (lines: String, again: RunnableDocument.RowsAgain)) {
    var document = LastRun.Document(file: "a.yaml", outcome: Self.outcome(example.lines), plannedRows: [row("no")])
    document.leftRows = [row("de")]
    #expect(!document.hasPassed && document.rowsAgain == example.again)
  }

  @Test("What was left out did not pass, whatever the others came to")
  func leftDocuments() {
    let passed = LastRun.Document(file: "a.yaml", outcome: Self.outcome("x 0"))
    let last = LastRun([passed], left: [.init(file: "b.yaml", outcome: nil)], exitCode: 0)
    #expect(last.unpassed.map(\.file) == ["b.yaml"] && last.doubt == nil)
    let doubted = LastRun([passed], left: [.init(file: "b.yaml", outcome: nil)], exitCode: 8)
    #expect(doubted.unpassed.map(\.file) == ["a.yaml", "b.yaml"] && doubted.doubt == 8)
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
