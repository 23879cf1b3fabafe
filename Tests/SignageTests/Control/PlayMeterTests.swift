import ScenarioLanguage
import Signage
import Testing

/// What monitors are told of plays.
@Suite struct PlayMeterTests {
  private static func play(
    _ item: String = "a", from start: Double, to end: Double, shown: Double, playingAt: Double? = nil,
    adopted: Bool = false
  ) -> LedgerRecord {
    var play = LedgerRecord.Play(
      item: item, content: "https://e.com/\(item).jpg", rule: "program[0]", start: start, end: end, shown: shown,
      endReason: .duration)
    (play.evidence.playingAt, play.evidence.adopted) = (playingAt, adopted)
    return LedgerRecord(screen: "tv", .play(play))
  }

  private static func gap(_ reason: LedgerRecord.GapReason, from start: Double, to end: Double) -> LedgerRecord {
    LedgerRecord(screen: "tv", .gap(.init(start: start, end: end, reason: reason)))
  }

  @Test("What was shown and what was dark add up to the clock")
  func sum() {
    var meter = PlayMeter()
    meter.take(Self.gap(.notFound, from: 0, to: 7))
    meter.take(Self.play(from: 7, to: 17, shown: 8.5))
    meter.take(Self.gap(.quiet, from: 17, to: 100))
    meter.take(LedgerRecord(screen: "tv", .skip(.init(at: 50, item: "b", reason: "load_failed"))))
    #expect(meter.shown == ["tv": 8.5] && meter.plays.values.reduce(0, +) == 1)
    #expect(
      meter.dark.map { "\($0.key.reason) \($0.value)" }.sorted() == ["not_found 7.0", "quiet 83.0", "unproven 1.5"])
    #expect((meter.shown["tv"] ?? 0) + meter.dark.values.reduce(0, +) == 100)
  }

  @Test("An item is late by what passes until the receiver says that it plays; what was on already is not late")
  func lateness() throws {
    var meter = PlayMeter()
    meter.take(Self.play(from: 0, to: 10, shown: 9, playingAt: 0.05))
    meter.take(Self.play(from: 10, to: 20, shown: 9, playingAt: 12))
    meter.take(Self.play(from: 20, to: 120, shown: 9, playingAt: 110))
    meter.take(Self.play(from: 120, to: 130, shown: 9, playingAt: 125, adopted: true))
    let lateness = try #require(meter.lateness["tv"])
    #expect(lateness.counts == [1, 1, 1, 1, 2, 2, 2, 2, 2, 3] && abs(lateness.sum - 92.05) < 1e-9)
  }

  @Test("What goes on is told before it is over, and no counter ever falls")
  func open() {
    var meter = PlayMeter()
    var sight = ScreenSight()
    (sight.unrecordedSince, sight.gapReason) = (100, .deviceOff)
    let first = meter.reading(["tv": sight], at: 160, after: PlayMeter())
    #expect(first.dark.values.reduce(0, +) == 60)
    (sight.unrecordedSince, sight.gapReason, sight.shown) = (170, nil, 12)
    meter.take(Self.gap(.deviceOff, from: 100, to: 170))
    let second = meter.reading(["tv": sight], at: 190, after: first)
    #expect(second.dark.values.reduce(0, +) == 70 && second.shown == ["tv": 12])
    // Of what was counted at the last look, not all was proven in the end.
    meter.take(Self.play(from: 170, to: 191, shown: 11))
    sight.unrecordedSince = nil
    #expect(meter.reading(["tv": sight], at: 192, after: second).shown == ["tv": 12])
  }

  @Test("Ever new items are counted together in the end, and addresses are no names")
  func bounded() {
    var meter = PlayMeter()
    for number in 0..<10_050 { meter.take(Self.play("item \(number)", from: 0, to: 1, shown: 1)) }
    #expect(meter.plays.count == 10_001)
    #expect(meter.plays.first { $0.key.item == "other" }?.value == 50)
    var plain = PlayMeter()
    let play = LedgerRecord.Play(
      item: "https://e.com/a", content: "https://e.com/a", rule: "", start: 0, end: 1, shown: 1, endReason: .skipped)
    plain.take(.init(screen: "tv", .play(play)))
    #expect(plain.plays.keys.map(\.item) == [""])
  }
}
