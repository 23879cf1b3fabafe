import CastProtocol
import ScenarioLanguage
import TestSupport
import Testing

@testable import RunReporting

/// Reports on terminals of any width, and what they leave to be pasted.
@Suite struct NarrowTerminalTests {
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
    let shown = ReportText.console(SampleRun.events) { ($0.terminalWidth, $0.sources) = (width, sources) }
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
  func quoted(word: String, shown: String) { #expect(ShellWord.quoted(word) == shown) }
}
