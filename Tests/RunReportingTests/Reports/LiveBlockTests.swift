import CastProtocol
import ScenarioLanguage
import TestSupport
import Testing

@testable import RunReporting

/// What stands on a terminal after each redraw.
@Suite struct LiveBlockTests {
  /// A terminal of some columns that does what the block asks of it, and nothing else.
  private struct Terminal {
    var width: Int
    var rows: [String] = []

    mutating func take(_ text: String) throws {
      var rest = text.replacing(/\x1B\[[0-9]+m/, with: "")[...]
      if let up = rest.prefixMatch(of: /\x1B\[([0-9]+)A\r\x1B\[J/) {
        let count = try #require(Int(up.1))
        try #require(count <= rows.count, "the block begins above the screen")
        rows.removeLast(count)
        rest = rest[up.range.upperBound...]
      }
      try #require(!rest.contains("\u{1B}") && (rest.isEmpty || rest.hasSuffix("\n")))
      for line in rest.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        // What is wider goes on in the next row.
        var row = ""
        for character in line {
          if ConsoleText.cells(row) + ConsoleText.cells(String(character)) > width {
            rows.append(row)
            row = ""
          }
          row.append(character)
        }
        rows.append(row)
      }
    }
  }

  @Test(
    "Above stands all that scrolled, below the newest block, and nothing of an older one",
    arguments: 1...8 as ClosedRange<UInt64>)
  func property(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let width = 10 + random.next(below: 40)
    var block = LiveBlock(width: width, color: random.next(below: 2) == 0)
    var terminal = Terminal(width: width)
    var scrolled: [String] = []
    let words = [" ✓ s1", "字幕 ", "abc def ", "👨‍👩‍👧", " ▶ s2", "e\u{301}", "–"]
    func line(_ pieces: Int) -> String { (0..<pieces).map { _ in words[random.next(below: words.count)] }.joined() }
    for _ in 0..<60 {
      let above = (0..<random.next(below: 3)).map { _ in ConsoleText.cut(line(3), to: width) }
      let below = (0..<random.next(below: 4)).map { _ in line(1 + random.next(below: 12)) }
      guard let text = block.redraw(scrolling: above, block: below) else {
        #expect(above.isEmpty)
        continue
      }
      try terminal.take(text)
      scrolled += above
      #expect(terminal.rows == scrolled + below.map { ConsoleText.cut($0, to: width - 1) })
    }
  }

  @Test("A block that changes nothing writes nothing; an empty one is cleared away")
  func unchanged() {
    var block = LiveBlock(width: 20, color: false)
    #expect(block.redraw(scrolling: [], block: []) == nil)
    #expect(block.redraw(scrolling: [], block: ["a", "b"]) == "a\nb\n")
    #expect(block.redraw(scrolling: [], block: ["a", "b"]) == nil)
    #expect(block.redraw(scrolling: ["x"], block: ["a", "b"]) == "\u{1B}[2A\r\u{1B}[Jx\na\nb\n")
    #expect(block.redraw(scrolling: [], block: []) == "\u{1B}[2A\r\u{1B}[J")
    #expect(block.redraw(scrolling: ["y"], block: []) == "y\n")
  }

  static let colors: [(line: String, code: String?)] = [
    (" ✓ s1 ok", "32"), (" ✗ s1 no", "31"), (" ▶ s1 on", "36"), (" – s1 not", "2"), ("✓", "32"), ("ads ✓", nil),
    ("", nil),
    ("   ", nil),
  ]

  @Test("Only a line's first mark has a colour, and without colours the line is the same", arguments: colors)
  func color(line: String, code: String?) {
    var (plain, colored) = (LiveBlock(width: 40, color: false), LiveBlock(width: 40, color: true))
    let mark = line.first { $0 != " " }.map(String.init) ?? ""
    let expected = code.map { line.replacing(mark, with: "\u{1B}[\($0)m\(mark)\u{1B}[0m", maxReplacements: 1) } ?? line
    #expect(plain.redraw(scrolling: [line], block: []) == line + "\n")
    #expect(colored.redraw(scrolling: [line], block: []) == expected + "\n")
  }

  private static func live(_ lines: [String], at elapsed: Double, width: Int? = 80) throws -> [String] {
    var transcript = RunTranscript()
    for event in try RunScene.events(lines) { transcript.record(event) }
    return LiveView(transcript, at: elapsed, width: width).lines
  }

  private static let begin = [#"0 scenario.started {"row":{}}"#, RunScene.step(1, "s1", "load", "load film", line: 3)]

  static let players: [(set: String, line: String?)] = [
    (#"{"player":"playing","position":10,"rate":1,"duration":600}"#, "   playing   film 0:13 of 10:00   1x"),
    (#"{"player":"playing","position":10,"rate":2}"#, "   playing   film 0:16   2x"),
    (#"{"player":"paused","position":10,"duration":600}"#, "   paused   film 0:10 of 10:00"),
    (#"{"player":"idle"}"#, "   idle"), (#"{"title":"a"}"#, nil),
    (#"{"player":"playing","position":-5}"#, "   playing   film -0:02"),
    (
      #"{"player":"playing","position":10,"rate":0,"break":{"id":"mid","clip":"car","clip_time":2},"#
        + #""volume":{"level":40}}"#, "   playing   ad mid/car 0:05   film 0:10   vol 40%"
    ),
  ]

  @Test(
    "The player's line moves on from the newest status while it plays, and the film stands still in a break",
    arguments: players)
  func player(set: String, line: String?) throws {
    let lines = try Self.live(Self.begin + [#"2 status {"source":"push","scope":"media","set":\#(set)}"#], at: 5)
    #expect(lines.first == " ▶ s1  load film" + String(repeating: " ", count: 41) + " 4.0s of 10s", "\(lines)")
    #expect(lines.dropFirst().first { !$0.hasPrefix("   ├") && $0.hasPrefix("   ") } == line)
    #expect(lines.last == " 0 passed · 0 failed · 0:05")
  }

  static let bars: [(position: Double, breaks: String, bar: String)] = [
    (0, "[]", "├──────────"), (300, "[]", "├━━━━━─────"), (600, "[]", "├━━━━━━━━━━"), (9999, "[]", "├━━━━━━━━━━"),
    (-9, "[]", "├──────────"), (300, #"[{"at":0},{"at":480}]"#, "├┤━━━━───┤─"),
    (0, #"[{"at":600},{"at":-1},{},{"at":"x"},7]"#, "├┤────────┤"), (0, #"[{"at":1e300}]"#, "├─────────┤"),
  ]

  @Test("The film is a line, filled as far as it has played, with a mark where ads are", arguments: bars)
  func bar(position: Double, breaks: String, bar: String) throws {
    let set = #"{"player":"paused","position":\#(position),"duration":600,"breaks":\#(breaks)}"#
    let lines = try Self.live(
      Self.begin + [#"2 status {"source":"push","scope":"media","set":\#(set)}"#], at: 5, width: 20)
    #expect(lines.first { $0.hasPrefix("   ├") } == "   \(bar) 10:00", "\(lines)")
  }

  @Test("Of many devices eight have a line, and the rest are counted", arguments: [2, 8, 9, 30])
  func devices(count: Int) throws {
    let lines = (1...count).flatMap { number in
      [
        #"0 scenario.started @d\#(number) {"row":{},"choice":"d\#(number)"}"#,
        RunScene.step(1, "s1", "load", "load", line: 3).replacing("s1 ", with: "s1 @d\(number) "),
      ]
    }
    let shown = try Self.live(lines, at: 2)
    #expect(shown.count == min(count, 8) + (count > 8 ? 1 : 0) + 1)
    #expect(shown[0].hasPrefix(" ▶ d1 s1  load"))
    if count > 8 { #expect(shown[8] == " … and \(count - 8) more") }
    #expect(shown.last == " 0 passed · 0 failed · 0:02")
  }
}
