import CastProtocol
import ScenarioLanguage
import Synchronization
import TestSupport
import Testing

@testable import RunReporting

@Suite struct ConsoleReportTests {
  @Test("A log has one stamped line per event that matters, and a block per failure") func plain() {
    let text = ReportText.console(SampleRun.events) { $0.eventsPath = "runs/01/events.jsonl" }
    #expect(
      text == """
        09:00:00.498 qa-chromecast    connected 192.0.2.14 Chromecast fw 1.68.412 auth verified
        09:00:00.911 qa-chromecast s1 retry  launch A1B2C3D4: launch_cancelled, try 2 in 1.0s
        09:00:02.400 qa-chromecast s1 flaky  launch A1B2C3D4 (1.9s, 2 tries)
        09:00:37.201 qa-chromecast s9 FAILED expect break, position (12.0s)
           --> qa/ads.yaml:65:28
              |
           65 |   - expect: { break: none, position: { about: 10s, tolerance: 1s } }
              |                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
           expected  position 10.0s ± 1s, break none
           observed  position 18.0s, break none
           nearest   position 12.1s at +31.3s
           statuses  +31.3 playing 12.1 no break · +36.1 playing 16.9 no break   (9 in window, none polled)
           rerun     showcaller run qa/ads.yaml --seed 7
        09:00:37.202 qa-chromecast s10-s11 not run
        09:00:37.900 qa-chromecast    finally passed (2 steps)
        FAILED ads [QA Chromecast] 1 flaky, 1 failed, 2 not run in 37.5s · exit 1
        events runs/01/events.jsonl

        """)
  }

  @Test("A report made from the stored stream equals the one made live") func fromEvents() throws {
    #expect(try ReportText.console(SampleRun.stored()) == ReportText.console(SampleRun.events))
  }

  @Test("Quiet tells which step failed why, and the verdict") func quiet() {
    let text = ReportText.console(SampleRun.events) { $0.level = .quiet }
    #expect(
      text == """
        FAILED s9 expect break, position: position: expected 10.0s ± 1s, observed 18.0s, nearest 12.1s (qa/ads.yaml:65)
        FAILED ads [QA Chromecast] 1 flaky, 1 failed, 2 not run in 37.5s · exit 1

        """)
  }

  @Test("A status that changes nothing we know is not told") func emptyStatus() {
    let events = SampleRun.events.map { event in
      var event = event
      if event.type == .status { event.fields["set"] = [:] }
      if event.type == .status { event.fields["unset"] = [] }
      return event
    }
    #expect(!ReportText.console(events) { $0.level = .verbose }.contains(" status "))
  }

  @Test("Verbose tells every status") func verbose() {
    let text = ReportText.console(SampleRun.events) { $0.level = .verbose }
    #expect(
      text.contains(
        "qa-chromecast    status player playing, position 12.1s, rate 1, duration 600.0s, no break\n"))
  }

  @Test("A terminal gets finished steps above a block that is redrawn in place") func terminal() {
    let text = ReportText.console(SampleRun.events) { $0.terminalWidth = 100 }
    #expect(text.contains(" ✓ s1  launch A1B2C3D4"))
    #expect(text.contains("try 2 (launch_cancelled)"))
    #expect(text.contains(" ✗ s9  expect break, position"))
    #expect(text.contains(" ▶ s9  expect break, position"))
    #expect(text.contains("playing   film 0:12 of 10:00   1x"))
    #expect(text.contains("\u{1B}[2A\r\u{1B}[J"))
    #expect(!text.contains("\u{1B}[32m"))
    #expect(text.hasSuffix("exit 1\n"))
    #expect(
      ReportText.console(SampleRun.events) { ($0.terminalWidth, $0.hasColor) = (100, true) }.contains(
        "\u{1B}[31m✗\u{1B}[0m"))
  }

  @Test("What moves by itself is redrawn between events") func refresh() {
    var style = ConsoleReport.Style()
    style.terminalWidth = 120
    let written = WrittenText()
    let report = ConsoleReport(style) { written.write($0) }
    for event in SampleRun.events.prefix(10) { report.record(event) }
    let before = written.text.count
    report.refresh(elapsed: 33.31)
    let after = String(written.text.dropFirst(before))
    #expect(after.contains("film 0:14 of 10:00"))
    #expect(after.contains("8.1s of 12s"))
    report.refresh(elapsed: 33.31)
    #expect(written.text.count == before + after.count)
  }

  @Test(
    "What a slow reader has no room for is left out and counted; what stands on its terminal stays right",
    arguments: [nil, 100])
  func slow(width: Int?) throws {
    var style = ConsoleReport.Style()
    style.terminalWidth = width
    let all = Mutex<[String]>([])
    let some = Mutex<[String]>([])
    let isBehind = Mutex(false)
    let whole = ConsoleReport(style, offeringTo: { text, _ in Self.draw(text, on: all) })
    let report = ConsoleReport(
      style, offeringTo: { text, _ in isBehind.withLock { $0 } ? false : Self.draw(text, on: some) })
    for (index, event) in SampleRun.events.enumerated() {
      isBehind.withLock { $0 = (6..<SampleRun.events.count - 2).contains(index) }
      whole.record(event)
      report.record(event)
    }
    let (shown, lines) = (some.withLock { $0 }, all.withLock { $0 })
    let note = try #require(shown.first { $0.hasSuffix(" not shown: the reader is slow") })
    let missed = try #require(note.split(separator: " ").first.flatMap { Int($0) })
    #expect(missed > 0 && shown.count - 1 == lines.count - missed, "\(shown)")
    #expect(shown.filter { $0 != note }.allSatisfy(lines.contains), "\(shown)")
    #expect(shown.last == lines.last)
  }

  /// What a terminal makes of it: finished lines, and a block below that is cleared and drawn again.
  private static func draw(_ text: String, on screen: borrowing Mutex<[String]>) -> Bool {
    screen.withLock { lines in
      var text = text[...]
      if let up = text.prefixMatch(of: /\x1B\[([0-9]+)A\r\x1B\[J/) {
        lines.removeLast(Int(up.1) ?? 0)
        text = text[up.range.upperBound...]
      }
      lines += text.split(separator: "\n").map(String.init)
    }
    return true
  }

  @Test(
    "Text from devices cannot control the terminal",
    arguments: ["\u{1B}[2J", "\u{9B}31m", "\r", "\u{7}", "\u{202E}", "\u{2066}", "\n", "\u{7F}"])
  func hostile(mark: String) {
    let events = SampleRun.events.map { event in
      var event = event
      if event.type == .deviceFound { event.fields["name"] = .string("TV\(mark)X") }
      if event.type == .attemptFailed { event.fields["error"] = ["class": .string("c\(mark)"), "message": "m"] }
      return event
    }
    for text in [ReportText.console(events), ReportText.console(events) { $0.terminalWidth = 100 }] {
      let plain = text.replacing(/\x1B\[[0-9]A\r\x1B\[J/, with: "")
      #expect(!plain.unicodeScalars.contains { $0 != "\n" && $0.isDisplayControl })
      #expect(plain.contains("TV\\u{"))
    }
  }

  @Test("Names in any script, and emoji made of several, are shown as they are", arguments: ["リビング", "Café", "👨‍👩‍👧 TV"])
  func harmless(name: String) {
    let events = SampleRun.events.map { event in
      var event = event
      if event.type == .deviceFound { event.fields["name"] = .string(name) }
      return event
    }
    #expect(ReportText.console(events) { $0.terminalWidth = 100 }.contains(name))
  }
}
