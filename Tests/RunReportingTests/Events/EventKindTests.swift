import CastProtocol
import ScenarioLanguage
import Testing

@testable import RunReporting

@Suite struct EventKindTests {
  @Test("Every type has a sample") func samples() {
    #expect(Set(Samples.all.map(\.type)) == Set(EventType.allCases))
  }

  @Test(
    "A stored line is written again as it was: no member lost, none added, all in their order", arguments: Samples.all)
  func lines(type: EventType, members: String) throws {
    let line = Samples.line(type, members)
    let event = try #require(EventRecord(json: try JSONValue(parsing: line))?.event)
    #expect(event.type == type)
    #expect(event.others.members.isEmpty, "\(event.others)")
    #expect(EventRecord(event).jsonLine == line)
    #expect(EventKind(type, fields: event.kind.fields) == event.kind)
  }

  @Test("An event of which nothing is told reads back as itself", arguments: EventType.allCases)
  func empty(type: EventType) {
    let kind = EventKind(type, fields: [:])
    #expect(kind.type == type)
    #expect(EventKind(type, fields: kind.fields) == kind)
  }

  @Test("Members that this tool does not know are kept, behind all others", arguments: EventType.allCases)
  func unknown(type: EventType) throws {
    let members = try #require(Samples.all.first { $0.type == type }).members
    let event = try #require(
      EventRecord(json: try JSONValue(parsing: Samples.line(type, #""x-new":{"a":[1]},"# + members)))?.event)
    #expect(event.others == ["x-new": ["a": [1]]])
    #expect(EventRecord(event).jsonLine == Samples.line(type, members + #","x-new":{"a":[1]}"#))
  }

  static let unreadable: [JSONValue] = [
    .null, true, -1, .int(.max), .int(.min), .double(1e308), .double(-1e308), 0.0005, "", "passed", "\u{0}", [], [[]],
    [:],
    ["a": .null], .string(String(repeating: "x", count: 1000)), nested(60),
    ["class": 7, "message": [], "e": "x", "position": .int(.max)],
  ]

  private static func nested(_ depth: Int) -> JSONValue {
    (0..<depth).reduce(JSONValue.null) { inner, level in level % 2 == 0 ? .array([inner]) : .object(["any": inner]) }
  }

  @Test("A member of another type never traps, neither in reading nor in any report", arguments: Samples.all)
  func hostile(type: EventType, members: String) throws {
    let whole = try #require(try JSONValue(parsing: Samples.line(type, members)).object)
    let envelope = ["v", "n", "t", "e", "type"]
    // Most unreadable values read as the same event, which every report sees once.
    var reported: [EventKind] = []
    for name in whole.members.map(\.name) where !envelope.contains(name) {
      for value in Self.unreadable {
        var broken = whole
        broken[name] = value
        let event = try #require(EventRecord(json: .object(broken))?.event)
        #expect(EventKind(type, fields: event.kind.fields) == event.kind, "\(name): \(value)")
        if reported.contains(event.kind) { continue }
        reported.append(event.kind)
        Self.report(event)
      }
    }
  }

  // Read once: thousands of reports begin and end with them.
  private static let before = samples([.runStarted, .deviceFound, .scenarioStarted, .stepStarted])
  private static let after = samples([.expectFailed, .stepFinished, .scenarioFinished, .runFinished])

  private static func samples(_ types: [EventType]) -> [Event] {
    types.compactMap { type in
      let members = Samples.all.first { $0.type == type }?.members ?? ""
      return (try? JSONValue(parsing: Samples.line(type, members))).flatMap { EventRecord(json: $0)?.event }
    }
  }

  /// Gives the event to every report, after a step, on a terminal and off it, and before the end.
  private static func report(_ event: Event) {
    var style = ConsoleReport.Style()
    (style.level, style.terminalWidth) = (.wire, 60)
    style.sources = ["qa/ads.yaml": String(repeating: "  - expect: { position: 10s }\n", count: 70)]
    let reports: [any RunReport] =
      [ConsoleReport(style, writingTo: { _ in })]
      + ReportKind.all.map { $0.make(ReportSources(style.sources)) { _ in } }
    let events = before + [event] + after
    for report in reports {
      for event in events { report.record(event) }
      report.endOfStream()
    }
  }

  @Test("A secret that is a word of a closed list hides no verdict; texts have its name in its place") func secrets() {
    let sink = KeptEvents()
    let emitter = EventEmitter(
      show: TimeSource(ContinuousClock()), wallClock: { 0 }, sink: sink,
      secrets: Secrets(["word": "passed", "key": "hunter2-hunter2"]))
    var finished = EventKind.StepFinished()
    (finished.result, finished.reason) = (.passed, "it said hunter2-hunter2")
    emitter.emit(.stepFinished(finished))
    guard case .stepFinished(let step)? = sink.events.first?.kind else { return #expect(Bool(false)) }
    #expect(step.result == .passed)
    #expect(step.reason == "it said ‹secret.key›")
  }

  @Test(
    "What is told while a run goes on is what is stored, to the last digit of a time", arguments: [0.94951, 1.0005, 7])
  func times(seconds: Double) throws {
    let sink = KeptEvents()
    let emitter = EventEmitter(show: TimeSource(ContinuousClock()), wallClock: { seconds }, sink: sink)
    var finished = EventKind.StepFinished()
    finished.duration = seconds
    var judged = EventKind.Expectation()
    judged.nearest = EventKind.Nearest(elapsed: seconds, values: [:])
    emitter.emit(.stepFinished(finished), step: "s1")
    emitter.emit(.expectFailed(judged), step: "s1")
    emitter.emit(.deviceBack(.init(after: seconds)))
    for event in sink.events {
      #expect(EventRecord(json: try JSONValue(parsing: EventRecord(event).jsonLine))?.event == event)
    }
  }

  @Test(
    "A number that cannot be read back is not told", arguments: [1, 1 << 52, 1 << 53, .max, .min] as [Int])
  func numbers(session: Int) throws {
    let sink = KeptEvents()
    var change = EventKind.StatusChange()
    change.session = session
    EventEmitter(show: TimeSource(ContinuousClock()), wallClock: { 0 }, sink: sink).emit(.status(change))
    let event = try #require(sink.events.first)
    #expect(EventRecord(json: try JSONValue(parsing: EventRecord(event).jsonLine))?.event == event)
    #expect(event.fields["session"]?.int == (session.magnitude < 1 << 53 ? session : nil))
  }

  @Test("A word that a closed list does not have is the worst of it, or none")
  func words() {
    guard case .runFinished(let run) = EventKind(.runFinished, fields: ["result": "brilliant"]),
      case .attemptFailed(let failed) = EventKind(
        .attemptFailed, fields: ["error": ["class": "flood", "message": "m"]])
    else { return #expect(Bool(false)) }
    #expect(run.result == .error)
    #expect(failed.error.errorClass == nil && failed.error.className == "error" && failed.error.message == "m")
  }
}
