import CastProtocol
import ScenarioLanguage
import Signage
import Simulation
import Testing

/// The week planned against shown.
@Suite struct ShownWeekTests {
  private static let lines = """
    dayparts: { open: { hours: 08:00-18:00 } }
    quiet: { hours: 22:00-06:00 }
    program: [{ during: open, play: [a] }]
    fallback: [b]
    """

  private static func play(_ rule: String, _ start: Int, _ end: Int, shown: Double) -> LedgerRecord {
    LedgerRecord(
      screen: "tv",
      .play(
        .init(
          item: "a", content: "a", rule: rule, start: Double(start), end: Double(end), shown: shown,
          endReason: .duration)))
  }

  private static func gap(_ reason: LedgerRecord.GapReason, _ start: Int, _ end: Int) -> LedgerRecord {
    LedgerRecord(screen: "tv", .gap(.init(start: Double(start), end: Double(end), reason: reason)))
  }

  /// The slots of a day by their names, and what `tv` did in each.
  private static func slots(_ week: ShownWeek, _ date: String) throws -> [(name: String, JSONValue, JSONValue)] {
    let day = try #require(week.json["days"]?.array?.first { $0["date"]?.string == date })
    return (day["slots"]?.array ?? []).map {
      ($0["name"]?.string ?? "", $0, $0["screens"]?.array?.first ?? .null)
    }
  }

  @Test("Each part of a day's plan has what was shown of it, what else was on, and why nothing was")
  func day() throws {
    let program = try Serving.program(Self.lines)
    let midnight = try Playlists.moment("2026-11-23 00:00", program)
    func at(_ hour: Int) -> Int { midnight + hour * 3_600 }
    var log = ShownLog()
    log.add(Self.gap(.quiet, at(0), at(6)))
    log.add(Self.play("fallback", at(6), at(8), shown: 7_200))
    log.add(Self.play("program[0] open", at(8), at(10), shown: 7_000))
    log.add(Self.play("interrupts[0]", at(10), at(11), shown: 3_600))
    log.add(Self.gap(.deviceOff, at(11), at(12)))
    log.add(Self.play("fallback", at(12), at(13), shown: 3_600))
    let week = ShownWeek(
      program, of: CivilDate(year: 2026, month: 11, day: 25), log, screens: ["tv"], at: Double(at(14)))
    #expect(week.days.first?.date == CivilDate(year: 2026, month: 11, day: 23), "it begins on its Monday")
    let slots = try Self.slots(week, "2026-11-23")
    #expect(slots.map(\.name) == ["quiet", "fallback", "open", "fallback", "quiet"])
    let open = slots[2]
    #expect(open.1["elapsed"]?.number == 21_600 && open.1["seconds"]?.int == 36_000)
    #expect(open.2["shown"]?.number == 10_600 && open.2["other"]?.number == 3_600 && open.2["unproven"]?.number == 200)
    #expect(open.2["gaps"]?["device_off"]?.number == 3_600 && open.2["unrecorded"]?.number == 3_600)
    #expect(slots[0].2["gaps"]?["quiet"]?.number == 21_600 && slots[1].2["shown"]?.number == 7_200)
    // What is to come is only planned.
    #expect(slots[3].1["elapsed"]?.number == 0 && slots[3].1["screens"]?.array?.isEmpty == true)
    #expect(try Self.slots(week, "2026-11-24").allSatisfy { $0.1["screens"]?.array?.isEmpty == true })
  }

  @Test("What was shown over the end of a part is shared out, and all parts add up to the clock")
  func shared() throws {
    let program = try Serving.program(Self.lines)
    let midnight = try Playlists.moment("2026-11-23 00:00", program)
    var log = ShownLog()
    log.add(Self.play("fallback", midnight + 7 * 3_600, midnight + 9 * 3_600, shown: 7_200))
    let week = ShownWeek(
      program, of: CivilDate(year: 2026, month: 11, day: 23), log, screens: ["tv"], at: Double(midnight + 86_400))
    for slot in week.days[0].slots {
      let shown = try #require(slot.screens.first)
      let all = shown.planned + shown.other + shown.unproven + shown.unrecorded + shown.gaps.values.reduce(0, +)
      #expect(all == Double(slot.stretch.range.count))
    }
    #expect(week.days[0].slots[1].screens[0].planned == 3_600 && week.days[0].slots[2].screens[0].other == 3_600)
  }

  @Test("Items of one line are one stretch, what is old is forgotten, and there is an end to what is kept")
  func log() {
    var log = ShownLog()
    for number in 0..<1_000 { log.add(Self.play("program[0]", number * 10, number * 10 + 10, shown: 10)) }
    #expect(log.stretches["tv"]?.map(\.shown) == [10_000] && log.stretches["tv"]?.first?.plays == 1_000)
    log.add(Self.play("interrupts[0]", 10_000, 10_010, shown: 10))
    #expect(log.stretches["tv"]?.map(\.shown) == [10_010], "what comes into a line belongs to it")
    log.add(Self.gap(.deviceOff, 10_010, 10_100))
    log.add(Self.play("program[0]", 10_200, 10_210, shown: 10))
    #expect(log.stretches["tv"]?.map(\.isGap) == [false, true, false])
    log.forget(before: 10_050)
    #expect(log.stretches["tv"]?.count == 2)
    var earlier = ShownLog()
    earlier.add(Self.play("program[1]", 0, 10, shown: 10))
    log.prepend(earlier)
    #expect(log.stretches["tv"]?.map(\.name) == ["program[1]", "device_off", "program[0]"])
    for number in 0..<20_000 {
      log.add(Self.play("program[\(number % 2)]", 20_000 + number, 20_001 + number, shown: 1))
    }
    #expect((log.stretches["tv"]?.count ?? .max) <= ShownLog.mostStretches)
    #expect(log.stretches["tv"]?.last?.end == 40_000)
  }

  @Test("What no record is about yet counts, too: an item may be on for days")
  func open() throws {
    let program = try Serving.program(Self.lines)
    let noon = try Playlists.moment("2026-11-23 12:00", program)
    var cursor = ScreenCursor(program, at: noon, seed: 0)
    guard case .show(let showing) = cursor.next(at: noon) else { throw CancellationError() }
    var (on, off) = (ScreenSight(), ScreenSight())
    (on.unrecordedSince, on.showing, on.shown) = (Double(noon - 7_200), showing, 7_190)
    (off.unrecordedSince, off.gapReason) = (Double(noon - 3_600), .deviceOff)
    let log = ShownLog().including(["tv": on, "bar": off], at: Double(noon))
    let week = ShownWeek(
      program, of: CivilDate(year: 2026, month: 11, day: 23), log, screens: ["tv", "bar"], at: Double(noon))
    let screens = try #require(week.days.first?.slots[2].screens)
    #expect(screens[0].planned == 7_190 && screens[0].unproven == 10 && screens[0].unrecorded == 7_200)
    #expect(screens[1].gaps == ["device_off": 3_600] && screens[1].unrecorded == 10_800)
  }

  @Test("A served day is in its week as the ledger has it")
  func served() throws {
    let serving = try Serving("program: [{ play: [a, b] }]", for: .seconds(600))
    var log = ShownLog()
    for record in serving.outcome.records { log.add(record) }
    let program = try Serving.program("program: [{ play: [a, b] }]")
    let start = try Playlists.moment("2026-11-23 12:00", program)
    let week = ShownWeek(
      program, of: CivilDate(year: 2026, month: 11, day: 23), log, screens: ["tv"], at: Double(start + 600))
    let shown = try #require(week.days.first?.slots.first?.screens.first)
    #expect(shown.planned > 580 && shown.unrecorded == 12 * 3_600 && shown.other == 0, "\(shown)")
  }
}
