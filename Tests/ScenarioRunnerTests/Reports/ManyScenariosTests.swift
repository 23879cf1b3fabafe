import CastProtocol
import ScenarioLanguage
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
      let live = ConsoleReportTests.text(events) { $0.level = level }
      #expect(ConsoleReportTests.text(stored) { $0.level = level } == live)
    }
    let onTerminal = ConsoleReportTests.text(events) { $0.terminalWidth = 100 }
    #expect(ConsoleReportTests.text(stored) { $0.terminalWidth = 100 } == onTerminal)
    #expect(JUnitReportTests.text(stored) == JUnitReportTests.text(events))
  }

  @Test("JUnit's cases and suites have names of their own for each device and row")
  func names() throws {
    let xml = JUnitReportTests.text(try Self.played(Self.devices))
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
    let text = ConsoleReportTests.text(events)
    let lines = text.split(separator: "\n")
    #expect(lines.count { $0.contains("· exit") } == 1, "\(text)")
    #expect(lines.last?.hasPrefix("FAILED all 4: 2 passed, 2 failed in ") == true, "\(text)")
    #expect(lines.contains { $0.contains(" row    lang=no") }, "\(text)")
    let quiet = ConsoleReportTests.text(events) { $0.level = .quiet }.split(separator: "\n")
    #expect(quiet.count == 5, "\(quiet)")
    #expect(
      quiet.count { $0.hasPrefix("FAILED bar-2 lang=") && $0.contains("s2 ") } == 2, "\(quiet)")
    #expect(!quiet.contains { $0.hasPrefix("PASSED") }, "\(quiet)")
  }

  @Test(
    "Steps of several devices and rows say whose they are, on a terminal and in a pipe, and each row has its headline")
  func terminal() throws {
    let text = ConsoleReportTests.text(try Self.played(Self.devices)) { $0.terminalWidth = 100 }
    #expect(text.contains(" ✗ bar-2 lang=no s2  ") && text.contains(" ▶ bar-2 lang=no s2  "), "\(text)")
    let piped = ConsoleReportTests.text(try Self.played(Self.devices))
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
    let xml = JUnitReportTests.text(events)
    try SurefireRules.check(xml)
    #expect(
      xml.contains(#"<testcase classname="a.watch" name="no pause" file="a.yaml" line="4""#),
      "\(xml)")
    #expect(xml.contains(#"type="monitor">a.yaml:4:"#), "\(xml)")
    #expect(xml.matches(of: /<failure/).count == 1 && xml.contains(#"failures="1""#), "\(xml)")
    #expect(xml.contains(#"<skipped message="stopped: monitor failed: no pause"/>"#), "\(xml)")
    let text = ConsoleReportTests.text(events)
    #expect(text.contains("FAILED watch: no pause\n   --> a.yaml:4:"), "\(text)")
    #expect(
      text.contains(" stopped ") && !text.contains("FAILED pause") && !text.contains("FAILED wait"),
      "\(text)")
    let quiet = ConsoleReportTests.text(events) { $0.level = .quiet }
    #expect(
      quiet.hasPrefix("FAILED watch: no pause: observed player paused (a.yaml:4)\nFAILED a ["),
      "\(quiet)")
  }

  static let longNames = ["新しい展示室のスクリーンで字幕付きの映画を再生して広告が始まるまで待つステップ", "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", "e\u{301}tape"]
  @Test(
    "No line of the live block is wider than the terminal, in cells, before and after a resize",
    arguments: longNames)
  func width(name: String) throws {
    let events = SampleRun.events.map { event in
      var event = event
      if event.type == .stepStarted { event.fields["name"] = .string(name) }
      return event
    }
    var block = LiveBlock(width: 60, color: false)
    var transcript = RunTranscript()
    for event in events.prefix(10) { transcript.record(event) }
    for width in [60, 30, 100, 12] {
      let lines = LiveView(transcript, at: 33, width: width).lines
      let text = block.redraw(scrolling: ["x"], block: lines, width: width) ?? ""
      let drawn = text.replacing(/\x1B\[[0-9]+A\r\x1B\[J/, with: "").split(separator: "\n")
        .dropFirst()
      for line in drawn {
        #expect(DisplayWidth.of(line.unicodeScalars) < width, "\(width): \(line)")
      }
      let bar = drawn.first { $0.hasPrefix("   ├") }
      if width >= 30 { #expect(bar?.contains("…") == false, "the film's end is shown: \(drawn)") }
    }
  }

  @Test(
    "In a narrow terminal no line is wider than it, but for the command to paste, and carets stand under what they mean",
    arguments: [30, 40, 50, 80])
  func narrow(width: Int) throws {
    let text =
      "scenario: ads\n" + String(repeating: "# what comes before line 65\n", count: 63)
      + "  - expect: { break: none, position: { about: 10s, tolerance: 1s } }\n"
    let sources = Dictionary(
      SampleRun.events.compactMap { $0.fields["file"]?.string }.map { ($0, text) },
      uniquingKeysWith: { first, _ in first })
    let shown = ConsoleReportTests.text(SampleRun.events) { ($0.terminalWidth, $0.sources) = (width, sources) }
    var lines = shown.replacing(/\x1B\[[0-9]+A\r\x1B\[J/, with: "").split(separator: "\n").map(String.init)
    let rerun = lines.filter { $0.hasPrefix("   rerun ") }
    #expect(rerun.count == 1)
    lines.removeAll(where: rerun.contains)
    for line in lines {
      // A path is one word.
      let isWord = !line.drop { $0 == " " }.contains(" ") || line.contains("-->")
      #expect(DisplayWidth.of(line.unicodeScalars) <= width || isWord, "\(line)")
    }
    #expect(lines.contains { $0.hasPrefix(" ✓ s1 ") && $0.hasSuffix("s") || $0.contains("try 2") }, "\(shown)")
    let caret = try #require(lines.firstIndex { $0.contains("| ") && $0.contains("^^^") }, "\(shown)")
    let column = try #require(Array(lines[caret]).firstIndex(of: "^"))
    #expect(String(Array(lines[caret - 1])[column...]).hasPrefix("position"), "\(lines[caret - 1])")
  }

  @Test("A step's name has what the rest of its line leaves, from 10 cells to 50")
  func nameWidth() {
    #expect(ConsoleText.nameWidth(in: nil, beside: 10) == 50)
    #expect(ConsoleText.nameWidth(in: 200, beside: 10) == 50)
    #expect(ConsoleText.nameWidth(in: 40, beside: 12) == 27)
    #expect(ConsoleText.nameWidth(in: 20, beside: 15) == 10)
  }

  @Test("After the terminal became narrower, all rows that the block takes now are cleared")
  func narrower() {
    var block = LiveBlock(width: 80, color: false)
    _ = block.redraw(scrolling: [], block: [String(repeating: "a", count: 75), "b"])
    let text = block.redraw(scrolling: [], block: ["c"], width: 40) ?? ""
    #expect(text.hasPrefix("\u{1B}[3A\r"), "\(text)")
  }

  static let words = [
    ("a.yaml", "a.yaml"), ("my test.yaml", "'my test.yaml'"), ("it's", "'it'\\''s'"),
    ("$x`y`", "'$x`y`'"), ("", "''"),
    ("~/a", "'~/a'"), ("é.yaml", "'é.yaml'"), ("--set", "--set"), ("x=1", "x=1"),
    ("a\nb", "'a\nb'"),
  ]
  @Test("Words of the rerun line are quoted for a POSIX shell", arguments: words)
  func quoted(word: String, shown: String) { #expect(RunTranscript.quoted(word) == shown) }

  @Test(
    "The rerun line has what the command line gave, the row, and the device where there are several"
  )
  func rerun() throws {
    var events = try Self.played(Self.devices)
    let first = try #require(events.firstIndex { $0.type == .runStarted })
    events[first].fields["rerun"] = ["run", "--set", "title=a b", "--allow-exec"]
    let text = ConsoleReportTests.text(events)
    #expect(
      text.contains(
        "rerun     showcaller run a.yaml --set 'title=a b' --allow-exec --row lang=no --device "),
      "\(text)")
    #expect(JUnitReportTests.text(events).contains("rerun     showcaller run a.yaml --set "))
    events[first].fields["rerun"] = ["run", "--virtual", "--speed", "20x"]
    let virtual = ConsoleReportTests.text(events)
    #expect(
      virtual.contains(
        "rerun     showcaller run a.yaml --virtual --speed 20x --row lang=en --device "),
      "\(virtual)")
    events[first].fields["rerun"] = ["run", "--virtual", "--device", "Bar", "--device", "Bar 2"]
    #expect(
      ConsoleReportTests.text(events).matches(of: /rerun     (.*)/).allSatisfy {
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
