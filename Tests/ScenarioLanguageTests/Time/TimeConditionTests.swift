import Testing

@testable import ScenarioLanguage

@Suite struct TimeConditionTests {
  /// The conditions of these dayparts, by name.
  static func dayparts(_ yaml: String) throws -> [String: TimeCondition] {
    let source = SourceFile(
      "playlist: P\ntimezone: UTC\ndevices: [TV]\n"
        + "calendars: { holidays: [2026-12-25, 01-01, 05-01..05-03] }\ndayparts:\n"
        + yaml + "\nfallback: https://e.com/a.jpg\nprogram: [{ play: [https://e.com/a.jpg] }]\n")
    let reading = DocumentReader.read(source, inputs: .init())
    let document = try #require(reading.document)
    let compiler = TimeConditionCompiler(document.root, problems: reading.diagnostics)
    #expect(!compiler.problems.hasErrors, "\(compiler.problems.diagnostics.map(\.message))")
    return Dictionary(
      uniqueKeysWithValues: compiler.dayparts.names.compactMap { name in
        compiler.dayparts[name].map { (name, $0.condition) }
      })
  }

  /// `2026-12-24 18:30` by the clock on the wall.
  static func wall(_ text: String) throws -> WallTime {
    let parts = text.split(separator: " ").map(String.init)
    let day = try TimeScalar.date(parts[0])
    return CivilDate(year: try #require(day.year), month: day.month, day: day.day).at(
      second: try TimeScalar.time(parts[1]))
  }

  static let cases: [(daypart: String, on: [String], off: [String])] = [
    ("{}", ["2026-12-24 00:00", "2026-12-24 23:59"], []),
    (
      "{ days: mon-fri, hours: 07:00-11:00 }", ["2026-11-20 07:00", "2026-11-20 10:59"],
      ["2026-11-20 06:59", "2026-11-20 11:00", "2026-11-21 08:00"]
    ),
    // A window belongs to the day it starts.
    (
      "{ days: fri, hours: 17:00-01:00 }", ["2026-11-20 17:00", "2026-11-21 00:59"],
      ["2026-11-20 00:30", "2026-11-21 01:00", "2026-11-21 17:00"]
    ),
    ("{ hours: [07:00-08:00, 22:00-24:00] }", ["2026-11-20 07:30", "2026-11-20 23:30"], ["2026-11-20 21:59"]),
    (
      "{ dates: 2026-12-24..2026-12-26 }", ["2026-12-24 00:00", "2026-12-26 23:59"],
      ["2026-12-23 23:59", "2026-12-27 00:00"]
    ),
    ("{ dates: 12-30..01-02 }", ["2026-12-31 12:00", "2027-01-02 12:00", "2031-12-30 12:00"], ["2027-01-03 12:00"]),
    (
      "{ dates: 2026-12-31, hours: 20:00-02:00 }", ["2026-12-31 20:00", "2027-01-01 01:30"],
      ["2026-12-31 01:00", "2027-01-01 20:00"]
    ),
    ("{ dates: [02-29, 03-01] }", ["2028-02-29 12:00", "2027-03-01 12:00"], ["2027-02-28 12:00"]),
    (
      "{ calendar: holidays }", ["2026-12-25 08:00", "2027-01-01 08:00", "2027-05-02 08:00"],
      ["2027-12-25 08:00", "2027-05-04 08:00"]
    ),
    ("{ days: weekends, calendar: holidays }", ["2027-05-02 08:00"], ["2026-12-25 08:00", "2027-05-09 08:00"]),
    // Holidays take away the day a window starts on, not the night before.
    (
      "{ hours: 17:00-01:00, not: { calendar: holidays } }",
      ["2026-12-24 18:00", "2026-12-25 00:30", "2026-12-26 17:00"],
      ["2026-12-25 17:00", "2026-12-26 00:30"]
    ),
    // Hours take away their own moments.
    (
      "{ hours: 08:00-20:00, not: { hours: 12:00-13:00 } }", ["2026-11-20 11:59", "2026-11-20 13:00"],
      ["2026-11-20 12:00"]
    ),
    ("{ days: weekdays, not: lunch }", ["2026-11-20 10:00"], ["2026-11-20 12:30", "2026-11-21 10:00"]),
    ("{ hours: 08:00-20:00, not: any_time }", [], ["2026-11-20 10:00"]),
  ]

  @Test("A time condition holds when all of its parts do", arguments: cases)
  func holds(daypart: String, on: [String], off: [String]) throws {
    let table = try Self.dayparts("  it: \(daypart)\n  lunch: { hours: 12:00-13:00 }")
    let condition = try #require(table["it"])
    for text in on { #expect(condition.isOn(at: try Self.wall(text)), "\(text)") }
    for text in off { #expect(!condition.isOn(at: try Self.wall(text)), "\(text)") }
  }

  @Test(
    "The usual week of a condition is what it holds in a week without dates",
    arguments: [
      "{ days: fri-mon, hours: [07:00-11:00, 22:00-03:00] }", "{ hours: 08:00-20:00, not: { days: sun } }",
      "{ hours: 17:00-01:00, not: { hours: 23:30-00:30 } }", "{ hours: 17:00-01:00, not: lunch }",
      "{ days: sun, hours: 20:00-04:00, not: { days: mon } }",
    ])
  func weeklyIntervals(daypart: String) throws {
    let table = try Self.dayparts("  it: \(daypart)\n  lunch: { days: sat, not: late }\n  late: { hours: 20:00-22:00 }")
    let condition = try #require(table["it"])
    let monday = try Self.wall("2026-11-16 00:00")
    let week = condition.weeklyIntervals
    for second in stride(from: 0, to: WeeklyIntervals.week, by: 900) {
      #expect(condition.isOn(at: monday + second) == week.contains(second), "\(second)")
    }
  }

  @Test(
    "Dates without years overlap in every year, others only where they meet",
    arguments: [
      ("2026-12-24", "12-24", true), ("2026-12-24..2027-01-06", "01-01", true), ("2026-12-24", "12-25", false),
      ("12-20..01-06", "01-06..02-01", true), ("12-20..01-06", "01-07..12-19", false),
      ("02-29", "2027-01-01..2027-12-31", false),
      ("02-29", "2027-01-01..2028-12-31", true), ("2026-01-01..2026-02-01", "2026-02-01", true),
      ("2026-01-01", "2027-01-01", false),
    ])
  func overlaps(first: String, second: String, expected: Bool) throws {
    let (one, other) = (DateRange(try TimeScalar.dates(first)), DateRange(try TimeScalar.dates(second)))
    #expect(one.overlaps(other) == expected)
    #expect(other.overlaps(one) == expected)
    #expect(one.text == first)
  }

  @Test("Days are numbered from 1970, both ways")
  func calendar() {
    for number in stride(from: -800_000, through: 200_000, by: 97) {
      #expect(CivilDate(dayNumber: number).dayNumber == number)
    }
    // The calendar repeats after 400 years, of which a leap day is the last: years begin in March here.
    for year in [-400, 1600, 2000, 2400] {
      let number = CivilDate(year: year, month: 3, day: 1).dayNumber
      #expect(CivilDate(dayNumber: number - 1) == CivilDate(year: year, month: 2, day: 29))
      #expect(CivilDate(dayNumber: number) == CivilDate(year: year, month: 3, day: 1))
    }
    #expect(CivilDate(dayNumber: 0) == CivilDate(year: 1970, month: 1, day: 1))
    #expect(CivilDate(year: 2026, month: 11, day: 21).weekday == 5)
    #expect(CivilDate(at: -1) == CivilDate(year: 1969, month: 12, day: 31))
    #expect(CivilDate.secondOfDay(at: -1) == 86_399)
    #expect(CivilDate(year: 2026, month: 3, day: 8).text == "8 March 2026")
    #expect(CivilDate(year: 2026, month: 3, day: 8).iso == "2026-03-08")
  }
}
