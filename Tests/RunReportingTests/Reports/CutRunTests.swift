import CastProtocol
import TestSupport
import Testing

@testable import RunReporting

/// Runs that were ended between two scenarios, or when a scenario was done: no report takes them for passed
/// (docs/runs.md "JUnit", "The console").
@Suite struct CutRunTests {
  private static let counts = #""flaky":0,"failed":0,"errors":0,"skipped":0"#
  private static let step = RunScene.step(1, "s1", "wait", "wait 30ms", line: 3)

  /// A row of a matrix whose only step passes.
  private static func row(_ number: Int, _ result: RunVerdict = .passed) -> [String] {
    [
      #"0.3 scenario.started {"row":{"n":\#(number)},"attempt":1}"#, step,
      #"2 step.finished s1 {"result":"passed","attempts":1,"duration":1}"#,
      RunScene.finished(2, result, #""passed":1,\#(counts),"notRun":0"#, duration: 1.7),
    ]
  }

  private static func run(_ lines: [String], _ end: String) -> [String] {
    [RunScene.begin] + RunScene.device + lines + [end]
  }

  private static func end(_ exit: Int, _ counts: String, _ result: RunVerdict = .error) -> String {
    RunScene.end(2.5, result, exit: exit, counts: counts)
  }

  private static let notRun =
    #"2 step.finished s2 {"result":"not_run","reason":"the scenario's 1s were over","verb":"stop","name":"stop","#
    + #""file":"qa/ads.yaml","line":4,"column":5}"#

  struct Scene: Sendable {
    var lines: [String]
    /// The last lines of the console, and all that `-q` leaves.
    var console: [String]
    var quiet: [String]
    /// The counts of the JUnit document, and what its errors say.
    var totals: String
    var errors: [String]
  }

  private static let cutDetail = "it ended before all that it was to run had begun"
  private static func cut(_ how: String) -> String {
    #"<error message="the run was \#(how)" type="not_finished">the run was \#(how)"# + "\n\(cutDetail)</error>"
  }
  private static func unfinished(_ reason: String, _ row: String = "") -> String {
    let message = "the scenario did not come to its end" + reason
    return #"<error message="\#(message)" type="not_finished">\#(message)"#
      + "\nrerun     showcaller run qa/ads.yaml\(row) --seed 7</error>"
  }

  static let scenes: [Scene] = [
    // Between two rows.
    Scene(
      lines: run(row(1), end(130, #"{"passed":1}"#)),
      console: [
        "PASSED ads [Living Room TV] n=1 1 passed in 1.7s",
        "ERROR interrupted after 1 scenario: 1 passed in 2.5s · exit 130",
      ], quiet: ["ERROR interrupted after 1 scenario: 1 passed in 2.5s · exit 130"],
      totals: #"tests="2" failures="0" errors="1" skipped="0""#, errors: [cut("interrupted")]),
    Scene(
      lines: run(row(1) + row(2, .flaky), end(143, #"{"passed":1,"flaky":1}"#)),
      console: [
        "PASSED ads [Living Room TV] n=1 1 passed in 1.7s", "FLAKY ads [Living Room TV] n=2 1 passed in 1.7s",
        "ERROR terminated after 2 scenarios: 1 passed, 1 flaky in 2.5s · exit 143",
      ],
      quiet: [
        "FLAKY ads [Living Room TV] n=2 1 passed in 1.7s",
        "ERROR terminated after 2 scenarios: 1 passed, 1 flaky in 2.5s · exit 143",
      ], totals: #"tests="3" failures="0" errors="1" skipped="0""#, errors: [cut("terminated")]),
    // Another exit code outranks the interruption's.
    Scene(
      lines: run(row(1), end(70, #"{"passed":1}"#)),
      console: [
        "PASSED ads [Living Room TV] n=1 1 passed in 1.7s",
        "ERROR ended after 1 scenario: 1 passed in 2.5s · exit 70",
      ], quiet: ["ERROR ended after 1 scenario: 1 passed in 2.5s · exit 70"],
      totals: #"tests="2" failures="0" errors="1" skipped="0""#, errors: [cut("ended")]),
    // Before the first.
    Scene(
      lines: [RunScene.begin, end(130, "{}")],
      console: ["ERROR interrupted before a scenario was over in 2.5s · exit 130"],
      quiet: ["ERROR interrupted before a scenario was over in 2.5s · exit 130"],
      totals: #"tests="1" failures="0" errors="1" skipped="0""#, errors: [cut("interrupted")]),
    // As the last step of a row was done: the row says it.
    Scene(
      lines: run(row(1, .error), end(130, #"{"error":1}"#)),
      console: ["ERROR ads [Living Room TV] n=1 1 passed in 1.7s · exit 130"],
      quiet: ["ERROR ads [Living Room TV] n=1 1 passed in 1.7s · exit 130"],
      totals: #"tests="2" failures="0" errors="1" skipped="0""#,
      errors: [unfinished(": interrupted", " --row n=1")]),
    Scene(
      lines: run(row(1) + row(2, .error), end(130, #"{"passed":1,"error":1}"#)),
      console: [
        "PASSED ads [Living Room TV] n=1 1 passed in 1.7s", "ERROR ads [Living Room TV] n=2 1 passed in 1.7s",
        "ERROR all 2: 1 passed, 1 in error in 2.5s · exit 130",
      ],
      quiet: [
        "ERROR ads [Living Room TV] n=2 1 passed in 1.7s", "ERROR all 2: 1 passed, 1 in error in 2.5s · exit 130",
      ], totals: #"tests="3" failures="0" errors="1" skipped="0""#,
      errors: [unfinished(": interrupted", " --row n=2")]),
    // Its time was over between two steps.
    Scene(
      lines: run(
        [
          #"0.3 scenario.started {"row":{},"attempt":1}"#, step,
          #"2 step.finished s1 {"result":"passed","attempts":1,"duration":1}"#, notRun,
          RunScene.finished(2, .error, #""passed":1,\#(counts),"notRun":1"#, duration: 1.7),
        ], end(6, #"{"error":1}"#)),
      console: ["ERROR ads [Living Room TV] 1 passed, 1 not run in 1.7s · exit 6"],
      quiet: ["ERROR ads [Living Room TV] 1 passed, 1 not run in 1.7s · exit 6"],
      totals: #"tests="3" failures="0" errors="1" skipped="1""#,
      errors: [unfinished(": the scenario's 1s were over")]),
    // Nothing says why.
    Scene(
      lines: run(row(1, .failed), end(1, #"{"failed":1}"#, .failed)),
      console: ["FAILED ads [Living Room TV] n=1 1 passed in 1.7s · exit 1"],
      quiet: ["FAILED ads [Living Room TV] n=1 1 passed in 1.7s · exit 1"],
      totals: #"tests="2" failures="0" errors="1" skipped="0""#, errors: [unfinished("", " --row n=1")]),
  ]

  @Test("The console's last line has the verdict of the run and how it was ended", arguments: scenes)
  func console(_ scene: Scene) throws {
    let events = try RunScene.events(scene.lines)
    let lines = ReportText.console(events).split(separator: "\n").map(String.init)
    #expect(lines.filter { $0.first?.isUppercase == true } == scene.console)
    let quiet = ReportText.console(events) { $0.level = .quiet }
    #expect(quiet == scene.quiet.map { $0 + "\n" }.joined())
    let live = ReportText.console(events) { $0.terminalWidth = 100 }
    #expect(scene.console.allSatisfy(live.contains), "\(live)")
  }

  @Test("JUnit has an error for it: in the scenario where it came, or in a suite of the document's", arguments: scenes)
  func junit(_ scene: Scene) throws {
    let text = ReportText.junit(try RunScene.events(scene.lines))
    try SurefireRules.check(text)
    #expect(text.contains(#"<testsuites name="showcaller" \#(scene.totals) time="2.500">"#), "\(text)")
    #expect(text.ranges(of: "<error ").count == scene.errors.count)
    #expect(scene.errors.allSatisfy(text.contains), "\(text)")
  }

  @Test("The error of a run has the document's name and the time of its end")
  func suite() throws {
    let text = ReportText.junit(try RunScene.events(try #require(Self.scenes.first).lines))
    #expect(
      text.hasSuffix(
        """
          <testsuite name="qa/ads.yaml" id="qa/ads.yaml" timestamp="2026-11-21T09:00:02.500Z" file="qa/ads.yaml" tests="1" \
        failures="0" errors="1" skipped="0" time="0.000">
            <properties/>
            <testcase classname="qa/ads.yaml.run" name="run" file="qa/ads.yaml" line="1" time="0.000">
              \(Self.cut("interrupted"))
            </testcase>
          </testsuite>
        </testsuites>

        """), "\(text)")
  }

  @Test("Made again from the stored events, and as one of several documents, they are the same", arguments: scenes)
  func again(_ scene: Scene) throws {
    let events = try RunScene.events(scene.lines)
    let stored = try events.map { event in
      let json = try JSONValue(parsing: EventRecord(event).jsonLine)
      return try #require(EventRecord(json: json)?.event)
    }
    let verdict = SeriesVerdict([], seconds: 0, exitCode: 130)
    for kind in [ReportKind.junit, .console] {
      let (live, again, together) = (WrittenText(), WrittenText(), WrittenText())
      let series = kind.makeForSeveral { together.write($0) }
      let parts = [
        (kind.make([:]) { live.write($0) }, events), (kind.make([:]) { again.write($0) }, stored),
        (series.begin(run: "r1", sources: [:]), events),
      ]
      for (report, events) in parts {
        for event in events { report.record(event) }
        report.endOfStream()
      }
      if kind == .junit { series.finish(verdict) }
      #expect(live.text == again.text && live.text == together.text, "\(kind.name)")
    }
  }
}
