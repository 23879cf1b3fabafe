import Foundation
import ScenarioLanguage
import Signage
import Testing

@Suite struct InterruptTests {
  private static func program(_ interrupts: String, _ more: String = "", zone: String = "Europe/Paris") throws
    -> Program
  {
    try Playlists.program("program: [{ play: [a] }]\ninterrupts: [\(interrupts)]\n\(more)", zone: zone)
  }

  @Test(
    "`at` is due at its times, `every` on the clock, both during their windows only",
    arguments: [
      ("{ at: [\"12:00\", \"18:00\"], play: [b] }", "2026-11-23 12:00", "2026-11-23 18:00"),
      ("{ at: [\"12:00\", \"18:00\"], play: [b] }", "2026-11-23 18:00", "2026-11-24 12:00"),
      ("{ every: 30m, play: [b] }", "2026-11-23 12:07", "2026-11-23 12:30"),
      ("{ every: 45m, play: [b] }", "2026-11-23 23:20", "2026-11-24 00:00"),
      ("{ every: 24h, play: [b] }", "2026-11-23 00:00", "2026-11-24 00:00"),
      ("{ every: 30m, during: { days: fri, hours: 17:00-01:00 }, play: [b] }", "2026-11-28 00:30", "2026-12-04 17:00"),
      ("{ at: \"02:00\", during: { dates: 02-29 }, play: [b] }", "2026-11-28 00:30", "2028-02-29 02:00"),
      // Clocks jump over 02:30: it cuts in at 03:00, once.
      ("{ at: \"02:30\", play: [b] }", "2027-03-28 00:00", "2027-03-28 03:00"),
      ("{ at: [\"02:15\", \"02:30\"], play: [b] }", "2027-03-28 03:00", "2027-03-29 02:15"),
      ("{ at: \"02:30\", during: { hours: 02:00-03:00 }, play: [b] }", "2027-03-28 00:00", "2027-03-28 03:00"),
      ("{ every: 30m, play: [b] }", "2027-03-28 01:30", "2027-03-28 03:00"),
    ])
  func due(interrupt: String, after: String, at: String) throws {
    let program = try Self.program(interrupt)
    let cut = program.nextCut(of: 0, after: try Playlists.moment(after, program))
    #expect(cut?.at == (try Playlists.moment(at, program)))
  }

  @Test("In the hour that comes twice a time cuts in the first time, every half hour both times")
  func twice() throws {
    let program = try Self.program("{ at: \"02:30\", play: [b] }, { every: 30m, play: [c] }, { every: 2h, play: [d] }")
    let two = try Playlists.moment("2026-10-25 02:00", program)
    let cuts = program.cuts(in: two..<two + 7_201).map { [$0.interrupt, $0.at - two] }
    #expect(cuts == [[1, 0], [2, 0], [0, 1_800], [1, 1_800], [1, 3_600], [1, 5_400], [1, 7_200]])
  }

  @Test("In quiet hours nothing cuts in, unless the screen keeps on")
  func quiet() throws {
    let interrupt = "{ every: 30m, play: [b] }"
    let stopping = try Self.program(interrupt, "quiet: { hours: 01:00-07:00 }")
    let keeping = try Self.program(interrupt, "quiet: { hours: 01:00-07:00, screen: keep }")
    let night = try Playlists.moment("2026-11-23 00:40", stopping)
    #expect(stopping.nextCut(after: night)?.at == (try Playlists.moment("2026-11-23 07:00", stopping)))
    #expect(keeping.nextCut(after: night)?.at == (try Playlists.moment("2026-11-23 01:00", stopping)))
    // The skipped time is due at the jump, when quiet hours have begun.
    let jump = try Self.program("{ at: \"02:30\", play: [b] }", "quiet: { hours: 03:00-07:00 }")
    let saturday = try Playlists.moment("2027-03-27 12:00", jump)
    #expect(jump.nextCut(after: saturday)?.at == (try Playlists.moment("2027-03-29 02:30", jump)))
    #expect(try Self.program(interrupt, "quiet: { hours: all-day }").nextCut(after: night) == nil)
    #expect(try Self.program("").nextCut(after: night) == nil)
  }

  @Test("Of several in one minute the one that cuts immediately goes first, then the first of the list")
  func order() throws {
    let program = try Self.program(
      "{ at: \"12:00\", play: [a] }, { every: 1h, play: [b], cut: immediately }, { at: \"12:00\", play: [c] }")
    let noon = try Playlists.moment("2026-11-23 12:00", program)
    #expect(program.cuts(in: noon..<noon + 1).map(\.interrupt) == [1, 0, 2])
    let next = program.nextCut(after: noon - 1)
    #expect(next?.interrupt == 1 && next?.at == noon)
  }

  @Test("A walk through every minute of a year finds the same times", arguments: Playlists.zones)
  func walk(zone: String) throws {
    let program = try Self.program(
      "{ at: [\"01:45\", \"02:10\", \"12:00\"], play: [b] }, { every: 20m, during: { hours: 01:30-02:30 }, play: [c] }",
      zone: zone)
    let clock = try #require(TimeZone(identifier: zone))
    let range = 1_780_272_000..<1_811_808_000
    var expected: [[Int]] = []
    var seen: Set<Int> = []
    var offset = PlainDays.offset(clock, at: range.lowerBound - 60)
    for time in stride(from: range.lowerBound, to: range.upperBound, by: 60) {
      let before = offset
      if time % 1_800 == 0 { offset = PlainDays.offset(clock, at: time) }
      // Readings that clocks jump over are seen at the jump.
      var isDue = false
      for wall in stride(from: time + min(before, offset), through: time + offset, by: 60)
      where [105, 130, 720].contains(wall % 86_400 / 60) && seen.insert(wall).inserted { isDue = true }
      if isDue { expected.append([0, time]) }
      let minute = (time + offset) % 86_400 / 60
      if minute >= 90, minute < 150, minute % 20 == 0 { expected.append([1, time]) }
    }
    #expect(program.cuts(in: range).map { [$0.interrupt, $0.at] } == expected)
  }
}
