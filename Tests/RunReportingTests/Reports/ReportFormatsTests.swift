import CastProtocol
import TestSupport
import Testing

@testable import RunReporting

/// What holds for every kind that is one document, and what each writes of the same run.
@Suite struct ReportFormatsTests {
  static let documents = ReportKind.all.filter { $0.notice != nil }

  /// Runs with all that a test may come to, by name.
  static let runs: [(name: String, events: [Event])] = [
    ("a failed run", SampleRun.events),
    ("a run that was cut off in a step", Array(SampleRun.events.prefix { $0.type != .expectFailed })),
    ("only its first event", Array(SampleRun.events.prefix(1))),
    ("no event", []),
  ]

  @Test("A report made from the stored events equals the one made live", arguments: documents)
  func stored(kind: ReportKind) throws {
    #expect(ReportText.text(kind, try SampleRun.stored()) == ReportText.text(kind, SampleRun.events))
  }

  @Test("JSON reports are JSON, whatever was run, and whatever texts are in it", arguments: runs.indices)
  func json(index: Int) throws {
    for hostile in ["plain", "\"\\\n\u{0}\u{1B}[2J", "</script>\u{202E}", "::error::%0A"] {
      let events = Self.runs[index].events.map { event in
        var event = event
        if event.fields["name"] != nil { event.fields["name"] = .string(hostile) }
        return event
      }
      for kind in [ReportKind.ctrf, .trace, .otlp] {
        #expect(throws: Never.self, "\(kind.name)") { try JSONValue(parsing: ReportText.text(kind, events)) }
      }
      try CTRFRules.check(ReportText.text(.ctrf, events))
    }
  }

  @Test("A text of a document or a device cannot begin a line of TAP, a command of a workflow, or markup")
  func hostile() throws {
    let name = "x # SKIP\nok 9 - no\n::error::no`</details>|a"
    let events = SampleRun.events.map { event in
      var event = event
      if event.fields["name"] != nil { event.fields["name"] = .string(name) }
      if event.fields["error"] != nil {
        event.fields["error"] = ["class": "launch_cancelled", "message": "a%b\r\n::warning::c"]
      }
      return event
    }
    let tap = ReportText.text(.tap, events)
    #expect(tap.contains("ok 1 - s1 x \\# SKIP\\u{A}ok 9"), "\(tap)")
    #expect(!tap.contains("\nok 9") && !tap.contains(" ok 9 - no\n"))
    let github = ReportText.text(.github, events)
    #expect(
      github.split(separator: "\n").allSatisfy { $0.hasPrefix("::warning file=") || $0.hasPrefix("::error file=") })
    #expect(github.contains("try 1 of 2: a%25b%0A::warning::c"), "\(github)")
    let markdown = ReportText.text(.markdown, events)
    #expect(markdown.contains("x \\# SKIP\\\\u{A}ok 9") && !markdown.contains("</details>"), "\(markdown)")
  }

  @Test("TAP has a subtest for each scenario, skipped tests with their reason, failures with place and detail")
  func tap() {
    #expect(
      ReportText.text(.tap, SampleRun.events) == #"""
        TAP version 14
        1..1
        # Subtest: ads [QA Chromecast]
            1..4
            ok 1 - s1 launch A1B2C3D4
              ---
              severity: comment
              failed_tries: ["LAUNCH_ERROR CANCELLED"]
              duration_ms: 1899
              ...
            not ok 2 - s9 expect break, position
              ---
              message: "position: expected 10.0s ± 1s, observed 18.0s, nearest 12.1s"
              severity: fail
              type: "expect.position"
              at: "qa/ads.yaml:65:28"
              detail: "qa/ads.yaml:65:28\nexpected  position 10.0s ± 1s, break none\nobserved  position 18.0s, break none, \#
        nearest position 12.1s at +31.3s\nstatuses  +31.3 playing 12.1 no break · +36.1 playing 16.9 no break   (9 in \#
        window, none polled)\nrerun     showcaller run qa/ads.yaml --seed 7"
              duration_ms: 12000
              ...
            ok 3 - s10 Change language # SKIP not run: s9 failed
            ok 4 - s11 rate 1.5 # SKIP not run: s9 failed
        not ok 1 - ads [QA Chromecast]
          ---
          duration_ms: 37450
          rerun: "showcaller run qa/ads.yaml --seed 7"
          ...

        """#)
  }

  @Test("Annotations stand at the step that was tried again and at the condition that did not hold")
  func github() {
    let lines = ReportText.text(.github, SampleRun.events).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      lines.first
        == """
        ::warning file=qa/ads.yaml,line=40,col=5,title=ads [QA Chromecast]%3A s1 launch A1B2C3D4::passed, but not at \
        once%0Atry 1 of 2: LAUNCH_ERROR CANCELLED
        """)
    #expect(
      lines.last?.hasPrefix(
        "::error file=qa/ads.yaml,line=65,col=28,title=ads [QA Chromecast]%3A s9 expect break%2C position::position: "
          + "expected 10.0s ± 1s, observed 18.0s, nearest 12.1s%0Aexpected  position") == true)
  }

  @Test("A summary has a row for each scenario and what failed below, in a fence that no text can close")
  func markdown() throws {
    let text = ReportText.text(.markdown, SampleRun.events)
    #expect(text.hasPrefix("### ❌ failed: 1 flaky, 1 failed, 2 not run in 38.0 s\n\n| | scenario"))
    #expect(text.contains("| ❌ | ads \\[QA Chromecast\\] | QA Chromecast | 1 | 1 | 2 | 0 | 37.5 s |\n"))
    #expect(text.contains("\n```text\nqa/ads.yaml:65:28\nexpected  position"))
    var events = SampleRun.events
    let index = try #require(events.firstIndex { $0.type == .expectFailed })
    events[index].fields["because"] = "````"
    #expect(ReportText.text(.markdown, events).contains("\n`````text\n"))
  }

  @Test("Tests of a CTRF report lie within its times, however fast the document's time passed")
  func clocks() throws {
    let events = SampleRun.events.map { event in
      var event = event
      event.wallTime = 1_795_251_600 + event.elapsed / 20
      return event
    }
    let results = try JSONValue(parsing: ReportText.text(.ctrf, events))["results"]
    let stop = try #require(results?["summary"]?["stop"]?.number)
    #expect((results?["tests"]?.array ?? []).allSatisfy { $0["stop"]?.number ?? .infinity <= stop })
    #expect(results?["summary"]?["duration"] == 38_000)
  }

  @Test("A step that had one try has no tries that were repeated")
  func oneTry() {
    let events = SampleRun.events.map { event in
      var event = event
      if event.step == "s1", event.type == .stepFinished {
        event.fields = ["result": "error", "attempts": 1, "duration": 1]
      }
      return event
    }
    #expect(!ReportText.text(.ctrf, events).contains("retryAttempts"))
    #expect(!ReportText.text(.tap, events).contains("failed_tries"))
  }

  @Test("CTRF tells tries, places, and what the status was by our own words")
  func ctrf() throws {
    let results = try JSONValue(parsing: ReportText.text(.ctrf, SampleRun.events))["results"]
    let tests = try #require(results?["tests"]?.array)
    #expect(tests.map { $0["rawStatus"] } == ["flaky", "failed", "not_run", "not_run"])
    #expect(tests.map { $0["status"] } == ["passed", "failed", "skipped", "skipped"])
    #expect(tests[0]["flaky"] == true && tests[0]["retries"] == 1 && tests[1]["flaky"] == nil)
    #expect(tests[1]["start"] == 1_795_251_625_200 && tests[1]["duration"] == 12_000 && tests[1]["line"] == 65)
    #expect(results?["summary"]?["flaky"] == 1 && results?["tool"]?["version"] == "0.4.0")
  }

  @Test("A run without an end is told as an error by every kind", arguments: documents)
  func unfinished(kind: ReportKind) {
    let text = ReportText.text(kind, Self.runs[1].events)
    let said = [ReportKind.trace, .otlp].contains(kind) ? "unfinished" : "the run did not finish"
    #expect(text.contains(said), "\(text)")
    #expect(text != ReportText.text(kind, SampleRun.events))
    if kind == .tap { #expect(text.contains("\nnot ok 2 - qa/ads.yaml\n"), "\(text)") }
  }

  @Test(
    "A report of several documents has all runs and those that were not begun, in one document", arguments: documents)
  func several(kind: ReportKind) throws {
    let written = WrittenText()
    let series = kind.makeForSeveral { written.write($0) }
    for run in ["r1", "r2"] {
      let part = series.begin(run: run, sources: [:])
      for event in SampleRun.events { part.record(event) }
    }
    series.record(.notBegun("last.yaml", because: "interrupted", at: 1_795_251_700))
    #expect(written.text.isEmpty)
    series.finish(SeriesVerdict([], seconds: 76, exitCode: 1))
    let text = written.text
    #expect(text.contains("last.yaml") && text.contains("not run: interrupted"), "\(text)")
    #expect(text.ranges(of: "launch A1B2C3D4").count >= 2, "\(text)")
    switch kind {
    case .tap: #expect(text.hasPrefix("TAP version 14\n1..3\n") && text.contains("\nok 3 - last.yaml # SKIP not run"))
    case .ctrf: try CTRFRules.check(text)
    case .junit: try SurefireRules.check(text)
    case .trace, .otlp: _ = try JSONValue(parsing: text)
    default: break
    }
  }

  @Test("Where somebody ended a run of several between two documents, each report has an error", arguments: documents)
  func interrupted(kind: ReportKind) throws {
    let good = try RunScene.events([
      RunScene.begin, #"1 scenario.started {"row":{},"attempt":1}"#,
      RunScene.finished(2, .passed, #""passed":1"#, duration: 1),
      RunScene.end(3, .passed, exit: 0),
    ])
    func text(_ exit: Int32) -> String {
      let written = WrittenText()
      let series = kind.makeForSeveral { written.write($0) }
      let part = series.begin(run: "r1", sources: [:])
      for event in good { part.record(event) }
      series.record(.notBegun("last.yaml", because: "interrupted", at: 9))
      series.finish(
        SeriesVerdict([.init("a.yaml", .ran(.passed)), .init("last.yaml", .notRun)], seconds: 3, exitCode: exit))
      return written.text
    }
    if kind != .html { #expect(text(130).contains("the run was interrupted"), "\(text(130))") }
    #expect(!text(0).contains("the run was interrupted"))
  }

  @Test("A summary is good where the run's exit code is, and keeps within what GitHub takes")
  func verdict() throws {
    let flaky = try RunScene.events([
      RunScene.begin, #"1 scenario.started {"row":{},"attempt":1}"#, RunScene.step(1, "s1", "load", "load", line: 3),
      #"2 step.finished s1 {"result":"flaky","attempts":2,"duration":1}"#,
      RunScene.finished(2, .flaky, #""flaky":1"#, duration: 1), RunScene.end(3, .flaky, exit: 7),
    ])
    #expect(ReportText.text(.markdown, flaky).hasPrefix("### ❌ failed: 1 flaky"))
    let long = String(repeating: "x", count: 15_000)
    var events = SampleRun.events
    for index in events.indices where events[index].fields["because"] != nil {
      events[index].fields["because"] = .string(long)
    }
    let parts = (0..<200).map { _ in events }
    let written = WrittenText()
    let series = ReportKind.markdown.makeForSeveral { written.write($0) }
    for part in parts {
      let report = series.begin(run: "r", sources: [:])
      for event in part { report.record(event) }
    }
    series.finish(SeriesVerdict([], seconds: 1, exitCode: 1))
    #expect(written.text.utf8.count < 1_000_000 && written.text.contains(" more are not shown here."))
    #expect(ReportText.text(.github, events).utf8.count < 20_000)
  }

  @Test("Controls of a text reach no terminal by an annotation")
  func controls() {
    let events = SampleRun.events.map { event in
      var event = event
      if event.fields["name"] != nil { event.fields["name"] = "a\u{1B}[2J\u{202E}" }
      return event
    }
    #expect(!ReportText.text(.github, events).unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E })
  }

  @Test("Times that no run has trap no report", arguments: [9.3e15, -9.2e12, 9.2e18, .infinity, .nan])
  func times(elapsed: Double) {
    let events = SampleRun.events.map { event in
      var event = event
      if event.number.isMultiple(of: 3) { event.elapsed = elapsed }
      return event
    }
    for kind in ReportKind.all { #expect(ReportText.text(kind, events).isEmpty == false, "\(kind.name)") }
  }
}
