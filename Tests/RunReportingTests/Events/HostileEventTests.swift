import CastProtocol
import ScenarioLanguage
import TestSupport
import Testing

@testable import RunReporting

/// Lines that no run of ours wrote: a report of them may be odd, and never ends the process or says what is not so.
@Suite struct HostileEventTests {
  private static let envelope = #""v":1,"n":7,"t":"2026-11-21T09:00:02.400Z","e":2.4,"type":"log""#

  static let refused: [String] = [
    #"{"n":1,"t":"2026-11-21T09:00:00.000Z","e":0,"type":"log"}"#,
    #"{"v":"1","n":1,"t":"2026-11-21T09:00:00.000Z","e":0,"type":"log"}"#,
    #"{"v":1.5,"n":1,"t":"2026-11-21T09:00:00.000Z","e":0,"type":"log"}"#,
    #"{"v":1,"n":1.5,"t":"2026-11-21T09:00:00.000Z","e":0,"type":"log"}"#,
    #"{"v":1,"n":"1","t":"2026-11-21T09:00:00.000Z","e":0,"type":"log"}"#,
    #"{"v":1,"t":"2026-11-21T09:00:00.000Z","e":0,"type":"log"}"#,
    #"{"v":1,"n":1,"t":1795251600,"e":0,"type":"log"}"#, #"{"v":1,"n":1,"e":0,"type":"log"}"#,
    #"{"v":1,"n":1,"t":"2026-11-21T09:00:00.000Z","e":"0","type":"log"}"#,
    #"{"v":1,"n":1,"t":"2026-11-21T09:00:00.000Z","type":"log"}"#,
    #"{"v":1,"n":1,"t":"2026-11-21T09:00:00.000Z","e":0,"type":"Log"}"#,
    #"{"v":1,"n":1,"t":"2026-11-21T09:00:00.000Z","e":0,"type":7}"#,
    #"{"v":1,"n":1,"t":"2026-11-21T09:00:00.000Z","e":0}"#, "null", "7", #""log""#,
  ]

  @Test("A line without one member of the envelope, or with another type for it, is no event", arguments: refused)
  func refusals(line: String) throws { #expect(EventRecord(json: try JSONValue(parsing: line)) == nil) }

  static let odd: [(members: String, document: String?, device: String?, step: String?)] = [
    (#""doc":7,"dev":null,"step":["s1"]"#, nil, nil, nil), (#""doc":"","dev":"","step":"""#, "", "", ""),
    (#""doc":"a","doc":"b","dev":"x""#, "b", "x", nil),
    (#""step":"\u001b[2J\u0000","dev":"\u202etv""#, nil, "\u{202E}tv", "\u{1B}[2J\u{0}"),
  ]

  @Test(
    "Where an event belongs is read as text or not at all; of a member that comes twice the last counts", arguments: odd
  )
  func belongs(_ example: (members: String, document: String?, device: String?, step: String?)) throws {
    let line = "{\(Self.envelope),\(example.members)}"
    let event = try #require(EventRecord(json: try JSONValue(parsing: line))?.event)
    #expect(event.document == example.document && event.device == example.device && event.step == example.step)
    #expect(event.others.members.isEmpty, "nothing of the envelope is told twice")
  }

  @Test("A member that is told twice is written once, with its last value")
  func twice() throws {
    let line = #"{\#(Self.envelope),"text":"a","x":1,"text":"b","x":2}"#
    let event = try #require(EventRecord(json: try JSONValue(parsing: line))?.event)
    #expect(event.kind == .log(.init("b")))
    let again = try #require(EventRecord(json: try JSONValue(parsing: EventRecord(event).jsonLine))?.event)
    #expect(again == event && EventRecord(again).jsonLine == EventRecord(event).jsonLine)
  }

  static let edges: [(number: Int, wallTime: Double, elapsed: Double)] = [
    (.max, 0, 0), (.min, 0, 0), (1, -62_135_596_800, 1e308), (1, 253_402_300_799.999, -1e308), (0, .nan, .infinity),
    (-1, 1e300, -.infinity), (1, 0, .nan), (1, 0, 9.2e18), (1, 0, 1e-300),
  ]

  @Test("Times and numbers of any size go through every report, on a terminal and off it", arguments: edges)
  func sizes(number: Int, wallTime: Double, elapsed: Double) throws {
    var events = SampleRun.events
    for index in events.indices {
      (events[index].number, events[index].wallTime, events[index].elapsed) = (number, wallTime, elapsed)
    }
    for width in [nil, 1, 40] {
      let text = ReportText.console(events) { ($0.terminalWidth, $0.level) = (width, .wire) }
      #expect(text.contains("exit 1"))
    }
    try SurefireRules.check(ReportText.junit(events))
    for event in events { #expect(!EventRecord(event).jsonLine.contains("\n")) }
  }

  @Test(
    "Events in any order make reports that obey their rules, live as from the stored stream",
    arguments: 1...12 as ClosedRange<UInt64>)
  func anyOrder(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let samples = try Samples.all.map { try JSONValue(parsing: Samples.line($0.type, $0.members)) }
    let devices: [JSONValue] = ["tv", "hub", "bar-left"]
    let steps: [JSONValue] = ["s1", "s2", "s1.1"]
    var events: [Event] = []
    for number in 1...60 {
      var json = samples[random.next(below: samples.count)]
      guard var object = json.object, object["type"] != "run.finished" else { continue }
      object["n"] = .int(number)
      object["dev"] = random.next(below: 5) == 0 ? nil : devices[random.next(below: devices.count)]
      object["step"] = random.next(below: 5) == 0 ? nil : steps[random.next(below: steps.count)]
      json = .object(object)
      events.append(try #require(EventRecord(json: json)?.event))
    }
    let end = try #require(samples.first { $0["type"] == "run.finished" })
    events.append(try #require(EventRecord(json: end)?.event))
    let stored = try events.map {
      try #require(EventRecord(json: try JSONValue(parsing: EventRecord($0).jsonLine))?.event)
    }
    let document = ReportText.junit(events)
    try SurefireRules.check(document)
    #expect(document == ReportText.junit(stored))
    for width in [nil, 60] {
      let text = ReportText.console(events) { $0.terminalWidth = width }
      #expect(text == ReportText.console(stored) { $0.terminalWidth = width })
      let plain = text.replacing(/\x1B\[[0-9]+A\r\x1B\[J/, with: "")
      #expect(!plain.unicodeScalars.contains { $0 != "\n" && $0.isDisplayControl })
    }
  }
}
