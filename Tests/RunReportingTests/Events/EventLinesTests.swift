import CastProtocol
import TestSupport
import Testing

@testable import RunReporting

/// The lines that docs/runs.md "Events" promises to read for ever, as the first version of the form wrote them.
@Suite struct EventLinesTests {
  private static let scenario = #""doc":"ads","dev":"qa-chromecast""#

  /// One line of each kind that a run of the first edition had; later members are not there.
  static let lines = [
    #"{"v":1,"n":1,"t":"2026-11-21T09:00:00.000Z","e":0,"type":"run.started","run":"01JD6Y3ZT8Q4W9N2K5R7M1XGBC","#
      + #""tool":"showcaller 0.4.0","language":1,"seed":7,"host":"ci-12","argv":["run","qa/ads.yaml"],"#
      + #""docs":[{"doc":"ads","kind":"scenario","file":"qa/ads.yaml","sha256":"9f2c41","tags":["smoke","ads"]}]}"#,
    #"{"v":1,"n":2,"t":"2026-11-21T09:00:00.006Z","e":0.006,"type":"plan","doc":"ads","steps":14,"deadline":120,"#
      + #""finallyDeadline":30,"simulated":{"ok":true,"duration":46.1}}"#,
    #"{"v":1,"n":3,"t":"2026-11-21T09:00:00.412Z","e":0.412,"type":"device.found","dev":"qa-chromecast","#
      + #""name":"QA Chromecast","id":"8e2d1c0a","model":"Chromecast","ip":"192.0.2.14","port":8009,"via":"mdns"}"#,
    #"{"v":1,"n":4,"t":"2026-11-21T09:00:00.413Z","e":0.413,"type":"diagnostic","severity":"note","code":"R706","#
      + #""message":"matched by name only","file":"qa/ads.yaml","line":5,"column":9,"endLine":5,"endColumn":22}"#,
    #"{"v":1,"n":5,"t":"2026-11-21T09:00:00.498Z","e":0.498,"type":"device.connected","dev":"qa-chromecast","#
      + #""tls":"TLSv1.2","auth":"verified","firmware":"1.68.412","latencyMs":11}"#,
    #"{"v":1,"n":6,"t":"2026-11-21T09:00:00.500Z","e":0.5,"type":"scenario.started",\#(scenario),"row":{},"attempt":1}"#,
    #"{"v":1,"n":7,"t":"2026-11-21T09:00:00.501Z","e":0.501,"type":"step.started",\#(scenario),"step":"s1","#
      + #""verb":"launch","name":"launch A1B2C3D4","file":"qa/ads.yaml","line":40,"column":5,"deadline":15.5}"#,
    #"{"v":1,"n":8,"t":"2026-11-21T09:00:00.502Z","e":0.502,"type":"request",\#(scenario),"step":"s1","attempt":1,"#
      + #""id":2,"ns":"receiver","msg":{"type":"LAUNCH","appId":"A1B2C3D4"}}"#,
    #"{"v":1,"n":9,"t":"2026-11-21T09:00:00.911Z","e":0.911,"type":"attempt.failed",\#(scenario),"step":"s1","#
      + #""attempt":1,"error":{"class":"launch_cancelled","message":"LAUNCH_ERROR CANCELLED","#
      + #""wire":{"type":"LAUNCH_ERROR","reason":"CANCELLED"}},"nextTryIn":1.0}"#,
    #"{"v":1,"n":10,"t":"2026-11-21T09:00:02.400Z","e":2.4,"type":"step.finished",\#(scenario),"step":"s1","#
      + #""result":"flaky","attempts":2,"duration":1.899}"#,
    #"{"v":1,"n":11,"t":"2026-11-21T09:00:03.610Z","e":3.61,"type":"status",\#(scenario),"source":"push","#
      + #""scope":"media","session":1,"set":{"player":"buffering","content":"https://cdn.example.com/qa/film.m3u8","#
      + #""active_tracks":["no"],"break":{"id":"pre","clip":"soap","clip_time":0}},"unset":["idle_reason"]}"#,
    #"{"v":1,"n":12,"t":"2026-11-21T09:00:25.200Z","e":25.2,"type":"step.started",\#(scenario),"step":"s9","#
      + #""verb":"expect","name":"expect break, position","file":"qa/ads.yaml","line":65,"column":5,"deadline":37.2}"#,
    #"{"v":1,"n":13,"t":"2026-11-21T09:00:37.200Z","e":37.2,"type":"expect.failed",\#(scenario),"step":"s9","#
      + #""file":"qa/ads.yaml","line":65,"column":28,"want":{"position":{"about":10.0,"tolerance":1.0},"break":null},"#
      + #""got":{"position":18.0,"break":null},"nearest":{"e":31.31,"position":12.1},"mismatches":["position"],"#
      + #""statuses":9,"estimated":false,"because":null}"#,
    #"{"v":1,"n":14,"t":"2026-11-21T09:00:37.201Z","e":37.201,"type":"step.finished",\#(scenario),"step":"s9","#
      + #""result":"failed","attempts":1,"duration":12.0}"#,
    #"{"v":1,"n":15,"t":"2026-11-21T09:00:37.202Z","e":37.202,"type":"step.finished",\#(scenario),"step":"s10","#
      + #""result":"not_run","reason":"s9 failed"}"#,
    #"{"v":1,"n":16,"t":"2026-11-21T09:00:37.900Z","e":37.9,"type":"finally.finished",\#(scenario),"result":"passed","#
      + #""steps":2}"#,
    #"{"v":1,"n":17,"t":"2026-11-21T09:00:37.950Z","e":37.95,"type":"scenario.finished",\#(scenario),"#
      + #""result":"failed","passed":7,"flaky":1,"failed":1,"errors":0,"skipped":0,"notRun":5,"duration":37.45,"#
      + #""firstFailure":"s9"}"#,
    #"{"v":1,"n":18,"t":"2026-11-21T09:00:38.000Z","e":38.0,"type":"run.finished","run":"01JD6Y3ZT8Q4W9N2K5R7M1XGBC","#
      + #""result":"failed","exit":1,"events":18,"scenarios":{"passed":0,"flaky":0,"failed":1,"error":0,"skipped":0}}"#,
  ]

  @Test("Every line is read, and written again with the same members and values", arguments: lines)
  func same(line: String) throws {
    let json = try JSONValue(parsing: line)
    let event = try #require(EventRecord(json: json)?.event)
    #expect(EventRecord(event).json == json)
    #expect(try JSONValue(parsing: EventRecord(event).jsonLine) == json)
  }

  @Test(
    "The stream is whole: nothing is missing or damaged, and its end says how many events it has")
  func whole() {
    var reader = StoredEventReader()
    var events: [Event] = []
    reader.read(Array(Self.lines.joined(separator: "\n").utf8)) { events.append($0) }
    reader.end { events.append($0) }
    #expect(reader.damages.isEmpty && reader.isFinished && reader.count == 18)
    #expect(events.map(\.number) == Array(1...18))
    guard case .runFinished(let finished)? = events.last?.kind else { return #expect(Bool(false)) }
    #expect(
      finished.events == 18 && finished.exit == 1 && finished.result == .failed
        && finished.scenarios.failed == 1)
  }

  @Test("What nobody knows any more is kept and given on: the plan's simulation")
  func unknown() throws {
    let event = try #require(EventRecord(json: try JSONValue(parsing: Self.lines[1]))?.event)
    #expect(event.others == ["simulated": ["ok": true, "duration": 46.1]])
    #expect(
      event.fields.members.map(\.name) == ["steps", "deadline", "finallyDeadline", "simulated"])
  }

  @Test("Members that came later have the value that says what was so before them")
  func later() throws {
    let events = try Self.lines.compactMap { EventRecord(json: try JSONValue(parsing: $0))?.event }
    guard case .runStarted(let run) = events[0].kind,
      case .scenarioStarted(let scenario) = events[5].kind,
      case .stepStarted(let step) = events[6].kind,
      case .expectFailed(let failed) = events[12].kind,
      case .stepFinished(let notRun) = events[14].kind,
      case .scenarioFinished(let end) = events[16].kind
    else { return #expect(Bool(false)) }
    #expect(run.rerun == nil && run.speed == nil)
    #expect(scenario.choice == nil && scenario.roles == nil)
    #expect(step.section == .steps && step.parent == nil && step.pass == nil)
    #expect(
      !failed.isPolled && !failed.isInconclusive && failed.messages == nil && failed.remark == nil)
    #expect(
      notRun.name == nil && notRun.place == nil && notRun.attempts == nil && notRun.duration == nil)
    #expect(notRun.section == .steps && !notRun.isIgnored && notRun.stoppedBy == nil)
    #expect(
      end.counts.ignored == 0 && end.cleanup == nil && end.error == nil && end.firstFailure == "s9")
  }

  @Test("The console's and JUnit's reports are made of it as of a stream of today")
  func reports() throws {
    let events = try Self.lines.compactMap { EventRecord(json: try JSONValue(parsing: $0))?.event }
    let written = WrittenText()
    let console = ReportKind.console.make([:]) { written.write($0) }
    for event in events { console.record(event) }
    #expect(
      written.text == """
        note[R706]: matched by name only
           --> qa/ads.yaml:5:9
        09:00:00.498 qa-chromecast    connected 192.0.2.14 Chromecast fw 1.68.412 auth verified
        09:00:00.911 qa-chromecast s1 retry  launch A1B2C3D4: launch_cancelled, try 2 in 1.0s
        09:00:02.400 qa-chromecast s1 flaky  launch A1B2C3D4 (1.9s, 2 tries)
        09:00:37.201 qa-chromecast s9 FAILED expect break, position (12.0s)
           --> qa/ads.yaml:65:28
           expected  position 10.0s ± 1s, break none
           observed  position 18.0s, break none
           nearest   position 12.1s at +31.3s
           statuses  (9 in window, none polled)
           rerun     showcaller run qa/ads.yaml --seed 7
        09:00:37.202 qa-chromecast s10 not run
        09:00:37.900 qa-chromecast    finally passed (2 steps)
        FAILED ads [QA Chromecast] 7 passed, 1 flaky, 1 failed, 5 not run in 37.5s · exit 1

        """)
    let document = ReportText.junit(events)
    try SurefireRules.check(document)
    #expect(document.contains(#"<skipped message="not run: s9 failed"/>"#))
    #expect(document.contains(#"tests="3" failures="1" errors="0" skipped="1" time="37.450">"#))
  }
}
