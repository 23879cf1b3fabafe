import Testing

@testable import ScenarioLanguage

@Suite struct CronExpressionTests {
  static let days: [(cron: String, dates: [String], others: [String])] = [
    ("0 0 * * *", ["2026-11-21", "2026-11-22"], []),
    ("0 0 13 * *", ["2026-11-13"], ["2026-11-14"]),
    ("0 0 * * fri", ["2026-11-20"], ["2026-11-21"]),
    ("0 0 * * 5", ["2026-11-20"], ["2026-11-21"]),
    ("0 0 * * 0", ["2026-11-22"], ["2026-11-23"]),
    ("0 0 * * 7", ["2026-11-22"], ["2026-11-23"]),
    ("0 0 * * sun", ["2026-11-22"], ["2026-11-21"]),
    ("0 0 * * fri-sun", ["2026-11-20", "2026-11-21", "2026-11-22"], ["2026-11-23"]),
    ("0 0 * * sun-tue", ["2026-11-22", "2026-11-24"], ["2026-11-25"]),
    ("0 0 * * MON,Wed", ["2026-11-23", "2026-11-25"], ["2026-11-24"]),
    ("0 0 13 * fri", ["2026-11-13", "2026-11-20", "2027-01-13"], ["2026-11-14"]),
    // A field that begins with * leaves the choice to the other one.
    ("0 0 */2 * fri", ["2026-11-13", "2026-11-27"], ["2026-11-20", "2026-11-21"]),
    ("0 0 1-7/3 * *", ["2026-11-01", "2026-11-04", "2026-11-07"], ["2026-11-02"]),
    ("0 0 1 jan,jul-sep *", ["2026-01-01", "2026-08-01"], ["2026-02-01", "2026-10-01"]),
    ("0 0 29 2 *", ["2028-02-29"], ["2026-02-28", "2026-03-01"]),
  ]

  @Test("Days are chosen as cron does", arguments: days)
  func includes(cron: String, dates: [String], others: [String]) throws {
    let expression = try CronExpression(cron)
    func date(_ text: String) throws -> CivilDate {
      let day = try TimeScalar.date(text)
      return CivilDate(year: try #require(day.year), month: day.month, day: day.day)
    }
    for text in dates { #expect(expression.includes(try date(text)), "\(text)") }
    for text in others { #expect(!expression.includes(try date(text)), "\(text)") }
  }

  @Test("Steps, lists and stretches make the times of a day")
  func times() throws {
    let date = CivilDate(year: 2026, month: 11, day: 21)
    let quarters = Recurrence.cron(try CronExpression("*/15 6-8 * * *")).times(on: date)
    #expect(
      quarters.map(WeeklyIntervals.clock) == [
        "06:00", "06:15", "06:30", "06:45", "07:00", "07:15", "07:30", "07:45", "08:00", "08:15", "08:30", "08:45",
      ])
    let mixed = Recurrence.cron(try CronExpression("5,50-59/3 0,23  * * *")).times(on: date)
    #expect(
      mixed.map(WeeklyIntervals.clock) == [
        "00:05", "00:50", "00:53", "00:56", "00:59", "23:05", "23:50", "23:53", "23:56", "23:59",
      ])
  }

  static let wrong: [(cron: String, message: String, label: String, part: String)] = [
    ("60 2 * * *", "`60` is not the minute of a cron time", "", "60"),
    ("0 24 * * *", "`24` is not the hour of a cron time", "", "24"),
    ("0 0 0 * *", "`0` is not the day of a cron time", "", "0"),
    ("0 0 1 13 *", "`13` is not the month of a cron time", "", "13"),
    ("0 0 1 febuary *", "`febuary` is not the month of a cron time", "did you mean `feb`?", "febuary"),
    ("0 0 * * monday", "`monday` is not the weekday of a cron time", "did you mean `mon`?", "monday"),
    ("0 0 * * mon,,fri", "`` is not the weekday of a cron time", "", "mon,,fri"),
    ("0 0 * * fri-mon", "`fri-mon` is not the weekday of a cron time", "did you mean `fri-sun,mon`?", "fri-mon"),
    ("*/0 * * * *", "`*/0` is not the minute of a cron time", "", "*/0"),
    ("5/15 * * * *", "`5/15` is not the minute of a cron time", "", "5/15"),
    ("0 0 L * *", "`L` is not the day of a cron time", "", "L"),
    ("0 10-8 * * *", "`10-8` is not the hour of a cron time", "", "10-8"),
    ("* * * *", "a cron time has five fields", "4 fields", ""),
    ("0 0 0 * * *", "a cron time has five fields", "6 fields: leave seconds out", ""),
    ("@daily", "a cron time has five fields", "did you mean `0 0 * * *`?", ""),
    ("", "a cron time has five fields", "none", ""),
    ("0 0 30 2 *", "`0 0 30 2 *` never comes", "no such day in any year", "30 2"),
  ]

  @Test("A wrong field is named and underlined", arguments: wrong)
  func refused(cron: String, message: String, label: String, part: String) {
    let problem = #expect(throws: ScalarProblem.self) { try CronExpression(cron) }
    #expect(problem?.code == .t217)
    #expect(problem?.message == message)
    #expect(problem?.label == label)
    let scalars = Array(cron.unicodeScalars)
    let underlined = problem?.range.map { range in String(String.UnicodeScalarView(scalars[range])) }
    #expect(underlined ?? "" == part)
  }

  @Test(
    "What runs in every hour is hourly however it is written",
    arguments: [("*", true), ("*/1", true), ("0-23", true), ("0-11,12-23", true), ("*/2", false), ("1-23", false)])
  func hourly(hours: String, isHourly: Bool) throws {
    #expect(try CronExpression("30 \(hours) * * *").isHourly == isHourly)
  }
}
