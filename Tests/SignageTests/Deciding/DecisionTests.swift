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
    func reason(_ text: String) throws -> Decision.Reason {
      program.decision(at: try Playlists.moment(text, program)).decidedBy
    }
    #expect(
      try reason("2026-11-27 18:00")
        == .init(part: "program[0]", daypart: "evening", time: "fri, sat 17:00-01:00", line: 8, daypartLine: 6))
    #expect(
      try reason("2026-12-24 18:00") == .init(part: "program[1]", daypart: nil, time: "2026-12-24..2026-12-26", line: 9)
    )
    #expect(try reason("2026-11-27 04:00") == .init(part: "quiet", daypart: nil, time: "03:00-06:00", line: 11))
    #expect(
      try reason("2026-11-26 12:00")
        == .init(part: "program", daypart: nil, time: "no rule is on, and there is no fallback", line: 1))
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
