import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct ICalendarTests {
  static let events: [(title: String, lines: String, days: [String])] = [
    ("a day", "DTSTART;VALUE=DATE:20261225", ["2026-12-25"]),
    ("an exclusive end", "DTSTART;VALUE=DATE:20261224\nDTEND;VALUE=DATE:20261227", ["2026-12-24..2026-12-26"]),
    ("an end equal to the start", "DTSTART:20261224\nDTEND:20261224", ["2026-12-24"]),
    ("days of length", "DTSTART:20261224\nDURATION:P1W", ["2026-12-24..2026-12-30"]),
    ("a time without an end", "DTSTART:20261224T235900", ["2026-12-24"]),
    ("a time that ends at midnight", "DTSTART:20261224T200000\nDTEND:20261225T000000", ["2026-12-24"]),
    ("a time across midnight", "DTSTART:20261224T200000\nDTEND:20261225T000100", ["2026-12-24..2026-12-25"]),
    ("hours of length", "DTSTART:20261224T200000\nDURATION:PT4H1S", ["2026-12-24..2026-12-25"]),
    ("days and hours of length", "DTSTART:20261224T200000\nDURATION:P1DT5H", ["2026-12-24..2026-12-26"]),
    // 23:30 in UTC is half past midnight in Paris.
    ("a time in UTC", "DTSTART:20261224T233000Z\nDTEND:20261224T234500Z", ["2026-12-25"]),
    ("a time of another zone", "DTSTART;TZID=America/New_York:20261224T190000", ["2026-12-25"]),
    ("a zone without a slash", "DTSTART;TZID=EST5EDT:20261224T190000", ["2026-12-25"]),
    ("a quoted zone", "DTSTART;X-A=\"a:b;c\";TZID=\"America/New_York\":20261224T190000", ["2026-12-25"]),
    ("a zone with a prefix", "DTSTART;TZID=/example.org/2020/America/New_York:20261224T190000", ["2026-12-25"]),
    // 18:30 in New York is half past midnight in Paris, but in the weeks when only one of them has changed clocks.
    (
      "a rule by the clocks of another zone",
      "DTSTART;TZID=America/New_York:20261018T183000\nRRULE:FREQ=WEEKLY;COUNT=3",
      ["2026-10-19", "2026-10-25", "2026-11-02"]
    ),
    (
      "seconds that pass while clocks go back", "DTSTART:20261024T230000\nDURATION:PT25H\nRRULE:FREQ=DAILY;COUNT=1",
      ["2026-10-24..2026-10-25"]
    ),
    (
      "days by the clock while clocks go back", "DTSTART:20261024T230000\nDURATION:P1DT1H1S", ["2026-10-24..2026-10-26"]
    ),
    ("a time that clocks jump over", "DTSTART:20260329T023000\nRRULE:FREQ=DAILY;COUNT=2", ["2026-03-29..2026-03-30"]),
    (
      "dates left out", "DTSTART:20261224\nRRULE:FREQ=DAILY;COUNT=5\nEXDATE:20261225,20261227",
      ["2026-12-24", "2026-12-26", "2026-12-28"]
    ),
    (
      "times left out",
      "DTSTART:20261224T090000\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20261225T080000Z\nEXDATE:20261226T100000",
      ["2026-12-24", "2026-12-26"]
    ),
    (
      "a day left out of times", "DTSTART:20261224T090000\nRRULE:FREQ=DAILY;COUNT=2\nEXDATE;VALUE=DATE:20261224",
      ["2026-12-25"]
    ),
    (
      "times left out of days are days by the playlist's clock",
      "DTSTART:20261224\nRRULE:FREQ=DAILY;COUNT=4\nEXDATE:20261224T230000Z\n"
        + "EXDATE;TZID=America/New_York:20261226T190000,20261227T110000",
      ["2026-12-24", "2026-12-26"]
    ),
    (
      "days of a zone with a time left out",
      "DTSTART;TZID=America/New_York;VALUE=DATE:20261224\nRRULE:FREQ=DAILY;COUNT=2\nEXDATE:20261224T230000Z",
      ["2026-12-24"]
    ),
    (
      "dates added", "DTSTART:20261224\nRDATE;VALUE=DATE:20270101,20270106", ["2026-12-24", "2027-01-01", "2027-01-06"]
    ),
    (
      "periods added",
      "DTSTART:20261224T100000\nRDATE;VALUE=PERIOD:20270101T200000/PT5H,20270106T200000/20270106T210000",
      ["2026-12-24", "2027-01-01..2027-01-02", "2027-01-06"]
    ),
    ("an end on a day", "DTSTART:20261224T090000\nRRULE:FREQ=DAILY;UNTIL=20261226", ["2026-12-24..2026-12-26"]),
    (
      "an end at a time of whole days", "DTSTART:20261224\nRRULE:FREQ=DAILY;UNTIL=20261226T225959Z",
      ["2026-12-24..2026-12-26"]
    ),
    ("no longer on", "DTSTART:20261224\nSTATUS:CANCELLED", []),
    ("only planned", "DTSTART:20261224\nSTATUS:TENTATIVE\nTRANSP:TRANSPARENT", ["2026-12-24"]),
    (
      "before and behind what is read", "DTSTART:19691230\nDTEND:19700103\nRDATE:21000101,30000101",
      ["1970-01-01..1970-01-02"]
    ),
    ("small letters", "dtstart;value=date:20261224\nrrule:freq=daily;count=2", ["2026-12-24..2026-12-25"]),
    (
      "an alarm", "DTSTART:20261224\nBEGIN:VALARM\nTRIGGER:-PT15M\nDTSTART:20300101\nDURATION:P9W\nEND:VALARM\nX-A:b",
      ["2026-12-24"]
    ),
    ("folded lines", "DTSTA\n RT;VALUE=DA\n\tTE:2026\n 1224\nSUMMARY:Heilig\n abend", ["2026-12-24"]),
  ]

  @Test("An event lies on each day that it touches by the playlist's clock", arguments: events)
  func event(title: String, lines: String, days: [String]) throws {
    for ending in ["\n", "\r\n"] {
      let calendar = try ICalendarText.read(event: lines.replacing("\n", with: ending))
      #expect(calendar.days.map(\.text) == days, "\(title)")
      #expect(calendar.problems == [], "\(title)")
    }
  }

  @Test("A time that comes again on another clock changes its day with the clocks of both")
  func zones() throws {
    let lines = "DTSTART;TZID=Europe/Paris:20261023T003000\nRRULE:FREQ=DAILY;COUNT=3"
    #expect(
      try ICalendarText.read(event: lines, zone: "Asia/Kolkata").singleDays == [
        "2026-10-23", "2026-10-24", "2026-10-25",
      ])
    #expect(
      try ICalendarText.read(event: lines, zone: "America/New_York").singleDays == [
        "2026-10-22", "2026-10-23", "2026-10-24",
      ])
  }

  static let holidays = """
    BEGIN:VCALENDAR
    PRODID:-//Example Corp//Holidays 7.1//EN
    VERSION:2.0
    CALSCALE:GREGORIAN
    METHOD:PUBLISH
    X-WR-CALNAME:Feiertage in Österreich – Heuriger zum grü
     nen Baum
    BEGIN:VTIMEZONE
    TZID:Europe/Vienna
    BEGIN:DAYLIGHT
    TZOFFSETFROM:+0100
    TZOFFSETTO:+0200
    DTSTART:19700329T020000
    RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
    END:DAYLIGHT
    END:VTIMEZONE
    BEGIN:VEVENT
    DTSTART;VALUE=DATE:20250101
    DTEND;VALUE=DATE:20250102
    RRULE:FREQ=YEARLY;COUNT=3
    UID:new-year@example.com
    SUMMARY:Neujahr\\, New Year
    DESCRIPTION:BEGIN:VEVENT\\nis only a text
    TRANSP:TRANSPARENT
    END:VEVENT
    BEGIN:VEVENT
    DTSTART;VALUE=DATE:20260406
    DTEND;VALUE=DATE:20260407
    UID:easter-2026@example.com
    END:VEVENT
    BEGIN:VEVENT
    DTSTART;VALUE=DATE:20260803
    DTEND;VALUE=DATE:20260817
    UID:closed@example.com
    SUMMARY:Betriebsurlaub
    END:VEVENT
    BEGIN:VEVENT
    DTSTART;TZID=Europe/Vienna:20261102T180000
    DTEND;TZID=Europe/Vienna:20261102T200000
    RRULE:FREQ=MONTHLY;BYDAY=1MO;COUNT=3
    UID:evening@example.com
    END:VEVENT
    BEGIN:VEVENT
    RECURRENCE-ID;TZID=Europe/Vienna:20261207T180000
    DTSTART;TZID=Europe/Vienna:20261209T180000
    DTEND;TZID=Europe/Vienna:20261209T200000
    UID:evening@example.com
    END:VEVENT
    BEGIN:VEVENT
    RECURRENCE-ID:20270104T170000Z
    DTSTART;TZID=Europe/Vienna:20270104T180000
    UID:evening@example.com
    STATUS:CANCELLED
    END:VEVENT
    BEGIN:VTODO
    DTSTART;VALUE=DATE:20270701
    END:VTODO
    END:VCALENDAR

    """

  @Test("A calendar as programs export it: holidays, a closure, an evening that is moved once and cancelled once")
  func holidays() throws {
    let calendar = try ICalendarText.read(Self.holidays.replacing("\n", with: "\r\n"), zone: "Europe/Vienna")
    #expect(
      calendar.days.map(\.text) == [
        "2025-01-01", "2026-01-01", "2026-04-06", "2026-08-03..2026-08-16", "2026-11-02", "2026-12-09", "2027-01-01",
      ])
    #expect(calendar.problems == [])
  }

  @Test(
    "An occurrence that is cancelled without a start of its own is left out",
    arguments: ["STATUS:CANCELLED", "STATUS:Cancelled\nDTSTART;VALUE=DATE:20261202"])
  func cancelledOccurrence(lines: String) throws {
    let calendar = try ICalendarText.read(
      """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:a
      DTSTART;VALUE=DATE:20261201
      RRULE:FREQ=DAILY;COUNT=4
      END:VEVENT
      BEGIN:VEVENT
      UID:a
      RECURRENCE-ID;VALUE=DATE:20261202
      \(lines)
      END:VEVENT
      END:VCALENDAR

      """)
    #expect(calendar.days.map(\.text) == ["2026-12-01", "2026-12-03..2026-12-04"])
    #expect(calendar.problems == [])
  }

  @Test("Blanks at the end of a line mean nothing")
  func blanks() throws {
    let text = """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:a
      DTSTART;VALUE=DATE:20261201
      DURATION:P1D
      RRULE:FREQ=DAILY;COUNT=4
      EXDATE;VALUE=DATE:20261203
      END:VEVENT
      BEGIN:VEVENT
      DTSTART:20261224
      STATUS:CANCELLED
      END:VEVENT
      END:VCALENDAR

      """
    for ending in [" \n", " \t\r\n", "\r\r\n"] {
      let calendar = try ICalendarText.read(text.replacing("\n", with: ending))
      #expect(calendar.days.map(\.text) == ["2026-12-01..2026-12-02", "2026-12-04"])
      #expect(calendar.problems == [])
    }
  }

  @Test(
    "An event that stands in no calendar, or in something else, is left out with a warning; a second calendar counts")
  func strayEvents() throws {
    let event = "BEGIN:VEVENT\nDTSTART:20261224\nEND:VEVENT\n"
    let other = event.replacing("1224", with: "1226")
    let stray = ICalendar.Problem(line: 6, message: "an event outside of a calendar is left out")
    for (text, days, problems) in [
      ("\(event)END:VCALENDAR\n\(other)", ["2026-12-24"], [stray]),
      ("\(event)BEGIN:VTODO\n\(other)END:VTODO\nEND:VCALENDAR\n", ["2026-12-24"], [stray]),
      ("\(event)END:VCALENDAR\nBEGIN:VCALENDAR\n\(other)END:VCALENDAR\n", ["2026-12-24", "2026-12-26"], []),
    ] {
      let calendar = try ICalendarText.read("BEGIN:VCALENDAR\n" + text)
      #expect(calendar.days.map(\.text) == days, "\(text)")
      #expect(calendar.problems == problems, "\(text)")
    }
  }

  static let faults: [(lines: String, days: [String], message: String)] = [
    ("SUMMARY:x", [], "an event without `DTSTART` is left out"),
    ("DTSTART:20260230", [], "`20260230` is on a day that does not exist: the event is left out"),
    ("DTSTART:20270229", [], "`20270229` is on a day that does not exist: the event is left out"),
    ("DTSTART:00000101", [], "`00000101` is on a day that does not exist: the event is left out"),
    ("DTSTART:20261301", [], "`20261301` is on a day that does not exist: the event is left out"),
    ("DTSTART:20261224T250000", [], "`20261224T250000` is at a time that does not exist: the event is left out"),
    ("DTSTART:20261224T126000", [], "`20261224T126000` is at a time that does not exist: the event is left out"),
    ("DTSTART:2026-12-24", [], "`2026-12-24` is no date and no date-time: the event is left out"),
    ("DTSTART:", [], "`` is no date and no date-time: the event is left out"),
    ("DTSTART:20261224\nDTEND:20261223", ["2026-12-24"], "the end lies before the start: only the start counts"),
    (
      "DTSTART:20261224\nDTEND:20261225T100000", ["2026-12-24"],
      "a day and a time cannot be start and end of one event: only the start counts"
    ),
    ("DTSTART:20261224\nDURATION:-P3D", ["2026-12-24"], "`-P3D` is no duration of an event: only the start counts"),
    (
      "DTSTART:20261224\nDURATION:P9999999999D", ["2026-12-24"],
      "`P9999999999D` is no duration of an event: only the start counts"
    ),
    (
      "DTSTART;TZID=Mars/Base:20261224T100000", ["2026-12-24"],
      "unknown time zone `Mars/Base`: its times are read by the playlist's clock"
    ),
    (
      "DTSTART:20261224\nEXDATE:tomorrow", ["2026-12-24"],
      "`tomorrow` is no date and no date-time: nothing is left out by it"
    ),
    ("DTSTART:20261224\nRDATE:20261232", ["2026-12-24"], "`20261232` is on a day that does not exist: it is left out"),
    ("DTSTART:20261224\nEXRULE:FREQ=DAILY", ["2026-12-24"], "`EXRULE` is not understood: nothing is left out by it"),
    ("DTSTART:20261224\nnonsense", ["2026-12-24"], "this is no `NAME:value`"),
    ("DTSTART:20261224\nX-A;B=\"c:d", ["2026-12-24"], "this is no `NAME:value`"),
    (
      "STATUS:CANCELLED\nRECURRENCE-ID:soon", [], "`soon` is no date and no date-time: it takes the place of nothing"
    ),
    (
      "DTSTART:20261224\nRECURRENCE-ID;RANGE=THISANDFUTURE:20261224", ["2026-12-24"],
      "`RANGE=THISANDFUTURE` is not understood: only this one is changed"
    ),
  ]

  @Test("What is wrong or not understood is told with its line, and what counts instead", arguments: faults)
  func fault(lines: String, days: [String], message: String) throws {
    let calendar = try ICalendarText.read(event: lines)
    #expect(calendar.days.map(\.text) == days)
    #expect(calendar.problems.map(\.message) == [message])
    let isOfEvent = message.hasPrefix("an event without")
    #expect(calendar.problems.first?.line == (isOfEvent ? 2 : lines.contains("\n") ? 4 : 3))
  }

  static let broken: [(text: String, failure: ICalendar.Failure)] = [
    ("", .notCalendar(line: 1)), ("\n\n  \n", .notCalendar(line: 1)), ("\n<html>\n", .notCalendar(line: 2)),
    ("BEGIN:VEVENT\nDTSTART:20261224\nEND:VEVENT\n", .notCalendar(line: 1)),
    ("BEGIN:VCALENDAR\n", .cutOff(line: 1)),
    ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261224\n", .cutOff(line: 2)),
    ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261224\nEND:VCALENDAR\n", .cutOff(line: 2)),
  ]

  @Test("What is no calendar, or was not copied to its end, is refused", arguments: broken)
  func refused(text: String, failure: ICalendar.Failure) {
    #expect(throws: failure) { try ICalendarText.read(text) }
  }

  @Test("A file has at most 20 000 events, and its rules look at no more days than they may")
  func limits() {
    let event = "BEGIN:VEVENT\nDTSTART:20261224\nEND:VEVENT\n"
    func calendar(_ count: Int, _ event: String) -> String {
      "BEGIN:VCALENDAR\n" + String(repeating: event, count: count) + "END:VCALENDAR\n"
    }
    #expect(throws: Never.self) { try ICalendarText.read(calendar(20_000, event)) }
    #expect(throws: ICalendar.Failure.tooManyEvents(20_000)) { try ICalendarText.read(calendar(20_001, event)) }
    // What is no event does not count.
    let tasks = "BEGIN:VTODO\nDTSTART:20261224\nEND:VTODO\n"
    #expect(throws: Never.self) { try ICalendarText.read(calendar(20_000, event) + calendar(1, tasks)) }
    #expect(throws: ICalendar.Failure.tooManyEvents(20_000)) {
      try ICalendarText.read(calendar(20_001, "BEGIN:VEVENT\nSTATUS:CANCELLED\nEND:VEVENT\n"))
    }
    let tooMany = ICalendar.Failure.tooManyDays(100_000)
    let budget = ICalendarDays.Budget(limit: 100_000)
    for lines in [
      "DTSTART:00010101\nRRULE:FREQ=DAILY;COUNT=999999999", "DTSTART:19700101\nDURATION:P99999W\nRRULE:FREQ=DAILY",
      "DTSTART:19700101\nRRULE:FREQ=YEARLY;BYDAY=MO,TU", "DTSTART;TZID=Asia/Tokyo:19700101T200000\nRRULE:FREQ=DAILY",
    ] {
      #expect(throws: tooMany) {
        try ICalendarText.read(calendar(50, "BEGIN:VEVENT\n\(lines)\nEND:VEVENT\n"), budget: budget)
      }
    }
    // Each of many events would leave out what each of many others takes the place of.
    let same = "BEGIN:VEVENT\nUID:a\nDTSTART:20261224\nEND:VEVENT\n"
    let other = "BEGIN:VEVENT\nUID:a\nRECURRENCE-ID:20261224\nDTSTART:20261224\nEND:VEVENT\n"
    #expect(throws: tooMany) { try ICalendarText.read(calendar(5_000, same + other), budget: budget) }
  }

  @Test("Only the first problems are kept, and all are counted")
  func problems() throws {
    let calendar = try ICalendarText.read(event: "DTSTART:20261224\n" + String(repeating: "?\n", count: 900))
    #expect(calendar.problems.count == 5 && calendar.problemCount == 900)
  }

  @Test("A damaged calendar never traps, whatever its bytes")
  func mutations() {
    var random = SeededGenerator(seed: 11)
    let parts = [
      Self.holidays, "-", "99999999999999999999", ";", ":", "\"", ",", "\n ", "\r", "T", "Z", "P", "BYDAY=-53SU;",
      "INTERVAL=999999999;",
      "UNTIL=99991231T235959Z", "00010101", "99991231", "BEGIN:VEVENT\n", "END:VEVENT\n", "DURATION:P999999999W\n",
      "\u{0}",
    ].map { Array($0.utf8) }
    var read = 0
    for _ in 0..<500 {
      var bytes = parts[0]
      for _ in 0..<1 + random.next(below: 6) {
        let place = random.next(below: bytes.count)
        switch random.next(below: 4) {
        case 0: bytes[place] = UInt8(random.next(below: 256))
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.next(below: 12)))
        case 2: bytes[place] = UInt8(ascii: "0") + UInt8(random.next(below: 10))
        default: bytes.insert(contentsOf: parts[1 + random.next(below: parts.count - 1)], at: place)
        }
      }
      let calendar = try? ICalendarText.read(bytes, zone: "Europe/Vienna", budget: .init(limit: 20_000))
      let days = calendar?.days.compactMap { range -> ClosedRange<Int>? in
        guard case .once(let first, let last) = range.days, first <= last else { return nil }
        return first.dayNumber...last.dayNumber
      }
      guard let calendar, let days else { continue }
      read += 1
      #expect(days.count == calendar.days.count)
      // 1970 to 2099, ascending; days in a row are one stretch.
      #expect(days.allSatisfy { $0.lowerBound >= 0 && $0.upperBound < 47_482 })
      #expect(zip(days, days.dropFirst()).allSatisfy { $0.upperBound + 1 < $1.lowerBound })
    }
    #expect(read > 100)
  }
}
