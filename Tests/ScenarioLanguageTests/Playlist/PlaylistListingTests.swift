import CastProtocol
import Testing

@testable import ScenarioLanguage

/// What `plan` prints of a playlist, and how gaps in its week are told (docs/language/playlist.md "Program").
@Suite struct PlaylistListingTests {
  static let gaps = """
    playlist: Gaps
    devices: [TV, { name_like: "B*" }]
    timezone: Europe/Paris
    media: { a: { url: "https://e.com/a.jpg" }, film: { url: "https://e.com/f.mp4" } }
    dayparts:
      day: { days: mon-fri, hours: [08:00-12:00, 13:00-20:00:30] }
      late: { days: fri, hours: 22:00-02:00 }
    program:
      - { during: day, play: [a] }
      - { during: late, play: [{ media: film, times: 2 }], order: shuffle }
      - { during: { days: sun, not: { hours: 10:00-11:00 } }, play: [a] }
      - { during: { dates: 12-24 }, play: [a] }
    quiet: { hours: 03:00-06:00, screen: keep }
    takeover: { policy: reclaim }
    interrupts:
      - { at: "12:00", play: [a] }
      - { every: 6h, during: late, play: [film], then: restart }
    """

  @Test("A listing tells defaults by their meaning, and every condition in words")
  func listing() throws {
    #expect(
      PlaylistListing(try PlaylistPlanTests.plan(Self.gaps)).text == """
        lobby · Gaps
          devices TV · name like B*
          Europe/Paris, app CC1AD845, volume as it is
        quiet
          03:00-06:00: screen keep, muted
        interrupts
          at 12:00: a 10s, cuts after_item, then resume
          every 6h during late (fri 22:00-02:00): film, cuts after_item, then restart
        program
          day (mon, tue, wed, thu, fri 08:00-12:00, 13:00-20:00:30): a 10s
          late (fri 22:00-02:00): film ×2, shuffle
          sun not (10:00-11:00): a 10s
          12-24: a 10s
        fallback
          nothing
          another sender: reclaim

        """)
  }

  @Test("Hours without anything on screen are added up, and told day by day")
  func checksGaps() throws {
    let problem = try #require(
      PlanCompiler.compile(SourceFile(Self.gaps), inputs: Golden.inputs).diagnostics.first { $0.code == .p605 })
    // Mon to Thu 12:59:30 each, Fri 10:59:30, Sat 22 h, Sun 1 h; `screen: keep` darkens nothing, a dated rule fills nothing.
    #expect(problem.message == "nothing is on screen for 85 h 57 min of the week, and there is no `fallback`")
    #expect(
      problem.primary.text
        == "gaps: Mon to Thu 00:00-08:00 12:00-13:00 20:00:30-24:00, Fri 00:00-08:00 12:00-13:00 20:00:30-22:00, Sat 02:00-24:00, Sun 10:00-11:00"
    )
    #expect(problem.footers.last == .note("`showcaller week lobby.yaml` prints the whole week"))
  }

  static let cures: [(media: String, offered: String)] = [
    ("a: { url: https://e.com/a.mp4 }, b: { url: https://e.com/b.jpg }", "a"),
    ("a: { url: https://e.com/a.mp4 }, logo: { url: https://e.com/b.jpg }", "logo"),
    // A live one never ends.
    ("a: { url: https://e.com/a.m3u8, stream: live }, b: { url: https://e.com/b.jpg }", "b"),
    ("a: { url: https://e.com/a.m3u8, stream: live }", "https://cdn.example.com/logo.png"),
    ("", "https://cdn.example.com/logo.png"),
  ]

  @Test(
    "What is offered for hours without anything on screen is in the playlist, and works when it is pasted",
    arguments: cures)
  func gapHint(media: String, offered: String) throws {
    func problems(_ line: String) -> [Diagnostic] {
      let yaml = """
        playlist: P
        timezone: UTC
        device: TV
        media: { \(media) }
        \(line)
        program:
          - { during: { hours: 08:00-20:00 }, play: [https://e.com/c.jpg] }

        """
      return PlanCompiler.compile(
        SourceFile(name: "p.yaml", bytes: Array(yaml.utf8)), inputs: Golden.inputs
      ).diagnostics
    }
    let problem = try #require(problems("volume: 10%").first { $0.code == .p605 })
    #expect(
      problem.footers.first
        == .help("end with `- { during: any_time, play: [\(offered)] }`, or set `fallback: \(offered)`, or `quiet:`"))
    let cured = problems("fallback: \(offered)")
    #expect(!cured.contains { $0.code == .p605 || $0.severity == .error }, "\(cured.map(\.message))")
  }

  static let amounts: [(during: String, amount: String)] = [
    ("hours: 00:00-23:59", "7 min"), ("hours: 00:00-23:00", "7 h"), ("hours: 00:30-24:00", "3 h 30 min"),
    ("hours: 00:00-23:59:30", "3 min"), ("days: mon-sat", "24 h"),
    ("hours: [00:00-12:00, 12:30-24:00], days: weekdays", "50 h 30 min"),
  ]

  @Test("The time of all gaps is told in hours and minutes", arguments: amounts)
  func amount(during: String, amount: String) throws {
    let source = SourceFile(
      "playlist: P\ntimezone: UTC\ndevices: [TV]\nprogram: [{ during: { \(during) }, play: [https://e.com/a.jpg] }]\n")
    let problem = try #require(PlanCompiler.compile(source, inputs: Golden.inputs).diagnostics.first)
    #expect(problem.message == "nothing is on screen for \(amount) of the week, and there is no `fallback`")
  }

  static let covered: [String] = [
    "{ during: { hours: 00:00-12:00 }, play: [a] }, { during: { hours: 12:00-24:00 }, play: [a] }",
    "{ during: { hours: 22:00-06:00 }, play: [a] }, { during: { hours: 06:00-22:00 }, play: [a] }",
    "{ during: { days: weekdays }, play: [a] }, { during: { days: weekends }, play: [a] }",
    "{ during: { not: { dates: 12-24 } }, play: [a] }",
  ]

  @Test("A week that rules fill together has no gap", arguments: covered)
  func checksCovered(program: String) {
    let source = SourceFile(
      "playlist: P\ntimezone: UTC\ndevices: [TV]\nmedia: { a: { url: https://e.com/a.jpg } }\nprogram: [\(program)]\n")
    #expect(PlanCompiler.compile(source, inputs: Golden.inputs).diagnostics.map(\.message) == [])
  }

  static let conditions: [(yaml: String, text: String, json: String)] = [
    ("{}", "any time", "{}"), ("{ hours: all-day }", "any time", "{}"),
    ("{ hours: [all-day, 07:00-08:00] }", "any time", "{}"),
    ("{ days: daily, hours: 00:00-24:00 }", "any time", "{}"), ("{ days: sat }", "sat", #"{"days":["sat"]}"#),
    (
      "{ days: \"sun,mon\", hours: [17:00-01:00, 07:00-07:30:15] }", "mon, sun 17:00-01:00, 07:00-07:30:15",
      #"{"days":["mon","sun"],"hours":["17:00-01:00","07:00-07:30:15"]}"#
    ),
    (
      "{ dates: [2026-12-24..2026-12-26, 01-01] }", "2026-12-24..2026-12-26, 01-01",
      #"{"dates":["2026-12-24..2026-12-26","01-01"]}"#
    ),
    (
      "{ dates: [01-01, 01-02, 01-03, 01-04, 01-05, 01-06, 01-07] }", "01-01, 01-02, 01-03, 01-04, 01-05, 01-06, …",
      #"{"dates":["01-01","01-02","01-03","01-04","01-05","01-06","01-07"]}"#
    ),
    (
      "{ calendar: holidays, hours: 10:00-12:00 }", "10:00-12:00 calendar holidays",
      #"{"hours":["10:00-12:00"],"calendar":{"name":"holidays","dates":["2026-12-25","01-01","05-01..05-03"]}}"#
    ),
    (
      "{ days: fri, not: { calendar: holidays, hours: 20:00-24:00 } }", "fri not (20:00-24:00 calendar holidays)",
      #"{"days":["fri"],"not":{"hours":["20:00-24:00"],"calendar":{"name":"holidays","dates":["2026-12-25","01-01","05-01..05-03"]}}}"#
    ),
    ("{ not: other }", "not (sat not (sun))", #"{"not":{"days":["sat"],"not":{"days":["sun"]}}}"#),
  ]

  @Test("A time condition is told in words and as JSON", arguments: conditions)
  func condition(yaml: String, text: String, json: String) throws {
    let table = try TimeConditionTests.dayparts(
      "  it: \(yaml)\n  other: { days: sat, not: third }\n  third: { days: sun }")
    let condition = try #require(table["it"])
    #expect(condition.text == text)
    #expect(condition.json.serialized() == json)
  }
}
