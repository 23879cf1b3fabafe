import Testing

@testable import ScenarioLanguage

/// The examples of RFC 5545 3.8.5.3 with the dates that stand beside them there.
@Suite struct ICalendarRuleTests {
  struct Published: Sendable, CustomTestStringConvertible {
    var start: String
    var rule: String
    /// Days, where only month and day stand of the year before; `…`: and so on.
    var days: String
    var more = ""

    init(_ start: String, _ rule: String, _ days: String, more: String = "") {
      self.start = start
      self.rule = rule
      self.days = days
      self.more = more
    }

    var testDescription: String { rule }
  }

  static let published: [Published] = [
    Published("19970902", "FREQ=DAILY;COUNT=10", "1997-09-02 09-03 09-04 09-05 09-06 09-07 09-08 09-09 09-10 09-11"),
    Published("19970902", "FREQ=DAILY;INTERVAL=2", "1997-09-02 09-04 09-06 09-08 09-10 09-12 09-14 09-16 …"),
    Published("19970902", "FREQ=DAILY;INTERVAL=10;COUNT=5", "1997-09-02 09-12 09-22 10-02 10-12"),
    Published("19970902", "FREQ=WEEKLY;COUNT=10", "1997-09-02 09-09 09-16 09-23 09-30 10-07 10-14 10-21 10-28 11-04"),
    Published(
      "19970902", "FREQ=WEEKLY;UNTIL=19971224T000000Z",
      "1997-09-02 09-09 09-16 09-23 09-30 10-07 10-14 10-21 10-28 11-04 11-11 11-18 11-25 12-02 12-09 12-16 12-23"),
    Published(
      "19970902", "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
      "1997-09-02 09-16 09-30 10-14 10-28 11-11 11-25 12-09 12-23 1998-01-06 01-20 02-03 02-17 …"),
    Published(
      "19970902", "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH",
      "1997-09-02 09-04 09-09 09-11 09-16 09-18 09-23 09-25 09-30 10-02"),
    Published(
      "19970902", "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH",
      "1997-09-02 09-04 09-09 09-11 09-16 09-18 09-23 09-25 09-30 10-02"),
    Published(
      "19970901", "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
      "1997-09-01 09-03 09-05 09-15 09-17 09-19 09-29 10-01 10-03 10-13 10-15 10-17 10-27 10-29 10-31 11-10 11-12 11-14 "
        + "11-24 11-26 11-28 12-08 12-10 12-12 12-22"),
    Published(
      "19970902", "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
      "1997-09-02 09-04 09-16 09-18 09-30 10-02 10-14 10-16"),
    Published(
      "19970905", "FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
      "1997-09-05 10-03 11-07 12-05 1998-01-02 02-06 03-06 04-03 05-01 06-05"),
    Published("19970905", "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR", "1997-09-05 10-03 11-07 12-05"),
    Published(
      "19970907", "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
      "1997-09-07 09-28 11-02 11-30 1998-01-04 01-25 03-01 03-29 05-03 05-31"),
    Published("19970922", "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", "1997-09-22 10-20 11-17 12-22 1998-01-19 02-16"),
    Published("19970928", "FREQ=MONTHLY;BYMONTHDAY=-3", "1997-09-28 10-29 11-28 12-29 1998-01-29 02-26 …"),
    Published(
      "19970902", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
      "1997-09-02 09-15 10-02 10-15 11-02 11-15 12-02 12-15 1998-01-02 01-15"),
    Published(
      "19970930", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
      "1997-09-30 10-01 10-31 11-01 11-30 12-01 12-31 1998-01-01 01-31 02-01"),
    Published(
      "19970910", "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
      "1997-09-10 09-11 09-12 09-13 09-14 09-15 1999-03-10 03-11 03-12 03-13"),
    Published(
      "19970902", "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
      "1997-09-02 09-09 09-16 09-23 09-30 11-04 11-11 11-18 11-25 1998-01-06 01-13 01-20 01-27 03-03 03-10 03-17 …"),
    Published(
      "19970610", "FREQ=YEARLY;COUNT=10;BYMONTH=6,7",
      "1997-06-10 07-10 1998-06-10 07-10 1999-06-10 07-10 2000-06-10 07-10 2001-06-10 07-10"),
    Published(
      "19970310", "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
      "1997-03-10 1999-01-10 02-10 03-10 2001-01-10 02-10 03-10 2003-01-10 02-10 03-10"),
    Published("19970519", "FREQ=YEARLY;BYDAY=20MO", "1997-05-19 1998-05-18 1999-05-17 …"),
    Published(
      "19970313", "FREQ=YEARLY;BYMONTH=3;BYDAY=TH",
      "1997-03-13 03-20 03-27 1998-03-05 03-12 03-19 03-26 1999-03-04 03-11 03-18 03-25 …"),
    Published(
      "19970605", "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8",
      "1997-06-05 06-12 06-19 06-26 07-03 07-10 07-17 07-24 07-31 08-07 08-14 08-21 08-28 1998-06-04 06-11 …"),
    Published(
      "19970902", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "1998-02-13 03-13 11-13 1999-08-13 2000-10-13 …",
      more: "EXDATE;TZID=America/New_York:19970902T090000"),
    Published(
      "19970913", "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
      "1997-09-13 10-11 11-08 12-13 1998-01-10 02-07 03-07 04-11 05-09 06-13 …"),
    Published(
      "19961105", "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
      "1996-11-05 2000-11-07 2004-11-02 …"),
    Published("19970904", "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "1997-09-04 10-07 11-06"),
    Published(
      "19970929", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
      "1997-09-29 10-30 11-27 12-30 1998-01-29 02-26 03-30 …"),
    Published("19970805", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "1997-08-05 08-10 08-19 08-24"),
    Published("19970805", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "1997-08-05 08-17 08-19 08-31"),
    Published("20070115", "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "2007-01-15 01-30 02-15 03-15 03-30"),
  ]

  @Test("A rule names the days that the standard publishes for it", arguments: published)
  func days(example: Published) throws {
    let calendar = try ICalendarText.read(
      event: "DTSTART;TZID=America/New_York:\(example.start)T090000\nRRULE:\(example.rule)\n\(example.more)",
      zone: "America/New_York")
    var year = ""
    var expected: [String] = []
    for word in example.days.split(separator: " ") where word != "…" {
      if word.utf8.count == 10 { year = String(word.prefix(5)) }
      expected.append(word.utf8.count == 10 ? String(word) : year + word)
    }
    let goesOn = example.days.hasSuffix("…")
    #expect(Array(calendar.singleDays.prefix(expected.count)) == expected)
    #expect(goesOn ? calendar.singleDays.count > expected.count : calendar.singleDays.count == expected.count)
    #expect(calendar.problems == [])
  }

  @Test("Days in a row are told as one stretch, up to the last year that is read")
  func stretches() throws {
    let daily = try ICalendarText.read(
      event: "DTSTART;TZID=America/New_York:19970902T090000\nRRULE:FREQ=DAILY;UNTIL=19971224T000000Z")
    #expect(daily.days.map(\.text) == ["1997-09-02..1997-12-23"])
    for rule in [
      "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1",
      "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
    ] {
      let january = try ICalendarText.read(event: "DTSTART;TZID=America/New_York:19980101T090000\nRRULE:\(rule)")
      #expect(
        january.days.map(\.text) == ["1998-01-01..1998-01-31", "1999-01-01..1999-01-31", "2000-01-01..2000-01-31"])
    }
    let endless = try ICalendarText.read(event: "DTSTART:20260101\nRRULE:FREQ=DAILY")
    #expect(endless.days.map(\.text) == ["2026-01-01..2099-12-31"])
  }

  @Test("29 February comes in leap years, and a day 31 in months that have one")
  func missingDays() throws {
    let leap = try ICalendarText.read(event: "DTSTART:20240229\nRRULE:FREQ=YEARLY;COUNT=3")
    #expect(leap.singleDays == ["2024-02-29", "2028-02-29", "2032-02-29"])
    let last = try ICalendarText.read(event: "DTSTART:20260131\nRRULE:FREQ=MONTHLY;COUNT=4")
    #expect(last.singleDays == ["2026-01-31", "2026-03-31", "2026-05-31", "2026-07-31"])
  }

  @Test("A rule that began before 1970 is on the same days as one that is counted from its start")
  func earlyStart() throws {
    for rule in [
      "FREQ=DAILY;INTERVAL=7", "FREQ=WEEKLY;INTERVAL=3", "FREQ=MONTHLY;INTERVAL=5", "FREQ=YEARLY;INTERVAL=4",
    ] {
      let jumped = try ICalendarText.read(event: "DTSTART:16040112\nRRULE:\(rule)")
      let counted = try ICalendarText.read(event: "DTSTART:16040112\nRRULE:\(rule);COUNT=900000")
      #expect(jumped.days == counted.days && !jumped.days.isEmpty, "\(rule)")
    }
  }

  static let unknown = [
    "FREQ=HOURLY": "`FREQ=HOURLY` is not understood", "FREQ=DAILY;BYHOUR=9": "`BYHOUR=9` is not understood",
    "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO": "`BYWEEKNO=20` is not understood",
    "FREQ=YEARLY;BYYEARDAY=1": "`BYYEARDAY=1` is not understood", "COUNT=3": "a rule without `FREQ` is not understood",
    "FREQ=DAILY;COUNT=0": "`COUNT=0` is not understood", "FREQ=DAILY;INTERVAL=0": "`INTERVAL=0` is not understood",
    "FREQ=DAILY;COUNT=99999999999999999999": "`COUNT=99999999999999999999` is not understood",
    "FREQ=DAILY;COUNT=2;UNTIL=20270101": "`COUNT` and `UNTIL` exclude each other",
    "FREQ=WEEKLY;BYDAY=1MO": "`BYDAY` with a number is not understood with `FREQ=WEEKLY`",
    "FREQ=MONTHLY;BYDAY=0MO": "`BYDAY=0MO` is not understood", "FREQ=MONTHLY;BYDAY=XX": "`BYDAY=XX` is not understood",
    "FREQ=MONTHLY;BYMONTHDAY=32": "`BYMONTHDAY=32` is not understood",
    "FREQ=DAILY;UNTIL=x": "`X` is no date and no date-time",
    "FREQ=YEARLY;BYMONTH=13": "`BYMONTH=13` is not understood", "FREQ": "`FREQ` is no part of a rule",
    "FREQ=DAILY;FREQ=DAILY": "`FREQ` stands twice in a rule",
    "FREQ=DAILY;BYSETPOS=1": "`BYSETPOS` without another `BY` is not understood",
    "FREQ=WEEKLY;BYMONTHDAY=1": "`BYMONTHDAY` is not understood with `FREQ=WEEKLY`",
  ]

  @Test(
    "A rule that is not understood is told with its line, and leaves the first day", arguments: unknown.keys.sorted())
  func odd(rule: String) throws {
    let calendar = try ICalendarText.read(event: "DTSTART:20261225\nRRULE:\(rule)")
    #expect(calendar.singleDays == ["2026-12-25"])
    #expect(calendar.problems == [.init(line: 4, message: (Self.unknown[rule] ?? "") + ": only the first day counts")])
  }
}
