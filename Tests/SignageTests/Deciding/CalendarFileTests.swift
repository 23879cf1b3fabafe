import Foundation
import ScenarioLanguage
import Signage
import Testing

@Suite struct CalendarFileTests {
  private static let holidays = """
    BEGIN:VCALENDAR
    BEGIN:VEVENT
    DTSTART;VALUE=DATE:20251225
    DTEND;VALUE=DATE:20251227
    RRULE:FREQ=YEARLY
    EXDATE;VALUE=DATE:20271225
    END:VEVENT
    BEGIN:VEVENT
    DTSTART;TZID=America/New_York:20261230T190000
    DURATION:PT1H
    END:VEVENT
    END:VCALENDAR
    """

  private static func program() throws -> Program {
    let source = SourceFile(
      name: "shop.yaml",
      bytes: Array(
        """
        playlist: Shop
        timezone: Europe/Paris
        device: TV
        calendars: { holidays: { file: holidays.ics } }
        dayparts:
          party: { hours: 20:00-02:00, calendar: holidays }
          closed: { calendar: holidays }
          evening: { hours: 17:00-01:00, not: { calendar: holidays } }
        program:
          - { during: party, play: [https://e.com/a.jpg] }
          - { during: closed, play: [https://e.com/b.jpg] }
          - { during: evening, play: [https://e.com/c.jpg] }
        fallback: https://e.com/d.jpg
        """.utf8))
    var inputs = PlanCompiler.Inputs()
    inputs.zoneData = { FileManager.default.contents(atPath: "/usr/share/zoneinfo/\($0)").map { Array($0) } }
    inputs.includedFile = { path, _ in .success(SourceFile(name: path, bytes: Array(Self.holidays.utf8))) }
    let outcome = PlanCompiler.compile(source, inputs: inputs)
    guard case .playlist(let plan)? = outcome.document else {
      Issue.record("\(outcome.diagnostics)")
      throw Playlists.NoPlaylist()
    }
    return Program(plan, in: try Playlists.rules("Europe/Paris"))
  }

  static let moments: [(time: String, words: String)] = [
    // The evening of the 24th goes on behind midnight: it belongs to the day on which it begins.
    ("2026-12-24 23:59", "rule 2"), ("2026-12-25 00:00", "rule 1"), ("2026-12-25 19:59", "rule 1"),
    ("2026-12-25 20:00", "rule 0"), ("2026-12-26 01:59", "rule 0"), ("2026-12-26 02:00", "rule 1"),
    ("2026-12-26 23:59", "rule 0"), ("2026-12-27 00:30", "rule 0"), ("2026-12-27 02:00", "fallback"),
    ("2026-12-27 17:00", "rule 2"), ("2026-12-28 00:59", "rule 2"), ("2026-12-28 01:00", "fallback"),
    // Seven in the evening in New York is one in the morning of the next day.
    ("2026-12-30 12:00", "fallback"), ("2026-12-31 12:00", "rule 1"), ("2027-01-01 01:00", "rule 0"),
    ("2027-12-25 12:00", "fallback"), ("2028-12-25 12:00", "rule 1"),
  ]

  @Test("A program obeys the events of a calendar file, also across midnight", arguments: moments)
  func decision(time: String, words: String) throws {
    let program = try Self.program()
    #expect(Playlists.words(program.decision(at: try Playlists.moment(time, program))) == words)
  }

  @Test("The next change is where the calendar says it")
  func changes() throws {
    let program = try Self.program()
    var time = try Playlists.moment("2026-12-24 18:00", program)
    var found: [String] = []
    for _ in 0..<6 {
      let change = try #require(program.nextChange(after: time))
      time = change.at
      let wall = program.zone.wallTime(at: time)
      found.append("\(CivilDate(at: wall).iso) \(CivilDate.clock(at: wall)) \(Playlists.words(change.decision))")
    }
    #expect(
      found == [
        "2026-12-25 00:00 rule 1", "2026-12-25 20:00 rule 0", "2026-12-26 02:00 rule 1", "2026-12-26 20:00 rule 0",
        "2026-12-27 02:00 fallback", "2026-12-27 17:00 rule 2",
      ])
  }
}
