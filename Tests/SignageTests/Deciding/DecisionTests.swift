import ScenarioLanguage
import Signage
import Testing

@Suite struct DecisionTests {
  private static let lines = """
    dayparts:
      evening: { days: fri-sat, hours: 17:00-01:00 }
    program:
      - { during: evening, play: [a, b] }
      - during: { dates: 2026-12-24..2026-12-26 }
        play: [c]
    quiet: { hours: 03:00-06:00, screen: blank, mute: true }
    """

  @Test("A decision says which part of the document it is by, with its lines and its time in words")
  func reasons() throws {
    let program = try Playlists.program(Self.lines)
    func reason(_ text: String) throws -> String {
      let reason = program.decision(at: try Playlists.moment(text, program)).decidedBy
      let daypart = reason.daypart.map { "\($0) of line \(reason.daypartLine ?? 0)" } ?? "-"
      return "\(reason.part), line \(reason.line), \(daypart), \(reason.time)"
    }
    #expect(try reason("2026-11-27 18:00") == "program[0], line 8, evening of line 6, fri, sat 17:00-01:00")
    #expect(try reason("2026-12-24 18:00") == "program[1], line 9, -, 2026-12-24..2026-12-26")
    #expect(try reason("2026-11-27 04:00") == "quiet, line 11, -, 03:00-06:00")
    #expect(try reason("2026-11-26 12:00") == "program, line 1, -, no rule is on, and there is no fallback")
    let withFallback = try Playlists.program(Self.lines + "\nfallback: f")
    let other = withFallback.decision(at: try Playlists.moment("2026-11-26 12:00", program))
    #expect(other.content == .fallback && other.decidedBy.line == 12 && other.decidedBy.time == "no rule is on")
  }

  @Test("Quiet hours win over everything and mute; with `keep` the program goes on")
  func quiet() throws {
    let program = try Playlists.program(Self.lines)
    let blank = program.decision(at: try Playlists.moment("2026-12-24 04:00", program))
    #expect(blank.content == .quiet(.blank) && blank.isQuiet && blank.mutes)
    let keeping = try Playlists.program(Self.lines.replacing("blank", with: "keep"))
    let kept = keeping.decision(at: try Playlists.moment("2026-12-24 04:00", program))
    #expect(kept.content == .rule(1) && kept.isQuiet && kept.mutes && kept.decidedBy.part == "program[1]")
  }

  @Test(
    "A rule with nothing to show today leaves its place to the next",
    arguments: [("2026-12-31 23:59", 0), ("2027-01-01 00:30", 1), ("2026-11-30 12:00", 1)])
  func validity(text: String, rule: Int) throws {
    let program = try Playlists.program(
      """
      program:
        - { during: { hours: 12:00-02:00 }, play: [{ media: a, valid: 2026-12-01..2026-12-31 }] }
        - { play: [b] }
      """)
    #expect(program.decision(at: try Playlists.moment(text, program)).content == .rule(rule))
  }
}
