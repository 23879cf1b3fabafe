import Testing

@testable import ScenarioLanguage

/// P606 word by word: what the coming change of clocks does to a schedule, as of 21 November 2026
/// (docs/language/schedules.md "When clocks change").
@Suite struct ClockChangeTests {
  struct Night: Sendable, CustomTestStringConvertible {
    var entry: String
    var message: String
    var label: String
    var note: String
    var testDescription: String { entry }

    init(_ entry: String, _ message: String, _ label: String, _ note: String) {
      self.entry = entry
      self.message = message
      self.label = label
      self.note = note
    }
  }

  private static let after = "with `dst: { missing: run_after }` (default) "
  private static let once = "with `dst: { repeated: once }` (default) "

  static let nights: [Night] = [
    Night(
      "cron: \"30 2 * * *\", timezone: Europe/Paris", "02:30 does not exist on 28 March 2027 in Europe/Paris",
      "clocks jump from 02:00 to 03:00",
      after + "it runs at 03:00 that night; on 31 October 2027, when 02:30 comes twice, it runs once"),
    Night(
      "cron: \"30 2 * * *\", timezone: Europe/Paris, dst: { repeated: twice }",
      "02:30 does not exist on 28 March 2027 in Europe/Paris", "clocks jump from 02:00 to 03:00",
      after + "it runs at 03:00 that night; on 31 October 2027, when 02:30 comes twice, it runs twice"),
    Night(
      "cron: \"0,30 2 * * *\", timezone: Europe/Paris", "02:00 and 02:30 do not exist on 28 March 2027 in Europe/Paris",
      "clocks jump from 02:00 to 03:00",
      after
        + "it runs once, at 03:00 that night; on 31 October 2027, when 02:00 and 02:30 come twice, each runs once"),
    Night(
      "cron: \"*/20 2 * * *\", timezone: Europe/Paris", "02:00 to 02:40 do not exist on 28 March 2027 in Europe/Paris",
      "clocks jump from 02:00 to 03:00",
      after
        + "it runs once, at 03:00 that night; on 31 October 2027, when 02:00 to 02:40 come twice, each runs once"),
    // The hour before is there, the one after, too: only its minutes are told.
    Night(
      "cron: \"15 1-3 * * *\", timezone: Europe/Paris", "02:15 does not exist on 28 March 2027 in Europe/Paris",
      "clocks jump from 02:00 to 03:00",
      after + "it runs at 03:00 that night; on 31 October 2027, when 02:15 comes twice, it runs once"),
    Night(
      "cron: \"30 2 28 3 *\", timezone: Europe/Paris", "02:30 does not exist on 28 March 2027 in Europe/Paris",
      "clocks jump from 02:00 to 03:00", after + "it runs at 03:00 that night"),
    Night(
      "every: 2h, timezone: Europe/Paris", "02:00 does not exist on 28 March 2027 in Europe/Paris",
      "clocks jump from 02:00 to 03:00",
      after + "it runs at 03:00 that night; on 31 October 2027, when 02:00 comes twice, it runs once"),
    // The autumn alone.
    Night(
      "at: \"01:30\", timezone: America/New_York", "01:30 comes twice on 7 November 2027 in America/New_York",
      "clocks go back from 02:00 to 01:00", once + "it runs the first time only"),
    Night(
      "cron: \"*/10 1 * * *\", timezone: America/New_York",
      "01:00 to 01:50 come twice on 7 November 2027 in America/New_York", "clocks go back from 02:00 to 01:00",
      once + "each runs the first time only"),
    Night(
      "at: \"02:30\", timezone: Europe/Paris, dst: { missing: skip }",
      "02:30 comes twice on 31 October 2027 in Europe/Paris", "clocks go back from 03:00 to 02:00",
      once + "it runs the first time only"),
    // Half an hour, and midnight.
    Night(
      "cron: \"15 2 * * *\", timezone: Australia/Lord_Howe",
      "02:15 does not exist on 3 October 2027 in Australia/Lord_Howe", "clocks jump from 02:00 to 02:30",
      after + "it runs at 02:30 that night"),
    Night(
      "cron: \"45 1 * * *\", timezone: Australia/Lord_Howe", "01:45 comes twice on 4 April 2027 in Australia/Lord_Howe",
      "clocks go back from 02:00 to 01:30", once + "it runs the first time only"),
    Night(
      "at: \"00:30\", timezone: Asia/Beirut", "00:30 does not exist on 28 March 2027 in Asia/Beirut",
      "clocks jump from 00:00 to 01:00", after + "it runs at 01:00 that night"),
  ]

  static func problems(_ entry: String) -> [Diagnostic] {
    PlanCompiler.compile(
      SourceFile("scenario: S\ndevice: TV\nschedule: [{ \(entry) }]\nsteps: [{ expect: { player: idle } }]\n"),
      inputs: Golden.inputs
    ).diagnostics
  }

  @Test("A night that takes a time away or repeats it is named, with what happens then", arguments: nights)
  func night(night: Night) throws {
    let problems = Self.problems(night.entry)
    let problem = try #require(problems.first)
    #expect(problems.count == 1 && problem.code == .p606 && problem.severity == .warning)
    #expect(problem.message == night.message)
    #expect(problem.primary.text == night.label)
    #expect(problem.footers == [.note(night.note)])
  }

  static let silent: [String] = [
    "cron: \"30 3 * * *\", timezone: Europe/Paris", "cron: \"59 1 * * *\", timezone: Europe/Paris",
    "cron: \"30 2 29 3 *\", timezone: Europe/Paris", "cron: \"30 2 * 4-9 *\", timezone: Europe/Paris",
    "at: \"02:30\", timezone: Europe/Paris, days: mon-sat", "at: \"01:59:59\", timezone: Europe/Paris",
    "at: \"03:00\", timezone: Europe/Paris",
    // Every hour alike: it simply goes on.
    "cron: \"*/20 * * * *\", timezone: Europe/Paris", "every: 1h, timezone: Europe/Paris",
    "every: 20m, timezone: Europe/Paris", "every: 1m40s, timezone: Europe/Paris",
    // No clocks change there.
    "at: \"02:30\", timezone: UTC", "at: \"02:30\", timezone: Asia/Tokyo", "every: 2h",
    // Both are said.
    "at: \"02:30\", timezone: Europe/Paris, dst: { missing: skip, repeated: twice }",
  ]

  @Test("A schedule that no change of clocks touches is not warned of", arguments: silent)
  func checksSilent(entry: String) { #expect(Self.problems(entry).map(\.message) == []) }

  @Test("An interrupt that is on in such a night cuts in, once")
  func interrupt() throws {
    let outcome = PlanCompiler.compile(
      SourceFile(
        "playlist: P\ntimezone: Europe/Paris\ndevices: [TV]\nprogram: [{ play: [https://e.com/a.jpg] }]\n"
          + "interrupts: [{ at: [\"12:00\", \"02:30\"], play: [https://e.com/a.jpg] }]\n"), inputs: Golden.inputs)
    let problem = try #require(outcome.diagnostics.first)
    #expect(outcome.diagnostics.map(\.code.rawValue) == ["P606"])
    #expect(SourceText(outcome.sources[0]).text(at: problem.primary.span) == "\"02:30\"")
    #expect(
      problem.footers == [
        .note("it cuts in at 03:00 that night; on 31 October 2027, when 02:30 comes twice, it cuts in once")
      ])
  }

  static let nextRuns: [(entry: Schedule, zone: String, after: String, runs: [String])] = {
    func at(_ seconds: [Int], _ days: Set<Int> = Set(0...6)) -> Schedule {
      Schedule(.at(seconds, days: days), timeZone: nil, span: ScheduleTimesTests.nowhere)
    }
    func every(_ seconds: Int, _ days: Set<Int> = Set(0...6)) -> Schedule {
      Schedule(.every(seconds, days: days), timeZone: nil, span: ScheduleTimesTests.nowhere)
    }
    return [
      // Worked out by hand: New York is UTC-5 until 14 March 2027 02:00, then UTC-4.
      (
        at([5_400, 9_000]), "America/New_York", "2027-03-13T12:00",
        ["2027-03-14T06:30", "2027-03-14T07:00", "2027-03-15T05:30"]
      ),
      (at([43_200], [5, 6]), "UTC", "2026-11-20T12:00", ["2026-11-21T12:00", "2026-11-22T12:00", "2026-11-28T12:00"]),
      // Each midnight begins anew: seven hours go into a day three times, with a rest.
      (every(25_200), "UTC", "2026-11-20T13:59", ["2026-11-20T14:00", "2026-11-20T21:00", "2026-11-21T00:00"]),
      (every(86_400, [0]), "UTC", "2026-11-20T00:00", ["2026-11-23T00:00", "2026-11-30T00:00"]),
      // Two hours at a time meet the missing hour at the jump, and the repeated one once.
      (every(7_200), "Europe/Paris", "2027-03-27T23:00", ["2027-03-28T01:00", "2027-03-28T02:00", "2027-03-28T04:00"]),
      (every(7_200), "Europe/Paris", "2027-10-30T22:00", ["2027-10-31T00:00", "2027-10-31T03:00", "2027-10-31T05:00"]),
    ]
  }()

  @Test("Times of day and stretches of hours run by the clock of their zone", arguments: nextRuns)
  func runs(entry: Schedule, zone: String, after: String, runs: [String]) throws {
    let rules = zone == "UTC" ? TimeZoneRules.utc : try #require(ZoneFiles.rules(zone))
    let found = entry.nextTimes(after: try ScheduleTimesTests.unix(after), count: runs.count, in: rules)
    #expect(found.map(ScheduleTimesTests.spelled) == runs)
  }
}
