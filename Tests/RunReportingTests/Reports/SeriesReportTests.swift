import CastProtocol
import TestSupport
import Testing

@testable import RunReporting

/// One report of several documents that are run one after the other (docs/runs.md "Kinds of events", "JUnit").
@Suite struct SeriesReportTests {
  private static let verdict = SeriesVerdict(
    [.init("qa/ads.yaml", .ran(.failed)), .init("b.yaml", .notRun)], seconds: 14, exitCode: 1)
  private static let notBegun = RunNotice.notBegun("b.yaml", because: "interrupted", at: 1_795_251_610)

  /// Two runs, then a document whose turn never came.
  private static func write(_ kind: ReportKind) throws -> String {
    let written = WrittenText()
    let series = kind.makeForSeveral { written.write($0) }
    for (run, lines) in [("r1", RunScene.nested), ("r2", RunScene.noDevice)] {
      let part = series.begin(run: run, sources: ["qa/ads.yaml": RunScene.source])
      for event in try RunScene.events(lines) { part.record(event) }
      #expect(part.writeError == nil)
    }
    series.record(notBegun)
    series.finish(verdict)
    return written.text
  }

  @Test(
    "JSON lines of several runs each name their run behind the type, but for those that have it; numbers begin anew")
  func json() throws {
    let lines = try Self.write(.json).split(separator: "\n").map(String.init)
    #expect(lines.count == RunScene.nested.count + RunScene.noDevice.count)
    #expect(lines[1].contains(#""type":"device.found","run":"r1","doc":"ads","dev":"tv""#))
    for (index, line) in lines.enumerated() {
      let json = try JSONValue(parsing: line)
      let isSecond = index >= RunScene.nested.count
      #expect(json["n"]?.int == (isSecond ? index - RunScene.nested.count : index) + 1)
      let isOfRun = ["run.started", "run.finished"].contains(json["type"]?.string ?? "")
      #expect(json["run"] == .string(isOfRun || !isSecond ? "r1" : "r2"), "\(line)")
      #expect(json.object?.members.count { $0.name == "run" } == 1)
    }
  }

  @Test("JUnit has the suites of all runs in one document, and one with a skipped case for what was not begun")
  func junit() throws {
    let text = try Self.write(.junit)
    try SurefireRules.check(text)
    #expect(
      text.hasPrefix(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="showcaller" tests="4" failures="1" errors="1" skipped="2" time="4.500">
          <testsuite name="ads [Living Room TV]"
        """))
    #expect(text.ranges(of: "<testsuite ").count == 3)
    #expect(
      text.hasSuffix(
        """
          <testsuite name="b.yaml" id="b.yaml" timestamp="2026-11-21T09:00:10.000Z" file="b.yaml" tests="1" failures="0" \
        errors="0" skipped="1" time="0.000">
            <properties/>
            <testcase classname="b.yaml.run" name="run" file="b.yaml" line="1" time="0.000">
              <skipped message="not run: interrupted"/>
            </testcase>
          </testsuite>
        </testsuites>

        """))
  }

  @Test("The console's reports follow each other, and the line for all is the last")
  func console() throws {
    let text = try Self.write(.console)
    let style = ["qa/ads.yaml": RunScene.source]
    let parts = try [RunScene.nested, RunScene.noDevice].map { lines in
      try ReportText.console(RunScene.events(lines)) { $0.sources = style }
    }
    let end = "b.yaml: not run: interrupted\nFAILED 1 of 2 documents: qa/ads.yaml; not run: b.yaml in 14.0s · exit 1\n"
    #expect(text == parts.joined() + end)
  }

  @Test("A kind of report writes of a run in a series what it writes of the run alone", arguments: RunScene.all)
  func same(name: String, lines: [String]) throws {
    let events = try RunScene.events(lines)
    for kind in ReportKind.all {
      let (alone, together) = (WrittenText(), WrittenText())
      let report = kind.make([:]) { alone.write($0) }
      for event in events { report.record(event) }
      let series = kind.makeForSeveral { together.write($0) }
      let part = series.begin(run: "r1", sources: [:])
      for event in events { part.record(event) }
      if kind != .console { series.finish(Self.verdict) }
      // The run stands behind the type, in front of where the event belongs.
      let plain = together.text.replacing(#","run":"r1","doc""#, with: #","doc""#)
      #expect((kind == .json ? plain : together.text) == alone.text, "\(kind.name)")
    }
  }

  static let notices: [(notice: RunNotice, counts: String, child: String)] = [
    (
      .notFinished("a&b.yaml", at: 0), #"errors="1" skipped="0""#,
      #"<error message="the run did not finish" type="not_finished">the run did not finish"#
        + "\nit still runs, or it was ended before it could tell</error>"
    ),
    (
      RunNotice(of: "a&b.yaml", .notRun, "the document is invalid", detail: "error[K101]: <x>\n  --> a", at: 0),
      #"errors="1" skipped="0""#,
      #"<error message="the document is invalid" type="not_run">the document is invalid"#
        + "\nerror[K101]: &lt;x&gt;\n  --&gt; a</error>"
    ),
    (
      RunNotice(of: "a&b.yaml", .notRun, "", at: 0), #"errors="1" skipped="0""#,
      #"<error message="" type="not_run"></error>"#
    ),
    (
      .notBegun("a&b.yaml", because: "\"why\"", at: 0), #"errors="0" skipped="1""#,
      #"<skipped message="not run: &quot;why&quot;"/>"#
    ),
  ]

  @Test("In place of a run its report says why there is none", arguments: notices)
  func notice(notice: RunNotice, counts: String, child: String) throws {
    try SurefireRules.check(notice.junit)
    #expect(notice.junit.contains(#"<testsuites name="showcaller" tests="1" failures="0" \#(counts) time="0.000">"#))
    #expect(notice.junit.contains(child), "\(notice.junit)")
    #expect(notice.junit.contains(#"name="a&amp;b.yaml" id="a&amp;b.yaml" timestamp="1970-01-01T00:00:00.000Z""#))
  }

  @Test(
    "Kinds that are one document have a notice for their file, those that grow have none", arguments: ReportKind.all)
  func kinds(kind: ReportKind) {
    let notice = kind.notice?(Self.notBegun)
    let expected = [ReportKind.junit: Self.notBegun.junit, .html: HTMLPage.text(of: Self.notBegun)]
    #expect(notice == expected[kind])
  }

  @Test("A document's name in a line cannot control the terminal")
  func hostile() {
    let notice = RunNotice(of: "a\u{1B}[2J.yaml", .notRun, "b\nc", at: 0)
    #expect(notice.consoleLine == "a\\u{1B}[2J.yaml: b\\u{A}c")
    let line = SeriesVerdict([.init("x\u{202E}.yaml", .ran(.failed))], seconds: 0, exitCode: 1).line
    #expect(line == "FAILED 1 of 1 document: x\\u{202E}.yaml in 0.0s · exit 1")
  }

  @Test("A JUnit report is written once, at the end or where the stream ends; what cannot be written is remembered")
  func once() throws {
    struct Full: Error {}
    let written = WrittenText()
    let report = JUnitReport { text in
      written.write(text)
      throw Full()
    }
    let events = try RunScene.events(RunScene.flow)
    for event in events { report.record(event) }
    let text = written.text
    for event in events { report.record(event) }
    report.endOfStream()
    #expect(written.text == text && report.writeError is Full)
    try SurefireRules.check(text)
  }
}
