import CastProtocol
import ScenarioLanguage
import Signage
import Testing

@Suite struct ServedViewTests {
  private static let start = 1_763_900_000.0

  private static func play(_ item: String, _ rule: String, _ from: Double, _ to: Double) -> LedgerRecord {
    LedgerRecord(
      screen: "tv",
      .play(
        .init(
          item: item, content: "https://e.com/\(item)", rule: rule, start: start + from, end: start + to,
          planned: to - from, shown: to - from, endReason: .duration)))
  }

  private static func gap(_ reason: LedgerRecord.GapReason, _ from: Double, _ to: Double) -> LedgerRecord {
    LedgerRecord(screen: "tv", .gap(.init(start: start + from, end: start + to, reason: reason)))
  }

  private static let records = [
    gap(.deviceOff, 0, 60), play("a", "program[0] open", 60, 120), gap(.loading, 120, 121),
    play("b", "program[0] open", 121, 180), play("news", "interrupts[0]", 180, 240),
    play("a", "program[0] open", 240, 300),
    LedgerRecord(screen: "tv", .skip(.init(at: start + 300, item: "c", reason: "load_failed"))),
    play("d", "program[1]", 300, 360), gap(.quiet, 360, 480),
  ]

  @Test("A stretch is what one line decided, with its interrupts; what nothing was on for is told by its reason")
  func text() throws {
    let text = try ServedView(Self.records, in: .utc).text
    let lines = text.split(separator: "\n").map(String.init)
    #expect(
      Array(lines.prefix(5)) == [
        "Sun 23 November 2025", "  12:13:20-12:14:20  tv  device_off",
        "  12:14:20-12:18:20  tv  program[0] open: a 2x, b, news", "  12:18:20-12:19:20  tv  program[1]: d",
        "  12:19:20-12:21:20  tv  quiet",
      ], "\(text)")
    #expect(lines.contains("1 passed over"))
    #expect(lines.contains { $0.hasPrefix("a ") && $0.contains("2m") })
  }

  @Test("What a person asked for belongs to the line that it comes into, as what an interrupt shows does")
  func askedFor() throws {
    let records = [
      Self.play("a", "program[0] open", 0, 60), Self.play("b", "asked for", 60, 90),
      Self.play("a", "program[0] open", 90, 120),
    ]
    let stretches = try ServedView(records, in: .utc).json["stretches"]?.array ?? []
    #expect(stretches.map { $0["rule"]?.string } == ["program[0] open"])
    var log = ShownLog()
    for record in records { log.add(record) }
    #expect(log.stretches["tv"]?.map(\.name) == ["program[0] open"])
  }

  @Test("The JSON has the same stretches and the sums")
  func json() throws {
    let json = try ServedView(Self.records, in: .utc).json
    #expect(json["stretches"]?.array?.count == 4 && json["skips"]?.int == 1)
    #expect(json["stretches"]?.array?[1]["items"]?.array?.map { $0["count"]?.int } == [2, 1, 1])
    #expect(json["sum"] != nil)
  }

  @Test("Nothing that was shown is nothing to tell")
  func nothing() throws { #expect(try ServedView([], in: .utc).text.contains("nothing was recorded")) }
}
