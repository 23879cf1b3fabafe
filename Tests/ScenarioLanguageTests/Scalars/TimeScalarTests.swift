import Testing

@testable import ScenarioLanguage

/// Times, days and dates up to their limits, and what is meant by other spellings
/// (docs/language/values.md "Spellings").
@Suite struct TimeScalarTests {
  static func spelled(_ day: YearDay) -> String {
    (day.year.map { "\($0)-" } ?? "") + "\(twoDigits(day.month))-\(twoDigits(day.day))"
  }

  static let times: [(text: String, second: Int?)] = [
    ("00:00", 0), ("00:00:01", 1), ("23:59", 86_340), ("23:59:59", 86_399), ("24:00", 86_400), ("24:00:00", 86_400),
    ("24:00:01", nil), ("24:01", nil), ("25:00", nil), ("23:60", nil), ("23:59:60", nil), ("7:00", nil), ("07:0", nil),
    ("07", nil), ("07:00:00:00", nil), ("-7:00", nil), ("+7:00", nil), ("０７:00", nil), ("", nil),
  ]

  @Test("A time of day has two digits in each part, up to 24:00", arguments: times)
  func time(text: String, second: Int?) { #expect((try? TimeScalar.time(text)) == second) }

  static let timeWords: [(text: String, label: String)] = [
    ("7:00", "did you mean `07:00`?"), ("7am", "did you mean `07:00`?"), ("12am", "did you mean `00:00`?"),
    ("12:30 pm", "did you mean `12:30`?"), ("19.30", "did you mean `19:30`?"), ("13pm", ""), ("25:00", ""),
    ("noon", ""),
  ]

  @Test("Other spellings of a time of day are understood", arguments: timeWords)
  func checksTimeWords(text: String, label: String) {
    let problem = #expect(throws: ScalarProblem.self) { try TimeScalar.time(text) }
    #expect(problem?.code == .t214 && problem?.label == label)
  }

  static let windows: [(text: String, window: TimeWindow?)] = [
    ("00:00-24:00", .init(start: 0, end: 86_400)), ("all-day", .init(start: 0, end: 86_400)),
    ("23:59:59-00:00", .init(start: 86_399, end: 0)), ("12:00-11:59:59", .init(start: 43_200, end: 43_199)),
    ("12:00-12:00", nil), ("24:00-24:00", nil), ("24:00-07:00", nil), ("00:00-24:01", nil), ("-", nil), ("07:00-", nil),
    ("All-Day", nil), ("07:00-11:30", .init(start: 25_200, end: 41_400)),
    ("17:00-01:00", .init(start: 61_200, end: 3_600)),
  ]

  @Test("A stretch of hours begins before 24:00 and is not empty", arguments: windows)
  func hours(text: String, window: TimeWindow?) { #expect((try? TimeScalar.hours(text)) == window) }

  static let usage = "help: `07:00-11:30`, across midnight `17:00-01:00`, or `all-day`"

  static let hourWords: [(text: String, words: String)] = [
    (
      "24:00-07:00",
      "T214: no window begins at `24:00` | did you mean `00:00-07:00`? | help: `24:00` is the end of a day"
    ),
    ("24:00-24:00", "T214: no window begins at `24:00` | help: `24:00` is the end of a day"),
    ("07:00-07:00", "T214: `07:00-07:00` is an empty window | help: the whole day is `all-day`"),
    (
      "07:00-11:30, 13:00-18:00",
      "T214: `07:00-11:30, 13:00-18:00` is not a stretch of hours | several are a list: `[07:00-11:30, 13:00-18:00]` | \(usage)"
    ),
    ("24h", "T214: `24h` is not a stretch of hours | did you mean `all-day`? | \(usage)"),
    ("All Day", "T214: `All Day` is not a stretch of hours | did you mean `all-day`? | \(usage)"),
    ("0700-1130", "T214: `0700-1130` is not a stretch of hours | did you mean `07:00-11:30`? | \(usage)"),
    ("10pm-2am", "T214: `10pm-2am` is not a stretch of hours | did you mean `22:00-02:00`? | \(usage)"),
    ("7.30-9", "T214: `7.30-9` is not a stretch of hours | did you mean `07:30-09:00`? | \(usage)"),
    ("07:00 - 11:30", "T214: `07:00 - 11:30` is not a stretch of hours | did you mean `07:00-11:30`? | \(usage)"),
    ("07:00–11:30", "T214: `07:00–11:30` is not a stretch of hours | did you mean `07:00-11:30`? | \(usage)"),
    ("07:00 to 11:30", "T214: `07:00 to 11:30` is not a stretch of hours | did you mean `07:00-11:30`? | \(usage)"),
    ("07:00", "T214: `07:00` is not a stretch of hours | \(usage)"),
    ("07:00-11:00-12:00", "T214: `07:00-11:00-12:00` is not a stretch of hours | \(usage)"),
    ("mornings", "T214: `mornings` is not a stretch of hours | \(usage)"),
  ]

  @Test("Other spellings of a stretch of hours are understood", arguments: hourWords)
  func checksHourWords(text: String, words: String) { #expect(ScalarWords.of { try TimeScalar.hours(text) } == words) }

  static let days: [(text: String, days: Set<Int>)] = [
    ("mon-fri", Set(0...4)), ("sat,sun", [5, 6]), ("fri-mon", [0, 4, 5, 6]), ("mon", [0]), ("mon,mon", [0]),
    ("sun-mon", [6, 0]), ("mon-sun", Set(0...6)), ("tue-mon", Set(0...6)),
    ("wed-wed", [2]), ("weekdays,sat", Set(0...5)), ("weekends,mon-tue", [0, 1, 5, 6]), ("daily,sun", Set(0...6)),
  ]

  @Test("Days go on over Sunday, and lists join", arguments: days)
  func checksDays(text: String, days: Set<Int>) throws { #expect(try TimeScalar.days(text) == days) }

  static let dayUsage = "help: `mon-fri`, `sat,sun`, `daily`, `weekdays`, `weekends`"

  static let dayWords: [(text: String, words: String)] = [
    ("mon,xyz,fri", "T214: `xyz` is not a day | at 4..<7 | \(dayUsage)"),
    ("mon,tuesday", "T214: `tuesday` is not a day | did you mean `tue`? | at 4..<11 | \(dayUsage)"),
    ("sat sun", "T214: `sat sun` is not a day | did you mean `\"sat,sun\"`? | \(dayUsage)"),
    ("mon-fri, sun", "T214: `mon-fri, sun` is not a day | did you mean `\"mon-fri,sun\"`? | \(dayUsage)"),
    ("every day", "T214: `every day` is not a day | did you mean `daily`? | \(dayUsage)"),
    ("monday", "T214: `monday` is not a day | did you mean `mon`? | \(dayUsage)"),
    ("Mon - Friday", "T214: `Mon - Friday` is not a day | did you mean `mon-fri`? | \(dayUsage)"),
    ("weekday", "T214: `weekday` is not a day | did you mean `weekdays`? | \(dayUsage)"),
    ("7", "T214: `7` is not a day | did you mean `sun`? | \(dayUsage)"),
    ("1-7", "T214: `1-7` is not a day | did you mean `mon-sun`? | \(dayUsage)"),
    ("0", "T214: `0` is not a day | did you mean `sun`? | \(dayUsage)"), ("8", "T214: `8` is not a day | \(dayUsage)"),
    ("mon,", "T214: `` is not a day | \(dayUsage)"), ("", "T214: `` is not a day | \(dayUsage)"),
    ("mon-tue-wed", "T214: `mon-tue-wed` is not a day | \(dayUsage)"),
    ("Weekdays", "T214: `Weekdays` is not a day | did you mean `weekdays`? | \(dayUsage)"),
  ]

  @Test("A wrong day is underlined alone, in a list too", arguments: dayWords)
  func checksDayWords(text: String, words: String) { #expect(ScalarWords.of { try TimeScalar.days(text) } == words) }

  static let dates: [(text: String, range: String?)] = [
    ("2026-12-24", "2026-12-24..2026-12-24"), ("12-24", "12-24..12-24"),
    ("2026-12-24..2027-01-06", "2026-12-24..2027-01-06"), ("12-24..01-06", "12-24..01-06"),
    ("2026-12-24..2026-12-24", "2026-12-24..2026-12-24"), ("2028-02-29", "2028-02-29..2028-02-29"),
    ("02-29", "02-29..02-29"), ("2000-02-29", "2000-02-29..2000-02-29"), ("1900-02-29", nil), ("2027-02-29", nil),
    ("02-30", nil), ("04-31", nil), ("00-10", nil), ("13-01", nil), ("12-00", nil), ("12-32", nil), ("2026-1-01", nil),
    ("26-12-24", nil), ("2026-12-24..", nil), ("..2026-12-24", nil), ("..", nil), ("", nil),
    ("2026-12-26..2026-12-24", nil), ("2026-12-24..12-26", nil), ("24/12/2026", nil), ("2026-02-30", nil),
  ]

  @Test("Dates exist in their year, or in a leap year where they have none", arguments: dates)
  func checksDates(text: String, range: String?) {
    let found = (try? TimeScalar.dates(text)).map { "\(Self.spelled($0.first))..\(Self.spelled($0.last))" }
    #expect(found == range)
    // A single date is one with its year.
    #expect(((try? TimeScalar.date(text)) != nil) == (range != nil && !text.contains("..") && text.utf8.count == 10))
  }

  static let dateUsage = "help: `2026-12-24`, `2026-12-24..2026-12-26`, or every year `12-24..12-26`"

  static let dateWords: [(text: String, words: String)] = [
    ("2026-12-24 to 2026-12-26", "did you mean `2026-12-24..2026-12-26`?"),
    ("12-24 - 12-26", "did you mean `12-24..12-26`?"), ("12-24...12-26", "did you mean `12-24..12-26`?"),
    ("2026-12-24–2026-12-26", "did you mean `2026-12-24..2026-12-26`?"),
    ("2026-2-3", "did you mean `2026-02-03`?"), ("3.2.2026", "did you mean `2026-02-03`?"),
    ("24/12/2026", "did you mean `2026-12-24`?"), ("12/24/2026", "did you mean `2026-12-24`?"),
    ("2026/12/24", "did you mean `2026-12-24`?"), ("2028-02-30", "February 2028 has 29 days"), ("2026-13-01", ""),
    ("2/31/2026", ""), ("2027-02-29", "February 2027 has 28 days"), ("2026-04-31", "April 2026 has 30 days"),
    ("2026-04-32", ""),
    // Two words, or two times, with a dash between: nothing that could be two dates.
    ("hello-world", ""), ("17:00-01:00", ""), ("aaaaaaaaaa-bbbbbbbbbb", ""), ("99-99-99-99", ""), ("hello..world", ""),
    ("12-24-13-01", ""), ("urn:x-cast:", ""),
  ]

  @Test("What is no date is told which one is meant, if any is", arguments: dateWords)
  func checksDateWords(text: String, label: String) {
    let message = "T214: `\(text)` is not a date"
    let words = [message, label, Self.dateUsage].filter { !$0.isEmpty }.joined(separator: " | ")
    #expect(ScalarWords.of { try TimeScalar.dates(text) } == words)
    if text.utf8.count <= 10, text.contains(/\d{4}/) { #expect(ScalarWords.of { try TimeScalar.date(text) } == words) }
  }

  @Test("Two dates are in order and both have a year, or none")
  func pairs() {
    func words(_ text: String) -> String { ScalarWords.of { try TimeScalar.dates(text) } }
    #expect(
      words("2026-12-26..2026-12-24")
        == "T214: `2026-12-26..2026-12-24` ends before it begins | did you mean `2026-12-24..2026-12-26`?")
    #expect(
      words("2026-12-24..12-26")
        == "T214: one date of `2026-12-24..12-26` has a year, the other has not | did you mean `2026-12-24..2026-12-26`?"
    )
    // In the same year it would end before it begins.
    #expect(
      words("2026-12-24..01-06") == "T214: one date of `2026-12-24..01-06` has a year, the other has not")
    #expect(
      words("12-24..2026-12-26") == "T214: one date of `12-24..2026-12-26` has a year, the other has not")
  }

  static let moments: [(text: String, label: String?)] = [
    ("2026-12-24T18:30:00Z", nil), ("2026-12-24t18:30:00z", nil), ("2026-12-24T00:00:00-23:59", nil),
    ("2026-12-24T23:59:59.123456789+14:00", nil), ("2026-12-24 18:30:00Z", "a `T` stands between date and time"),
    ("2026-12-24", "no time and no offset"),
    ("2026-12-24T18:30:00+1", "the offset is `+01:00`, `-05:00` or `Z`"),
    ("2026-12-24T18:30Z", "the time needs its seconds"), ("2026-12-24T24:00:00Z", "no such time of day"),
    ("2026-12-24T18:30:60Z", "no such time of day"), ("2026-12-24T18:30:00", "no offset"),
    ("2026-12-24T18:30:00.Z", ""), ("2026-12-24T18:30:00+0100", "the offset is `+01:00`, `-05:00` or `Z`"),
    ("2026-12-24T18:30:00+24:00", "the offset is `+01:00`, `-05:00` or `Z`"),
    ("2026-12-24T18:30:00 Z", "the offset is `+01:00`, `-05:00` or `Z`"), ("12-24T18:30:00Z", ""),
    ("2026-11-31T18:30:00Z", "November 2026 has 30 days"), ("2026-12-24T18:30:00.1234567890123456789012Z", ""),
  ]

  @Test("A moment has date, time, seconds and offset", arguments: moments)
  func moment(text: String, label: String?) {
    do throws(ScalarProblem) {
      _ = try TimeScalar.timestamp(text)
      #expect(label == nil)
    } catch {
      #expect(error.label == label)
    }
  }

  @Test(
    "A moment is the seconds since 1970 in UTC, offset and fraction reckoned with",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2000-02-29T12:00:00+05:30", 951_805_800), ("1969-12-31T23:59:59.25Z", -0.75),
      ("2026-12-24T18:30:00-05:00", 1_798_155_000), ("2100-03-01T00:00:00Z", 4_107_542_400),
      ("0001-01-01T00:00:00Z", -62_135_596_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
      ("1900-02-28T23:00:00-01:00", -2_203_891_200),
    ] as [(String, Double)])
  func unixTime(text: String, seconds: Double) throws { #expect(try TimeScalar.timestamp(text) == seconds) }
}
