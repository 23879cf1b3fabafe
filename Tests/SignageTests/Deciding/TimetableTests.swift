import CastProtocol
import ScenarioLanguage
@testable import Signage
import Testing

@Suite struct TimetableTests {
  /// Two weeks around both changes of clocks.
  private static let ranges = [1_774_400_000..<1_775_600_000, 1_792_500_000..<1_793_700_000]

  private static let lines = """
    calendars: { holidays: [2026-12-25, 01-01, 10-26] }
    dayparts:
      breakfast: { days: mon-fri, hours: 07:00-11:00 }
      night: { days: fri-sun, hours: 22:00-03:30, not: { calendar: holidays } }
    program:
      - { during: { dates: 03-28..03-30 }, play: [a] }
      - { during: breakfast, play: [b], repeat: false }
      - { during: night, play: [c], switch: immediately }
      - { during: { hours: 01:45-02:15 }, play: [{ media: d, valid: 2026-03-01..2026-03-29 }] }
    interrupts:
      - { every: 30m, play: [e] }
      - { at: ["02:30", "18:00"], during: night, play: [f], cut: immediately }
    quiet: { hours: 04:00-06:00, screen: QUIET }
    """

  @Test(
    "The tables of days say what the program says, in any order of questions", arguments: Playlists.zones,
    ["stop", "keep"])
  func same(zone: String, quiet: String) throws {
    let program = try Playlists.program(Self.lines.replacing("QUIET", with: quiet), zone: zone)
    let timetable = program.timetable
    var random = SeededGenerator(seed: 11)
    for range in Self.ranges {
      for _ in 0..<1_500 {
        let time = range.lowerBound + random.next(below: range.count)
        let finished: Set<Int> = random.next(below: 4) == 0 ? [1] : []
        #expect(timetable.decision(at: time, finished: finished) == program.decision(at: time, finished: finished))
        let soon = time..<time + random.next(below: 90_000)
        #expect(timetable.stretches(in: soon, finished: finished) == program.stretches(in: soon, finished: finished))
        #expect(timetable.cuts(in: soon) == program.cuts(in: soon))
        let rule = random.next(below: 4)
        #expect(timetable.opening(ofRule: rule, at: time) == program.opening(ofRule: rule, at: time))
      }
    }
  }

  @Test("Moments at the ends of the calendar and ranges of years are answered, too")
  func far() throws {
    let program = try Playlists.program(Self.lines.replacing("QUIET", with: "stop"))
    for time in [Int.min, Program.times.lowerBound, -1, 0, Program.times.upperBound - 1, Int.max] {
      #expect(program.timetable.decision(at: time, finished: []) == program.decision(at: time))
      #expect(program.timetable.opening(ofRule: 0, at: time) == program.opening(ofRule: 0, at: time))
    }
    let years = 1_774_400_000..<1_800_000_000
    #expect(program.timetable.stretches(in: years, finished: []) == program.stretches(in: years))
    #expect(program.timetable.cuts(in: years) == program.cuts(in: years))
  }
}
