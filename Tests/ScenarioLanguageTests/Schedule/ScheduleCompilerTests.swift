import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct ScheduleCompilerTests {
  static func source(_ entries: String) -> SourceFile {
    SourceFile("scenario: S\ndevice: TV\nschedule: [\(entries)]\nsteps: [{ expect: { player: idle } }]\n")
  }

  @Test("A schedule is compiled with everything it says, the rest by its defaults")
  func typed() throws {
    let outcome = PlanCompiler.compile(
      Self.source(
        """
        { cron: "0 6 * * mon", timezone: Europe/Paris, jitter: 30s, overlap: queue, missed: run_once, within: 20m,
          dst: { missing: skip, repeated: twice } },
        { at: ["18:00", "07:00", "07:00"], days: sat, timezone: UTC, missed: run_once }, { every: 30m }
        """))
    guard case .scenario(let plan) = outcome.document else {
      Issue.record("\(outcome.diagnostics.map(\.message))")
      return
    }
    #expect(plan.schedules.count == 3)
    let first = plan.schedules[0]
    #expect(first.timeZone == "Europe/Paris")
    #expect((first.jitter, first.overlap, first.missedWithin) == (.seconds(30), .queue, .seconds(1_200)))
    #expect((first.missing, first.repeated) == (.skip, .twice))
    #expect(plan.schedules[1].recurrence == .at([25_200, 64_800], days: [5]))
    #expect((plan.schedules[1].missedWithin, plan.schedules[1].overlap) == (.seconds(3_600), .skip))
    #expect(plan.schedules[2].recurrence == .every(1_800, days: Set(0...6)))
    #expect((plan.schedules[2].timeZone, plan.schedules[2].missedWithin) == (nil, nil))

    let json = try #require(plan.json["schedules"]?.array)
    #expect(json[0]["cron"] == "0 6 * * mon")
    #expect(json[0]["dst"] == ["missing": "skip", "repeated": "twice"])
    #expect(json[1]["at"] == ["07:00", "18:00"])
    #expect(json[2]["every"] == 1_800)
    let listing = PlanListing(plan).lines
    #expect(listing.contains("  every 30m"), "\(listing)")
    #expect(listing.contains("  at 07:00, 18:00 on sat UTC, missed: run once within 1h"), "\(listing)")
  }

  static let findings: [Example] = [
    Example("{ cron: \"30 12 * * *\", timezone: Europe/Paris }", []),
    Example("{ cron: \"30 12 * * *\" }", ["K105 cron"]),
    Example("{ at: \"12:00\" }", ["K105 at"]),
    Example("{ every: 30m }", []),
    Example("{ every: 30s }", ["T213 30s"]),
    Example("{ every: 90.5s }", ["T213 90.5s"]),
    Example("{ every: 25h }", ["T213 25h"]),
    Example("{ every: 1h, within: 5m }", ["K105 within"]),
    Example("{ every: 1h, missed: skip, within: 5m }", ["K105 within"]),
    Example("{ every: 1h, missed: run_once, within: 5m }", []),
    Example("{ every: 1h, at: \"12:00\", timezone: UTC }", ["K107 at"]),
    Example("{ cron: \"0 0 * * *\", days: mon, timezone: UTC }", ["K107 days"]),
    Example("{ timezone: UTC }", ["K105 timezone"]),
    Example("{ at: \"24:00\", timezone: UTC }", ["T214 \"24:00\""]),
    Example("{ at: 7am, timezone: UTC }", ["T214 7am"]),
    Example("{ cron: \"60 0 * * *\", timezone: UTC }", ["T217 60"]),
    Example("{ cron: \"0 0 * * *\", timezone: Europe/Atlantis }", ["T218 Europe/Atlantis"]),
    // Each warns once: of the missing hour, or of the repeated one.
    Example("{ cron: \"30 2 * * *\", timezone: Europe/Paris }", ["P606 30 2"]),
    Example("{ cron: \"30 2 * * mon-sat\", timezone: Europe/Paris }", []),
    Example("{ cron: \"30 * * * *\", timezone: Europe/Paris }", []),
    Example("{ every: 30m, timezone: Europe/Paris }", []),
    Example("{ every: 2h, timezone: Europe/Paris }", ["P606 2h"]),
    Example("{ at: [\"07:00\", \"02:15\", \"02:30\"], timezone: Europe/Paris }", ["P606 \"02:15\""]),
    Example("{ at: \"01:30\", timezone: America/New_York }", ["P606 \"01:30\""]),
    Example("{ at: \"02:30\", timezone: Asia/Kathmandu }", []),
    // Who says what is to happen need not be told.
    Example("{ at: \"02:30\", timezone: Europe/Paris, dst: { missing: run_after, repeated: once } }", []),
    Example("{ at: \"02:30\", timezone: Europe/Paris, dst: { missing: skip } }", ["P606 \"02:30\""]),
  ]

  @Test("What is wrong with a schedule is said at its place", arguments: findings)
  func problems(example: Example) {
    let source = Self.source(example.text)
    let outcome = PlanCompiler.compile(source, inputs: Golden.inputs)
    let text = SourceText(source)
    #expect(
      outcome.diagnostics.map { "\($0.code) \(text.text(at: $0.primary.span) ?? "")" } == example.expected,
      "\(DiagnosticRenderer(sources: outcome.sources).render(outcome.diagnostics))")
  }

  @Test("Without a date, zone data or both, a schedule is checked as far as its text goes")
  func unknowing() {
    let night = Self.source("{ cron: \"30 2 * * *\", timezone: Europe/Paris }")
    var inputs = PlanCompiler.Inputs()
    #expect(PlanCompiler.compile(night, inputs: inputs).diagnostics.isEmpty)
    inputs.today = CivilDate(year: 2026, month: 11, day: 21)
    #expect(PlanCompiler.compile(night, inputs: inputs).diagnostics.isEmpty)
    #expect(
      PlanCompiler.compile(Self.source("{ every: 1h, timezone: Europe/Atlantis }"), inputs: inputs).diagnostics.isEmpty)
    inputs.zoneData = ZoneFiles.read
    #expect(PlanCompiler.compile(night, inputs: inputs).diagnostics.map(\.code.rawValue) == ["P606"])
  }

  @Test("No zone name leads out of the zone database")
  func names() {
    nonisolated(unsafe) var asked: [String] = []
    var directory = TimeZoneDatabase { name in
      asked.append(name)
      return nil
    }
    for name in [
      "../etc/passwd", "/etc/passwd", "Europe/../../etc/passwd", "Europe//Paris", "Europe/Paris\0x", "a/b/c/d",
    ] {
      #expect(directory.rules(name) == nil)
    }
    #expect(asked.isEmpty)
    #expect(directory.rules("UTC") == .utc)
  }

  @Test(
    "A zone is suggested by its city, its letters or its nearest spelling",
    arguments: [
      ("Paris", "Europe/Paris"), ("new york", "America/New_York"), ("europe/paris", "Europe/Paris"),
      ("America/New-York", "America/New_York"), ("Europe/Kyev", "Europe/Kyiv"),
    ])
  func suggestions(text: String, expected: String) {
    var directory = TimeZoneDatabase(ZoneFiles.read)
    #expect(directory.problem(with: text, wantsSuggestion: true)?.label == "did you mean `\(expected)`?")
    #expect(directory.problem(with: text, wantsSuggestion: false)?.label ?? "" == "")
    #expect(directory.problem(with: expected, wantsSuggestion: true) == nil)
  }

  @Test(
    "Any file of the zone database is a zone, and no name leads out of its folder",
    arguments: [
      ("CET", true), ("EST5EDT", true), ("GMT+0", true), ("W-SU", true), ("America/Argentina/Buenos_Aires", true),
      ("", false), ("..", false), (".", false), ("/CET", false),
      ("CET/", false), ("Europe/../CET", false), ("Europe//Paris", false), ("zone.tab", false), ("C\u{0}ET", false),
      ("a/b/c/d", false), (String(repeating: "a", count: 65), false), ("Ċ", false),
    ])
  func zoneFiles(name: String, isOne: Bool) {
    nonisolated(unsafe) var asked: [String] = []
    var directory = TimeZoneDatabase { name in
      asked.append(name)
      return ZoneFiles.read("Europe/Paris")
    }
    #expect((directory.rules(name) != nil) == isOne)
    #expect(asked == (isOne ? [name] : []))
  }

  @Test("A document still names a zone by its place, not by an abbreviation")
  func abbreviation() {
    var directory = TimeZoneDatabase { _ in ZoneFiles.read("Europe/Paris") }
    #expect(directory.problem(with: "CET", wantsSuggestion: true)?.code == .t218)
    #expect(directory.problem(with: "Europe/Paris", wantsSuggestion: true) == nil)
  }
}
