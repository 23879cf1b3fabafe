import CastProtocol
import Testing

@testable import Signage

@Suite struct LedgerSumTests {
  private static func sum(
    _ records: [LedgerRecord], by grouping: LedgerSum.Grouping = .item, per period: LedgerSum.Period? = nil
  ) throws -> LedgerSum {
    var sum = LedgerSum(by: grouping, per: period)
    for line in Ledgers.read([Array(try Ledgers.lines(records).joined().utf8)]).lines { try sum.add(line) }
    return sum
  }

  /// A day of a screen: plays of ten seconds, a gap each hour, each with odd milliseconds.
  private static let day: [LedgerRecord] = {
    var records: [LedgerRecord] = []
    var time = 0.0
    while time < 86_400 {
      let end = min(86_400, time + (records.count % 360 == 7 ? 123.457 : 10.001))
      records.append(
        records.count % 360 == 7
          ? Ledgers.gap(.deviceOff, time, end)
          : Ledgers.play("i\(records.count % 3)", time, end, shown: max(0, end - time - 0.35)))
      time = end
    }
    return records
  }()

  @Test("A day that is recorded adds up to 24 hours exactly, and nothing is unrecorded")
  func day() throws {
    let sum = try Self.sum(Self.day, per: .day)
    let clock = try #require(sum.clocks.values.first)
    #expect(sum.clocks.count == 1 && clock.total == 86_400_000 && clock.unrecorded == 0 && clock.twice == 0)
    #expect(clock.gaps == [.deviceOff: clock.total - clock.shown - clock.unproven])
    #expect(sum.rows.values.reduce(0) { $0 + $1.shown } == clock.shown && clock.unproven > 0)
    #expect(
      sum.rows.values.reduce(0) { $0 + $1.plays } == Self.day.count { if case .play = $0.kind { true } else { false } })
  }

  @Test("What no record is about is unrecorded, and what two are is taken off again")
  func unrecorded() throws {
    let sum = try Self.sum([
      Ledgers.play("a", 0, 10), Ledgers.gap(.yielded, 15, 20), Ledgers.play("b", 18, 30, shown: 11.5),
      Ledgers.play("c", 5, 8), Ledgers.play("a", 40, 50, screen: "bar"),
    ])
    let clock = try #require(sum.clocks[.init(name: "window-tv")])
    #expect(clock.unrecorded == 5_000 && clock.twice == 5_000 && clock.total == 30_000)
    #expect(clock.shown == 24_500 && clock.unproven == 500 && clock.gaps == [.yielded: 5_000])
    #expect(sum.clocks[.init(name: "bar")]?.total == 10_000)
    #expect(sum.rows[.init(name: "a")] == .init(plays: 2, shown: 20_000, planned: 20_000))
  }

  @Test("Plays and gaps over midnight belong to both days, to the millisecond; months begin with their first day")
  func midnights() throws {
    let records = [
      Ledgers.gap(.quiet, -7_200, 3_600), Ledgers.play("a", 3_600, 90_000.333, shown: 1_000.001),
      Ledgers.gap(.stopped, 200_000, 9 * 86_400),
    ]
    let days = try Self.sum(records, per: .day)
    let totals = days.clocks.sorted { $0.key < $1.key }.map(\.value.total)
    #expect(totals == [7_200_000] + [Int](repeating: 86_400_000, count: 9))
    #expect(days.clocks.values.reduce(0) { $0 + $1.shown } == 1_000_001)
    #expect(days.rows.count == 2 && days.rows.values.map(\.plays).sorted() == [0, 1])
    let months = try Self.sum(records, per: .month)
    #expect(months.json["screens"]?.array?.map { $0["period"] } == ["2026-11", "2026-12"])
    #expect(months.clocks.values.reduce(0) { $0 + $1.total } == totals.reduce(0, +))
  }

  @Test("The day on which clocks go back has 25 hours")
  func clocksGoBack() throws {
    // 2026-10-25 in Paris.
    let start = 1_792_879_200.0 - Ledgers.midnight
    let records = (0..<27).map { Ledgers.gap(.nothing, start + Double($0 - 1) * 3_600, start + Double($0) * 3_600) }
    let sum = try Self.sum(records, per: .day)
    #expect(sum.clocks.sorted { $0.key < $1.key }.map(\.value.total) == [3_600_000, 90_000_000, 3_600_000])
  }

  @Test("Plays count by item, by screen and by rule, as text and as JSON")
  func views() throws {
    let records = [
      Ledgers.play("b", 0, 60.5), Ledgers.play("a", 60.5, 70.5, shown: 9),
      LedgerRecord(screen: "window-tv", .skip(.init(at: Ledgers.midnight + 70.5, item: "c\u{1B}[2J", reason: "tls"))),
      Ledgers.gap(.quiet, 70.5, 100), Ledgers.gap(.quiet, 100, 100_000),
    ]
    #expect(
      try Self.sum(records).text == """
        item        plays   shown  planned  skips
        a               1      9s      10s      0
        b               1  1m0.5s   1m0.5s      0
        c\\u{1B}[2J      0       -        -      1

        screen          clock        shown  unproven               quiet  unrecorded
        window-tv  1d3h46m40s  1m9.5s 0.1%  1s <0.1%  1d3h45m29.5s 99.9%           -

        """)
    let json = try Self.sum(records, by: .rule, per: .day).json
    #expect(
      json["plays"] == [
        ["period": "2026-11-23", "rule": "program[0] any_time", "plays": 2, "skips": 0, "shown": 69.5, "planned": 70.5]
      ])
    #expect(json["screens"]?.array?.map { $0["gaps"] } == [["quiet": 86_329.5], ["quiet": 13_600]])
    let screens = try Self.sum(records, by: .screen)
    #expect(screens.rows[.init(name: "window-tv")]?.skips == 1 && screens.rows.count == 1)
    #expect(LedgerSum(by: .item).text == "nothing was recorded\n")
  }

  @Test("A gap of thousands of years does not fill the memory")
  func tooMany() throws {
    let record = LedgerRecord(screen: "a", .gap(.init(start: -60_000_000_000, end: 250_000_000_000, reason: .quiet)))
    #expect(throws: LedgerSum.TooManyRows.self) { try Self.sum([record], per: .day) }
    #expect(try Self.sum([record]).clocks.values.first?.total == 310_000_000_000_000)
    #expect(try Self.sum([record], per: .month).clocks.values.reduce(0) { $0 + $1.total } == 310_000_000_000_000)
  }
}
