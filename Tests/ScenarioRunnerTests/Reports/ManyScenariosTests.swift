import CastProtocol
import ScenarioLanguage
import TestSupport
import Testing

@testable import DeviceControl
@testable import RunReporting
@testable import ScenarioRunner

/// Reports of several devices, rows and monitors: everything says whose it is.
@Suite struct ManyScenariosTests {
  private static func played(_ text: String) throws -> [Event] {
    try Play(RowsAndDevices.document(text)).events
  }

  private static let devices = """
    scenario: Smoke
    devices: { match: { name_like: "Bar*" }, at_least: 2 }
    matrix: { lang: [en, no] }
    steps:
      - load: https://cdn.example.com/a.mp4
      - expect: { device: { name: { not: { ends_with: "2" } } } }
        name: ${matrix.lang} is first
    """

  private static func stored(_ events: [Event]) throws -> [Event] {
    try events.compactMap {
      EventRecord(json: try JSONValue(parsing: EventRecord($0).jsonLine))?.event
    }
  }

  @Test(
    "Reports of several devices and rows are the same from the stored stream, at every level and on terminals"
  )
  func fromEvents() throws {
    let events = try Self.played(Self.devices)
    let stored = try Self.stored(events)
    for level in [ConsoleReport.Level.quiet, .normal, .verbose, .wire] {
      let live = ReportText.console(events) { $0.level = level }
      #expect(ReportText.console(stored) { $0.level = level } == live)
    }
    let onTerminal = ReportText.console(events) { $0.terminalWidth = 100 }
    #expect(ReportText.console(stored) { $0.terminalWidth = 100 } == onTerminal)
    #expect(ReportText.junit(stored) == ReportText.junit(events))
  }

  @Test("JUnit's cases and suites have names of their own for each device and row")
  func names() throws {
    let xml = ReportText.junit(try Self.played(Self.devices))
    try SurefireRules.check(xml)
    let cases = xml.matches(of: /<testcase classname="([^"]*)" name="([^"]*)"/).map {
      "\($0.1) \($0.2)"
    }
    #expect(cases.count == 8 && Set(cases).count == 8, "\(cases)")
    #expect(cases.contains { $0.hasSuffix("[bar-2 lang=no]") }, "\(cases)")
    let suites = xml.matches(of: /<testsuite name="([^"]*)" id="([^"]*)"/).map { String($0.2) }
    #expect(suites.count == 4 && Set(suites).count == 4, "\(suites)")
  }

  @Test(
    "Only one line claims the exit code: the last, for all; quiet tells what failed, and of which")
  func verdicts() throws {
    let events = try Self.played(Self.devices)
    let text = ReportText.console(events)
    let lines = text.split(separator: "\n")
    #expect(lines.count { $0.contains("· exit") } == 1, "\(text)")
    #expect(lines.last?.hasPrefix("FAILED all 4: 2 passed, 2 failed in ") == true, "\(text)")
    #expect(lines.contains { $0.contains(" row    lang=no") }, "\(text)")
    let quiet = ReportText.console(events) { $0.level = .quiet }.split(separator: "\n")
    #expect(quiet.count == 5, "\(quiet)")
    #expect(
      quiet.count { $0.hasPrefix("FAILED bar-2 lang=") && $0.contains("s2 ") } == 2, "\(quiet)")
    #expect(!quiet.contains { $0.hasPrefix("PASSED") }, "\(quiet)")
  }

  @Test(
    "Steps of several devices and rows say whose they are, on a terminal and in a pipe, and each row has its headline")
  func terminal() throws {
    let text = ReportText.console(try Self.played(Self.devices)) { $0.terminalWidth = 100 }
    #expect(text.contains(" ✗ bar-2 lang=no s2  ") && text.contains(" ▶ bar-2 lang=no s2  "), "\(text)")
    let piped = ReportText.console(try Self.played(Self.devices))
    #expect(piped.contains(" bar-2 s2 FAILED no is first [lang=no] ("), "\(piped)")
    #expect(text.contains("lang=en") && text.contains("lang=no"), "\(text)")
  }

  @Test("A broken monitor fails at its own place, not in the step that it ends")
  func monitor() throws {
    let events = try Self.played(
      """
      scenario: Watched
      device: Bar
      watch:
        - { name: no pause, never: { player: paused } }
      steps:
        - load: https://cdn.example.com/a.mp4
        - pause
        - wait: 10s
      """)
    let xml = ReportText.junit(events)
    try SurefireRules.check(xml)
    #expect(
      xml.contains(#"<testcase classname="a.watch" name="no pause" file="a.yaml" line="4""#),
      "\(xml)")
    #expect(xml.contains(#"type="monitor">a.yaml:4:"#), "\(xml)")
    #expect(xml.matches(of: /<failure/).count == 1 && xml.contains(#"failures="1""#), "\(xml)")
    #expect(xml.contains(#"<skipped message="stopped: monitor failed: no pause"/>"#), "\(xml)")
    let text = ReportText.console(events)
    #expect(text.contains("FAILED watch: no pause\n   --> a.yaml:4:"), "\(text)")
    #expect(
      text.contains(" stopped ") && !text.contains("FAILED pause") && !text.contains("FAILED wait"),
      "\(text)")
    let quiet = ReportText.console(events) { $0.level = .quiet }
    #expect(
      quiet.hasPrefix("FAILED watch: no pause: observed player paused (a.yaml:4)\nFAILED a ["),
      "\(quiet)")
  }

  @Test(
    "The rerun line has what the command line gave, the row, and the device where there are several"
  )
  func rerun() throws {
    var events = try Self.played(Self.devices)
    let first = try #require(events.firstIndex { $0.type == .runStarted })
    events[first].fields["rerun"] = ["run", "--set", "title=a b", "--allow-exec"]
    let text = ReportText.console(events)
    #expect(
      text.contains(
        "rerun     showcaller run a.yaml --set 'title=a b' --allow-exec --row lang=no --device "),
      "\(text)")
    #expect(ReportText.junit(events).contains("rerun     showcaller run a.yaml --set "))
    events[first].fields["rerun"] = ["run", "--virtual", "--speed", "20x"]
    let virtual = ReportText.console(events)
    #expect(
      virtual.contains(
        "rerun     showcaller run a.yaml --virtual --speed 20x --row lang=en --device "),
      "\(virtual)")
    events[first].fields["rerun"] = ["run", "--virtual", "--device", "Bar", "--device", "Bar 2"]
    #expect(
      ReportText.console(events).matches(of: /rerun     (.*)/).allSatisfy {
        $0.1.matches(of: /--device/).count == 1
      })
  }
}

/// The rows of a document in one play.
enum RowsAndDevices {
  static func document(_ text: String) throws -> RunnableDocument {
    let compiled = PlanCompiler.compile(SourceFile(name: "a.yaml", bytes: Array(text.utf8)))
    return try #require(
      RunnableDocument(compiled.plans), "\(compiled.diagnostics.map { "\($0.code) \($0.message)" })"
    )
  }
}
