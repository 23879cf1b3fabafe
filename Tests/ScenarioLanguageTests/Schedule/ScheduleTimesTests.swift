import Testing

@testable import ScenarioLanguage

/// Times of runs, worked out by another implementation (Python's zoneinfo, minute by minute around each change).
@Suite struct ScheduleTimesTests {
  static let table: [(zone: String, after: String, cron: String, runs: [String])] = [
    (
      "Europe/Paris", "2026-03-27T12:00", "30 2 * * *",
      ["2026-03-28T01:30", "2026-03-29T01:00", "2026-03-30T00:30", "2026-03-31T00:30", "2026-04-01T00:30"]
    ),
    (
      "Europe/Paris", "2026-10-23T12:00", "30 2 * * *",
      ["2026-10-24T00:30", "2026-10-25T00:30", "2026-10-26T01:30", "2026-10-27T01:30"]
    ),
    ("Europe/Paris", "2027-03-26T12:00", "15 2 * * sun", ["2027-03-28T01:00", "2027-04-04T00:15"]),
    (
      "America/New_York", "2026-03-06T12:00", "30 2 * * *",
      ["2026-03-07T07:30", "2026-03-08T07:00", "2026-03-09T06:30", "2026-03-10T06:30"]
    ),
    (
      "America/New_York", "2026-10-30T12:00", "30 1 * * *",
      ["2026-10-31T05:30", "2026-11-01T05:30", "2026-11-02T06:30", "2026-11-03T06:30"]
    ),
    // Half an hour back and forth.
    (
      "Australia/Lord_Howe", "2026-04-03T12:00", "45 1 * * *",
      ["2026-04-03T14:45", "2026-04-04T14:45", "2026-04-05T15:15", "2026-04-06T15:15"]
    ),
    (
      "Australia/Lord_Howe", "2026-10-02T12:00", "15 2 * * *",
      ["2026-10-02T15:45", "2026-10-03T15:30", "2026-10-04T15:15", "2026-10-05T15:15"]
    ),
    (
      "Asia/Kathmandu", "2026-03-27T12:00", "0 7,19 * * mon-fri",
      ["2026-03-27T13:15", "2026-03-30T01:15", "2026-03-30T13:15", "2026-03-31T01:15"]
    ),
    (
      "America/Sao_Paulo", "2026-10-16T12:00", "0 0 * * *",
      ["2026-10-17T03:00", "2026-10-18T03:00", "2026-10-19T03:00"]
    ),
    ("UTC", "2026-02-27T12:00", "0 0 29 2 *", ["2028-02-29T00:00", "2032-02-29T00:00", "2036-02-29T00:00"]),
    // Clocks go back for Ramadan and forwards after it.
    (
      "Africa/Casablanca", "2026-02-13T12:00", "30 2 * * *",
      ["2026-02-14T01:30", "2026-02-15T01:30", "2026-02-16T02:30", "2026-02-17T02:30"]
    ),
    (
      "Africa/Casablanca", "2026-03-20T12:00", "30 2 * * *",
      ["2026-03-21T02:30", "2026-03-22T02:00", "2026-03-23T01:30", "2026-03-24T01:30"]
    ),
    // Behind the table of the zone's file, where its last line rules.
    ("Europe/Paris", "2060-03-26T12:00", "30 2 * * *", ["2060-03-27T01:30", "2060-03-28T01:00", "2060-03-29T00:30"]),
    (
      "Europe/Dublin", "2061-03-25T12:00", "30 1 * * *",
      ["2061-03-26T01:30", "2061-03-27T01:00", "2061-03-28T00:30", "2061-03-29T00:30"]
    ),
    // Day and weekday both chosen: either will do.
    (
      "Europe/Paris", "2026-01-01T00:00", "0 9 13 * fri",
      ["2026-01-02T08:00", "2026-01-09T08:00", "2026-01-13T08:00", "2026-01-16T08:00", "2026-01-23T08:00"]
    ),
  ]

  static let nowhere = SourceSpan(file: "x", line: 1, column: 1, endLine: 1, endColumn: 1)

  /// `2026-03-28T01:30` in UTC as Unix time.
  static func unix(_ text: String) throws -> Int {
    let seconds = try TimeScalar.timestamp(text + ":00Z")
    return try #require(Int(exactly: seconds))
  }

  static func spelled(_ unix: Int) -> String {
    "\(CivilDate(at: unix).iso)T\(WeeklyIntervals.clock(CivilDate.secondOfDay(at: unix)))"
  }

  @Test(
    "A cron time runs when clocks of its zone show it, once a night that has it twice or not at all", arguments: table)
  func cron(zone: String, after: String, cron: String, runs: [String]) throws {
    let schedule = Schedule(.cron(try CronExpression(cron)), timeZone: zone, span: Self.nowhere)
    let rules = try #require(ZoneFiles.rules(zone))
    let found = schedule.nextTimes(after: try Self.unix(after), count: runs.count, in: rules)
    #expect(found.map(Self.spelled) == runs)
  }

  @Test("dst says otherwise: a missing time is skipped, a repeated one runs twice")
  func policies() throws {
    let rules = try #require(ZoneFiles.rules("Europe/Paris"))
    var schedule = Schedule(.at([9_000], days: Set(0...6)), timeZone: "Europe/Paris", span: Self.nowhere)
    schedule.missing = .skip
    schedule.repeated = .twice
    let spring = schedule.nextTimes(after: try Self.unix("2026-03-28T12:00"), count: 2, in: rules)
    #expect(spring.map(Self.spelled) == ["2026-03-30T00:30", "2026-03-31T00:30"])
    let autumn = schedule.nextTimes(after: try Self.unix("2026-10-24T12:00"), count: 3, in: rules)
    #expect(autumn.map(Self.spelled) == ["2026-10-25T00:30", "2026-10-25T01:30", "2026-10-26T01:30"])
  }

  @Test("What comes in every hour goes on through the nights that clocks change", arguments: ["*/30 * * * *", "every"])
  func hourly(what: String) throws {
    let rules = try #require(ZoneFiles.rules("Europe/Paris"))
    let recurrence = what == "every" ? Recurrence.every(1_800, days: Set(0...6)) : .cron(try CronExpression(what))
    let schedule = Schedule(recurrence, timeZone: "Europe/Paris", span: Self.nowhere)
    for night in ["2026-03-28T23:00", "2026-10-24T23:00"] {
      let start = try Self.unix(night)
      #expect(schedule.nextTimes(after: start, count: 8, in: rules) == (1...8).map { start + $0 * 1_800 })
    }
  }

  @Test("Several times that clocks jump over run once, at the jump")
  func joined() throws {
    let rules = try #require(ZoneFiles.rules("Europe/Paris"))
    let schedule = Schedule(.cron(try CronExpression("*/20 2,3 * * *")), timeZone: "Europe/Paris", span: Self.nowhere)
    let found = schedule.nextTimes(after: try Self.unix("2026-03-28T12:00"), count: 4, in: rules)
    #expect(
      found.map(Self.spelled) == ["2026-03-29T01:00", "2026-03-29T01:20", "2026-03-29T01:40", "2026-03-30T00:00"])
  }

  @Test("No time that ever comes is further away than the search reaches")
  func rare() throws {
    let leapMonday = Schedule(.cron(try CronExpression("0 0 */29 2 mon")), timeZone: "UTC", span: Self.nowhere)
    let found = leapMonday.nextTimes(after: try Self.unix("2026-01-01T00:00"), count: 3, in: .utc)
    #expect(found.map { CivilDate(at: $0).weekday } == [0, 0, 0])
    #expect(leapMonday.nextTimes(after: 0, count: 0, in: .utc) == [])
  }

  @Test(
    "`every` is told by what is wrong with it: its length, or a part of a second",
    arguments: [
      ("1m", nil), ("24h", nil), ("59s", "shorter than a minute"), ("90.5s", "part of a second"),
      ("24h0.5s", "part of a second"), ("24h1s", "longer than a day"),
    ])
  func interval(every: String, label: String?) {
    let document =
      "scenario: S\ndevice: TV\nschedule: [{ every: \(every) }]\nsteps: [{ expect: { player: idle } }]\n"
    #expect(Compiling.outcome(document).diagnostics.first { $0.code == .t213 }?.primary.text == label)
  }
}
