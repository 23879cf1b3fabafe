import CastProtocol
import TestSupport
import Testing

@testable import RunReporting

/// What `-v` and `--wire` add, one event at a time.
@Suite struct ConsoleWireTests {
  private static func lines(_ event: String, _ level: ConsoleReport.Level) throws -> [String] {
    let events = try RunScene.events([event])
    return ReportText.console(events) { $0.level = level }.split(separator: "\n").map(String.init)
  }

  private static let stamp = "09:00:01.000 tv s1 "

  static let verbose: [(event: String, text: String?)] = [
    (#"{"source":"push","scope":"media","set":{"player":"playing"},"unset":[]}"#, "status player playing"),
    (
      #"{"source":"polled","scope":"media","set":{"position":1.25},"unset":["break"]}"#,
      "status position 1.3s, no break (polled)"
    ),
    (
      #"{"source":"push","scope":"receiver","set":{"volume":{"level":40,"muted":true}},"unset":["app"]}"#,
      "status volume level 40% muted true, no app"
    ),
    (
      #"{"source":"push","scope":"media","set":{},"unset":[],"others":["paused","another app"]}"#,
      "status others paused; others another app"
    ),
    (
      #"{"source":"push","scope":"media","set":{"break":null,"tracks":[{"id":"no"}]},"unset":[]}"#,
      "status break none, tracks [no]"
    ),
    (#"{"source":"push","scope":"media","set":{},"unset":[]}"#, nil),
    (#"{"source":"push","set":{"title":"a\u001b[2Jb"}}"#, "status title a\\u{1B}[2Jb"),
  ]

  @Test("A status is told with what changed in it, and who asked for it", arguments: verbose)
  func status(event: String, text: String?) throws {
    #expect(try Self.lines("1 status s1 " + event, .verbose) == (text.map { [Self.stamp + $0] } ?? []))
    #expect(try Self.lines("1 status s1 " + event, .normal).isEmpty)
  }

  static let wire: [(event: String, text: String)] = [
    (
      #"request s1 {"attempt":1,"id":7,"ns":"media","msg":{"type":"PAUSE","mediaSessionId":1}}"#,
      #"-> #7 media {"type":"PAUSE","mediaSessionId":1}"#
    ),
    (#"request s1 {"attempt":1,"ns":"urn:x-cast:a","msg":"hello"}"#, #"-> urn:x-cast:a "hello""#),
    (#"reply s1 {"attempt":1,"id":"7","ns":"media","msg":{"bytes":12}}"#, #"<- media {"bytes":12}"#),
    (
      #"request.finished s1 {"id":7,"ns":"media","name":"LOAD","outcome":"completed","duration":0.5}"#,
      "== #7 LOAD completed in 0.500s"
    ),
    (
      #"request.finished s1 {"id":7,"ns":"media","name":"LOAD","outcome":"failed","duration":0.12,"#
        + #""error":{"class":"load_failed","message":"LOAD_FAILED 104"}}"#,
      "== #7 LOAD failed in 0.120s: load_failed LOAD_FAILED 104"
    ),
    (
      #"request.finished s1 {"id":7,"name":"GET_STATUS","outcome":"?","error":{"class":"?","message":"m"}}"#,
      "== #7 GET_STATUS aborted in 0.000s: error m"
    ),
  ]

  @Test("Messages are told as they were, and what became of a request", arguments: wire)
  func messages(event: String, text: String) throws {
    #expect(try Self.lines("1 " + event, .wire) == [Self.stamp + text])
    #expect(try Self.lines("1 " + event, .verbose).isEmpty)
  }

  @Test("Messages before a failure are a matter of -v")
  func kept() throws {
    let event =
      #"2 messages s1 {"messages":[{"e":1.5,"sent":true,"id":7,"ns":"media","msg":{"type":"STOP"}},"#
      + #"{"e":1.75,"sent":false,"ns":"media","msg":{}}]}"#
    #expect(
      try Self.lines(event, .verbose) == [
        Self.stamp.replacing("01.000", with: "02.000") + "the last 2 messages, with the time since the run began",
        #"   +1.500s -> #7 media {"type":"STOP"}"#, "   +1.750s <- media {}",
      ])
    #expect(try Self.lines(event, .normal).isEmpty)
  }

  static let problems: [(fields: String, normal: Int, verbose: Int)] = [
    (#"{"severity":"note","code":"R704","message":"m","auth":"verified"}"#, 0, 1),
    (#"{"severity":"warning","code":"R704","message":"m","auth":"untrusted"}"#, 1, 1),
    (#"{"severity":"note","code":"R706","message":"m"}"#, 1, 1),
    (#"{"severity":"note","code":"R706","message":"m","help":["a","b"]}"#, 3, 3),
  ]

  @Test("A proof that came late is a matter of -v, unless something is wrong with it", arguments: problems)
  func proofs(fields: String, normal: Int, verbose: Int) throws {
    #expect(try Self.lines("1 diagnostic " + fields, .normal).count == normal)
    #expect(try Self.lines("1 diagnostic " + fields, .verbose).count == verbose)
  }

  @Test("Steps that were not run are told together, until something else comes")
  func notRun() throws {
    func skipped(_ id: String, _ time: String) -> String {
      time + " step.finished " + id + #" {"result":"not_run","name":"x"}"#
    }
    let events = try RunScene.events([
      #"0 scenario.started {"row":{}}"#, skipped("s1", "1"), skipped("s2", "2"), skipped("s3", "3"),
      "4 log s9 {\"text\":\"a\"}",
      skipped("s4", "5"),
    ])
    let written = WrittenText()
    let report = ConsoleReport { written.write($0) }
    for event in events { report.record(event) }
    #expect(written.text == "09:00:03.000 tv s1-s3 not run\n09:00:04.000 tv s9 log    a\n")
    report.endOfStream()
    #expect(written.text.hasSuffix("a\n09:00:05.000 tv s4 not run\nthe run did not finish\n"))
    #expect(!ReportText.console(events) { $0.level = .quiet }.contains("not run"))
  }

  @Test("A reader that is gone is remembered, and nothing more is written")
  func gone() throws {
    struct Gone: Error {}
    let written = WrittenText()
    let report = ConsoleReport { text in
      written.write(text)
      throw Gone()
    }
    for event in SampleRun.events { report.record(event) }
    report.endOfStream()
    #expect(report.writeError is Gone)
    #expect(written.text.split(separator: "\n").count == 1)
  }
}
