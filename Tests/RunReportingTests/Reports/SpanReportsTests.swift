import CastProtocol
import TestSupport
import Testing

@testable import RunReporting

/// Reports that other programs draw: trace events and OpenTelemetry's spans.
@Suite struct SpanReportsTests {
  /// A group with two branches side by side, of which one ends later than the other began, and a loop's inner step.
  private static let nested =
    [RunScene.begin] + RunScene.device + [
      #"0.3 scenario.started {"row":{"lang":"no"},"attempt":1}"#,
      RunScene.step(1, "s1", "parallel", "both", line: 3),
      RunScene.step(1.1, "s1.1", "wait", "wait 2s", line: 4, more: #","parent":"s1""#),
      RunScene.step(1.2, "s1.2", "wait", "wait 3s", line: 5, more: #","parent":"s1""#),
      #"1.3 status {"source":"push","scope":"media","set":{"player":"playing","position":1.5},"unset":[]}"#,
      #"2.3 status {"source":"push","scope":"media","set":{"player":"paused"},"unset":[]}"#,
      #"3.1 step.finished s1.1 {"result":"passed","parent":"s1","attempts":1,"duration":2}"#,
      #"4.2 step.finished s1.2 {"result":"passed","parent":"s1","attempts":1,"duration":3}"#,
      #"4.3 step.finished s1 {"result":"passed","attempts":1,"duration":3.3}"#,
      RunScene.finished(4.5, .passed, #""passed":1"#, duration: 4.2),
      RunScene.end(5, .passed, exit: 0),
    ]

  private static func trace(_ lines: [String]) throws -> [JSONValue] {
    let text = ReportText.text(.trace, try RunScene.events(lines))
    return try #require(try JSONValue(parsing: text)["traceEvents"]?.array)
  }

  private static func spans(_ events: [Event]) throws -> [JSONValue] {
    let value = try JSONValue(parsing: ReportText.text(.otlp, events))
    return try #require(value["resourceSpans"]?.array?.first?["scopeSpans"]?.array?.first?["spans"]?.array)
  }

  @Test("No two spans of a thread overlap unless one holds the other")
  func threads() throws {
    let slices = try Self.trace(Self.nested).filter { $0["ph"] == "X" }
    #expect(slices.count == 7)
    for (index, one) in slices.enumerated() {
      for other in slices[(index + 1)...] where one["pid"] == other["pid"] && one["tid"] == other["tid"] {
        func range(_ slice: JSONValue) -> ClosedRange<Double> {
          let start = slice["ts"]?.number ?? 0
          return start...start + (slice["dur"]?.number ?? 0)
        }
        let (first, second) = (range(one), range(other))
        let isNested = first.contains(second.lowerBound) && first.contains(second.upperBound)
        #expect(isNested || first.upperBound <= second.lowerBound || second.upperBound <= first.lowerBound)
      }
    }
    let branches = slices.filter { $0["name"]?.string?.contains("wait") == true }
    #expect(Set(branches.compactMap { $0["tid"]?.number }).count == 2)
  }

  @Test("The player's states last until the next, positions are a counter, times are microseconds of the document")
  func lanes() throws {
    let events = try Self.trace(Self.nested)
    let player = events.filter { $0["cat"] == "player" }
    #expect(player.map { $0["name"] } == ["playing", "paused"])
    #expect(player.map { $0["ts"] } == [1_300_000, 2_300_000] && player.map { $0["dur"] } == [1_000_000, 2_700_000])
    #expect(events.filter { $0["ph"] == "C" }.map { $0["args"]?["seconds"] } == [1.5, 1.5])
    let names = events.filter { $0["name"] == "process_name" }.map { $0["args"]?["name"] }
    #expect(names == ["run r1", "Living Room TV"])
  }

  @Test("Runs of several documents follow each other on one axis")
  func axis() throws {
    let written = WrittenText()
    let series = ReportKind.trace.makeForSeveral { written.write($0) }
    for run in ["r1", "r2"] {
      let part = series.begin(run: run, sources: [:])
      for event in try RunScene.events(Self.nested) { part.record(event) }
    }
    series.finish(SeriesVerdict([], seconds: 10, exitCode: 0))
    let events = try #require(try JSONValue(parsing: written.text)["traceEvents"]?.array)
    let runs = events.filter { $0["cat"] == "run" }
    #expect(runs.map { $0["ts"] } == [0, 5_000_000] && runs.map { $0["pid"] } == [1, 3])
  }

  @Test("Spans stand within each other, their ids are of the right length, and the same in every report of a run")
  func identity() throws {
    let spans = try Self.spans(try RunScene.events(Self.nested))
    #expect(spans.count == 5)
    let ids = spans.compactMap { $0["spanId"]?.string }
    #expect(Set(ids).count == 5 && ids.allSatisfy { $0.count == 16 && UInt64($0, radix: 16) ?? 0 > 0 })
    #expect(spans.allSatisfy { $0["traceId"]?.string?.count == 32 })
    let parents = spans.map { span in ids.firstIndex { $0 == span["parentSpanId"]?.string } }
    #expect(parents == [nil, 0, 1, 2, 2])
    #expect(try Self.spans(try RunScene.events(Self.nested)) == spans)
    #expect(TraceIdentity(of: "r1").text != TraceIdentity(of: "r2").text)
  }

  @Test("Names are those of OpenTelemetry's conventions for tests; what failed has an error and what led to it")
  func conventions() throws {
    func attribute(_ span: JSONValue, _ name: String) -> JSONValue? {
      span["attributes"]?.array?.first { $0["key"]?.string == name }?["value"]?["stringValue"]
    }
    let spans = try Self.spans(SampleRun.events)
    #expect(spans.map { attribute($0, "test.suite.run.status") } == [nil, "failure", nil, nil])
    #expect(spans.map { attribute($0, "test.case.result.status") } == [nil, nil, "pass", "fail"])
    #expect(spans.map { $0["status"]?["code"] } == [2, 2, 1, 2])
    #expect(
      spans[2]["startTimeUnixNano"] == "1795251600501000000" && spans[2]["endTimeUnixNano"] == "1795251602400000000")
    let seeded = spans.map { $0["attributes"]?.serialized().contains("showcaller.seed") }
    #expect(seeded == [true, false, false, false])
    let event = try #require(spans[2]["events"]?.array?.first)
    #expect(event["name"] == "LAUNCH_ERROR CANCELLED")
    #expect(attribute(event, "showcaller.error.class") == "launch_cancelled")
    #expect(attribute(spans[3], "code.file.path") == "qa/ads.yaml")
  }

  @Test("What a report cannot hold is counted, not lost without a word")
  func limits() throws {
    var spans = RunSpans([:])
    let events = try RunScene.events(Self.nested)
    for event in events.prefix(4) { spans.record(event) }
    for number in 0..<RunSpans.noteLimit + 5 {
      var mark = events[3]
      mark.kind = .mark(.init("m\(number)"))
      spans.record(mark)
    }
    #expect(spans.leftOut == 5)
    #expect(
      TraceDocument([.run(spans)]).text.hasPrefix(#"{"displayTimeUnit":"ms","otherData":{"runs":["r1"],"leftOut":5}"#))
  }

  @Test("A step that did not begin on one device ends no step of another; a fault is told where its receiver is")
  func severalDevices() throws {
    let hub = RunScene.device.map {
      $0.replacing("found {", with: "found @hub {").replacing("Living Room TV", with: "Hub")
    }
    let lines =
      [RunScene.begin] + RunScene.device + hub.map { $0.replacing("connected {", with: "connected @hub {") } + [
        #"0.3 scenario.started {"row":{},"attempt":1,"choice":"tv"}"#,
        #"0.3 scenario.started @hub {"row":{},"attempt":1,"choice":"hub"}"#,
        RunScene.step(1, "s1", "wait", "wait 3s", line: 3),
        #"1.5 fault @ {"receiver":"Hub","number":1,"fault":"{ status: stale_when_polled }","count":1}"#,
        #"2 step.finished s1 @hub {"result":"not_run","reason":"s0 failed","name":"wait 3s"}"#,
        #"4 step.finished s1 {"result":"passed","attempts":1,"duration":3}"#,
        RunScene.finished(4.5, .passed, #""passed":1"#, duration: 4.2),
        RunScene.finished(4.5, .failed, #""notRun":1"#, duration: 4.2).replacing("finished {", with: "finished @hub {"),
        RunScene.end(5, .failed, exit: 1),
      ]
    let spans = try Self.spans(try RunScene.events(lines))
    let step = try #require(spans.first { $0["name"] == "s1 wait 3s" })
    #expect(step["endTimeUnixNano"] == "1795251604000000000" && step["status"]?["code"] == 1)
    let told = spans.first { $0["events"]?.array?.isEmpty == false }
    #expect(told?["attributes"]?.serialized().contains(#""stringValue":"hub""#) == true, "\(spans)")
  }

  @Test("A failure that does not count, and a step that a broken rule ended, are no errors; the app has a lane")
  func excused() throws {
    let lines =
      [RunScene.begin] + RunScene.device + [
        #"0.3 scenario.started {"row":{},"attempt":1}"#,
        RunScene.step(1, "s1", "fail", "fail", line: 3),
        #"1.1 step.finished s1 {"result":"failed","reason":"on purpose","attempts":1,"duration":0.1,"ignored":true}"#,
        RunScene.step(2, "s2", "wait", "wait 3s", line: 4),
        #"2.5 status {"source":"push","scope":"receiver","set":{"app":{"id":"CC1AD845","name":"Player"}},"unset":[]}"#,
        #"3 step.finished s2 {"result":"failed","attempts":1,"duration":1,"stoppedBy":"monitor"}"#,
        RunScene.finished(4, .failed, #""failed":1"#, duration: 3.7), RunScene.end(5, .failed, exit: 1),
      ]
    let steps = try Self.spans(try RunScene.events(lines)).filter { $0["name"]?.string?.hasPrefix("s") == true }
    #expect(steps.map { $0["status"]?["code"] } == [1, 1])
    let events = try Self.trace(lines)
    #expect(events.filter { $0["cat"] == "step" && $0["cname"] != nil }.isEmpty)
    #expect(events.first { $0["cat"] == "app" }?["name"] == "Player")
  }

  @Test("Of a message only what it is stands in a trace: it may be as long as a frame")
  func longMessages() throws {
    let long = String(repeating: "x", count: 60_000)
    let lines =
      [RunScene.begin] + RunScene.device + [
        #"0.3 scenario.started {"row":{},"attempt":1}"#,
        #"1 reply {"attempt":1,"id":4,"ns":"media","msg":{"type":"MEDIA_STATUS","title":"\#(long)"}}"#,
        RunScene.end(2, .passed, exit: 0),
      ]
    let events = try Self.trace(lines)
    #expect(events.first { $0["name"] == "← MEDIA_STATUS" }?["args"] == ["ns": "media", "id": 4])
    #expect(ReportText.text(.otlp, try RunScene.events(lines)).utf8.count < 4_000)
  }
}
