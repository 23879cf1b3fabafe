import CastProtocol
import Synchronization
import Testing

@testable import RunReporting

@Suite struct EventRecordTests {
  static let event = Event(
    number: 10, wallTime: 1_795_251_602.4, elapsed: 2.4, type: .stepFinished, document: "ads", device: "qa-chromecast",
    step: "s1", fields: ["result": "flaky", "attempts": 2, "duration": .milliseconds(1.8994)])

  @Test("A line has the envelope in its fixed order, times with three decimals at most, then the type's fields")
  func line() {
    #expect(
      EventRecord(Self.event).jsonLine
        == #"{"v":1,"n":10,"t":"2026-11-21T09:00:02.400Z","e":2.4,"type":"step.finished","doc":"ads","#
        + #""dev":"qa-chromecast","step":"s1","result":"flaky","attempts":2,"duration":1.899}"#)
  }

  @Test("A stored line reads back as the event it was") func roundTrip() throws {
    let json = try JSONValue(parsing: EventRecord(Self.event).jsonLine)
    #expect(EventRecord(json: json)?.event == Self.event)
  }

  @Test(
    "What is no event of this version is refused",
    arguments: [
      #"{"v":2,"n":1,"t":"2026-11-21T09:00:00.000Z","e":0,"type":"log"}"#,
      #"{"v":1,"n":1,"t":"2026-11-21T09:00:00.000Z","e":0,"type":"play"}"#,
      #"{"v":1,"n":1,"t":"yesterday","e":0,"type":"log"}"#, #"{"v":1}"#, "[]",
    ])
  func refusals(line: String) throws {
    let json = try JSONValue(parsing: line)
    #expect(EventRecord(json: json) == nil)
  }

  @Test(
    "UTC times are right over leap years, before 1970 and at the end of a day",
    arguments: [
      (0.0, "1970-01-01T00:00:00.000Z"), (1_795_251_600.4984, "2026-11-21T09:00:00.498Z"),
      (951_782_399.9996, "2000-02-29T00:00:00.000Z"), (951_868_799.0, "2000-02-29T23:59:59.000Z"),
      (-0.001, "1969-12-31T23:59:59.999Z"), (4_107_542_400.0, "2100-03-01T00:00:00.000Z"),
      (Double.nan, "1970-01-01T00:00:00.000Z"), (1e300, "1970-01-01T00:00:00.000Z"),
    ])
  func utc(seconds: Double, text: String) {
    #expect(UTCTime(unixSeconds: seconds).text == text)
    #expect(UTCTime(parsing: text)?.text == text)
  }

  @Test("Events are numbered from 1 without gaps, whoever emits them") func numbers() async {
    let sink = KeptEvents()
    let emitter = EventEmitter(show: TimeSource(ContinuousClock()), wallClock: { 0 }, sink: sink)
    await withTaskGroup { group in
      for _ in 0..<50 { group.addTask { emitter.emit(.log(.init("x"))) } }
    }
    #expect(sink.events.map(\.number) == Array(1...50))
  }

  @Test("A stream that cannot be written remembers why and stops") func writeError() {
    struct DiskFull: Error {}
    let lines = Mutex(0)
    let report = JSONLinesReport { _ in
      if lines.withLock({
        $0 += 1; return $0
      }) > 1 {
        throw DiskFull()
      }
    }
    for _ in 0..<3 { report.record(Self.event) }
    #expect(report.writeError is DiskFull)
    #expect(lines.withLock { $0 } == 2)
  }
}
