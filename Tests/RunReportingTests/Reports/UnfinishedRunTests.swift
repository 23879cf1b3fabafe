import TestSupport
import Testing

@testable import RunReporting

/// Runs that were killed: what ran then is an error of its own, in each report (docs/runs.md "JUnit", "The console").
@Suite struct UnfinishedRunTests {
  private static let begin =
    [RunScene.begin] + RunScene.device + [
      #"0.3 scenario.started {"row":{},"attempt":1}"#, RunScene.step(1, "s1", "load", "load film", line: 3),
      #"2 step.finished s1 {"result":"passed","attempts":1,"duration":1}"#,
    ]
  private static let loop = RunScene.step(2.5, "s2", "repeat", "repeat 3 times", line: 4)
  private static func inner(_ id: String, _ name: String, line: Int, parent: String = "s2") -> String {
    RunScene.step(3, id, "wait", name, line: line, more: #","parent":"\#(parent)""#)
  }
  private static let rerun = "rerun     showcaller run qa/ads.yaml --seed 7"
  private static let text = "the run ended while it ran, started at"

  static let killed: [(lines: [String], message: String?, told: [String])] = [
    ([], nil, []),
    (
      [RunScene.step(2.5, "s2", "wait", "wait 10s", line: 4)], "the run ended while it ran",
      ["qa/ads.yaml:4:5", "\(text) +2.5s"]
    ),
    ([loop], "the run ended while it ran", ["qa/ads.yaml:4:5", "\(text) +2.5s"]),
    (
      [loop, inner("s2.1", "wait 1s", line: 5)], "s2.1: the run ended while it ran",
      ["qa/ads.yaml:5:5", "s2.1: \(text) +3.0s"]
    ),
    (
      [
        loop, inner("s2.1", "group", line: 5), inner("s2.1.1", "wait 1s", line: 6, parent: "s2.1"),
        inner("s2.2", "wait 2s", line: 7),
      ], "s2.1.1: the run ended while it ran",
      ["qa/ads.yaml:6:5", "s2.1.1: \(text) +3.0s", "qa/ads.yaml:7:5", "s2.2: \(text) +3.0s"]
    ),
    (
      [
        loop, inner("s2.1", "wait 1s", line: 5),
        #"3.5 step.finished s2.1 {"result":"passed","parent":"s2","attempts":1,"duration":1}"#,
      ], "the run ended while it ran", ["qa/ads.yaml:4:5", "\(text) +2.5s"]
    ),
  ]

  static let fates: [(fate: RunFate, command: String?)] = [
    (.died(resumeLine: "showcaller run --resume r1"), "showcaller run --resume r1"), (.unknown, nil), (.running, nil),
    (.resumed(by: "r2", reportLine: "showcaller report r2"), "showcaller report r2"),
  ]

  @Test("The console and the page name the command that goes on with it, or that tells who has", arguments: fates)
  func resumed(fate: RunFate, command: String?) throws {
    let lines = Self.begin + [Self.loop]
    for kind in [ReportKind.console, .html] {
      for ends in [false, true] {
        let written = WrittenText()
        let report = kind.make(ReportSources(fate: fate)) { written.write($0) }
        let end = ends ? [RunScene.end(9, .error, exit: 130)] : []
        for event in try RunScene.events(lines + end) { report.record(event) }
        report.endOfStream()
        let isNamed = written.text.contains(command ?? "showcaller run --resume")
        #expect(isNamed == (command != nil && !ends), "\(kind.name): \(written.text)")
      }
    }
  }

  @Test("What the command that goes on needs besides stands behind it")
  func resumeNote() throws {
    let note = "it reads the secret `token` from standard input"
    for (kind, told) in [
      (ReportKind.console, "help: `showcaller run --resume r1` goes on with it; \(note)\n"),
      (.html, "<code>showcaller run --resume r1</code>; \(note)</p>"),
    ] {
      let written = WrittenText()
      let sources = ReportSources(fate: .died(resumeLine: "showcaller run --resume r1", note: note))
      let report = kind.make(sources) { written.write($0) }
      for event in try RunScene.events(Self.begin + [Self.loop]) { report.record(event) }
      report.endOfStream()
      #expect(written.text.contains(told), "\(written.text)")
    }
  }

  @Test("Of a run that still goes on no report says that it ended, and its step is no error", arguments: ReportKind.all)
  func running(kind: ReportKind) throws {
    let written = WrittenText()
    let report = kind.make(ReportSources(fate: .running)) { written.write($0) }
    for event in try RunScene.events(Self.begin + [Self.loop]) { report.record(event) }
    report.endOfStream()
    #expect(!written.text.contains("the run ended while it ran"), "\(written.text)")
    if kind.name == "console" {
      #expect(
        written.text.hasSuffix(
          """
          09:00:02.500 tv s2 runs   repeat 3 times: it still runs, started at +2.5s
          the run still goes on

          """), "\(written.text)")
    }
    if ["junit", "html"].contains(kind.name) {
      #expect(written.text.contains("the run still goes on") && written.text.contains("it still runs, started at"))
    }
  }

  @Test("JUnit has the step that ran as an error, with where it stood and since when it ran", arguments: killed)
  func junit(lines: [String], message: String?, told: [String]) throws {
    let written = WrittenText()
    let report = ReportKind.junit.make([:]) { written.write($0) }
    for event in try RunScene.events(Self.begin + lines) { report.record(event) }
    report.endOfStream()
    try SurefireRules.check(written.text)
    // That the run did not finish is an error besides.
    let errors = written.text.ranges(of: "<error ").count
    #expect(errors == (message == nil ? 1 : 2), "\(written.text)")
    if let message {
      let content = (told + [Self.rerun]).joined(separator: "\n")
      let error = "<error message=\"\(message)\" type=\"not_finished\">\(content)</error>"
      #expect(written.text.contains(error), "\(written.text)")
    }
    #expect(!written.text.contains("<skipped"))
  }

  private static func console(_ lines: [String], _ level: ConsoleReport.Level = .normal) throws -> String {
    var style = ConsoleReport.Style()
    (style.level, style.sources) = (level, ["qa/ads.yaml": RunScene.source])
    let written = WrittenText()
    let report = ConsoleReport(style) { written.write($0) }
    for event in try RunScene.events(lines) { report.record(event) }
    report.endOfStream()
    return written.text
  }

  @Test("The console names the step that ran, its place and the command that runs it again")
  func log() throws {
    let text = try Self.console(Self.begin + [Self.loop, Self.inner("s2.1", "wait 1s", line: 5)])
    #expect(
      text.hasSuffix(
        """
        09:00:02.000 tv s1 passed load film (1.0s)
        09:00:03.000 tv s2.1 ERROR  wait 1s: the run ended while it ran, started at +3.0s
           --> qa/ads.yaml:5:5
             |
           5 |   - line5: with some words in it
             |     ^
           rerun     showcaller run qa/ads.yaml --seed 7
        the run did not finish

        """), "\(text)")
    #expect(try Self.console(Self.begin).hasSuffix("load film (1.0s)\nthe run did not finish\n"))
  }

  @Test("Quiet names it on a line")
  func quiet() throws {
    let text = try Self.console(Self.begin + [Self.loop], .quiet)
    #expect(
      text == """
        ERROR s2 repeat 3 times: the run ended while it ran, started at +2.5s (qa/ads.yaml:4)
        the run did not finish

        """)
  }

  @Test("Of several devices each step is named that ran")
  func devices() throws {
    let text = try Self.console(Array(RunScene.choices.prefix { !$0.contains("step.finished") }))
    #expect(text.contains("tv s1 ERROR  load film: the run ended while it ran, started at +1.0s\n"), "\(text)")
    #expect(text.contains("hub s1 ERROR  load film: the run ended while it ran, started at +1.0s\n"), "\(text)")
    #expect(text.contains("--device tv") && text.contains("--device 'Kitchen Hub'"), "\(text)")
    #expect(!text.contains("\n\n"))
  }
}
