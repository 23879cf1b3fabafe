import Testing

@testable import DeviceControl
@testable import RunReporting

/// Bars and lines of a terminal.
@Suite struct WatchBarTests {
  private static func text(_ bar: WatchBar) -> String {
    var line = ScreenLine()
    bar.add(to: &line)
    return line.text(width: 2_000, color: false)
  }

  static let table: [(width: Int, fraction: Double, marks: [Double], text: String)] = [
    (10, 0, [], "──────────"), (10, 0.5, [], "━━━━━─────"), (10, 0.59, [], "━━━━━─────"), (10, 1, [], "━━━━━━━━━━"),
    (10, 7, [], "━━━━━━━━━━"), (10, -7, [], "──────────"), (10, .nan, [], "──────────"),
    (10, .infinity, [], "──────────"), (10, 0.5, [0, 0.55, 1], "┃━━━━┃───┃"), (10, 0, [-3, 9, .nan], "┃────────┃"),
    (1, 1, [], "━"), (0, 1, [], "━"), (-5, 0, [], "─"),
  ]

  @Test("A bar is as wide as it should be, whatever it is told", arguments: table)
  func bar(width: Int, fraction: Double, marks: [Double], text: String) {
    let bar = WatchBar(width: width, fraction: fraction, marks: marks.map { ($0, false) })
    #expect(Self.text(bar) == text)
  }

  @Test("Watched breaks look another way, and no bar is endless")
  func marks() {
    #expect(Self.text(WatchBar(width: 4, fraction: 0, marks: [(0, true), (0.5, false)])) == "│─┃─")
    #expect(WatchBar(width: .max, fraction: 1).cells.count == 1_000)
  }

  @Test("A line is cut between letters, with an ellipsis in the last cell")
  func cutting() {
    let line = ScreenLine("ab", .bold).adding("漢字").adding("")
    for (width, text) in [(0, ""), (1, "…"), (2, "a…"), (3, "ab…"), (4, "ab…"), (5, "ab漢…"), (6, "ab漢字"), (9, "ab漢字")] {
      #expect(line.text(width: width, color: false) == text, "\(width)")
    }
    #expect(line.text(width: 3, color: true) == "\u{1B}[1mab\u{1B}[0m…")
    #expect(ScreenLine().isEmpty && ScreenLine().text(width: 5, color: true) == "")
  }
}
