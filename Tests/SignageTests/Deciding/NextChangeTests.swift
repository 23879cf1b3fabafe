import Foundation
import ScenarioLanguage
import Signage
import Testing
import TestSupport

@Suite struct NextChangeTests {
  private static let lines = """
    calendars: { holidays: [2026-12-25, 01-01, 05-01] }
    dayparts:
      breakfast: { days: mon-fri, hours: 07:00-11:00 }
      night: { days: fri-sat, hours: 22:00-02:30, not: { calendar: holidays } }
    program:
      - { during: { dates: 12-24..12-26 }, play: [a] }
      - { during: breakfast, play: [b] }
      - { during: night, play: [c] }
      - { during: { hours: 01:45-02:15 }, play: [{ media: d, valid: 2027-03-01..2027-11-30 }] }
    quiet: { hours: 02:30-06:00 }
    fallback: f
    """

  /// The same by hand: what is on at a minute of a day.
  private static func expected(_ day: PlainDays.Day, _ before: PlainDays.Day, _ minute: Int) -> String {
    func isHoliday(_ day: PlainDays.Day) -> Bool {
      day.month == 1 && day.day == 1 || day.month == 5 && day.day == 1
        || day.year == 2_026 && day.month == 12 && day.day == 25
    }
    if minute >= 150, minute < 360 { return "stop" }
    if day.month == 12, day.day >= 24, day.day <= 26 { return "rule 0" }
    if day.weekday < 5, minute >= 420, minute < 660 { return "rule 1" }
    if (4...5).contains(day.weekday), minute >= 1_320, !isHoliday(day) { return "rule 2" }
    if (4...5).contains(before.weekday), minute < 150, !isHoliday(before) { return "rule 2" }
    if minute >= 105, minute < 135, day.year == 2_027, day.month >= 3, day.month <= 11 { return "rule 3" }
    return "fallback"
  }

  @Test("Every change of two years is at the minute at which a scan finds it", arguments: Playlists.zones)
  func scan(zone: String) throws {
    let program = try Playlists.program(Self.lines, zone: zone)
    let clock = try #require(TimeZone(identifier: zone))
    // 2026-06-01 to 2028-06-01.
    let range = 1_780_272_000..<1_843_430_400
    var found: [(at: Int, what: String)] = []
    var offset = 0
    var time = range.lowerBound
    let days = PlainDays.all
    while time < range.upperBound {
      if time % 1_800 == 0 { offset = PlainDays.offset(clock, at: time) }
      let wall = time + offset
      let day = wall / 86_400
      let what = Self.expected(days[day], days[day - 1], wall % 86_400 / 60)
      if found.last?.what != what { found.append((time, what)) }
      time += 60
    }
    #expect(found.count > 2_500)
    let stretches = program.stretches(in: range).map { (at: $0.range.lowerBound, what: Playlists.words($0.decision)) }
    #expect(stretches.count == found.count)
    let differing = zip(stretches, found).first { $0 != $1 }
    #expect(differing == nil)
    // Around changes of clocks all of them, else some.
    let nights = PlainDays.changes(clock, in: range)
    for (index, (left, right)) in zip(found, found.dropFirst()).enumerated() {
      guard Effort.factor >= 5 || index % 10 == 0 || nights.contains(where: { abs($0 - left.at) < 200_000 }) else {
        continue
      }
      let next = program.nextChange(after: left.at)
      #expect(next?.at == right.at && next.map { Playlists.words($0.decision) } == right.what, "\(left)")
      // One second before its time it is the same change.
      #expect(program.nextChange(after: right.at - 1)?.at == right.at)
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var lines: String
    var after: String
    var at: String?
    var what: String?
    var testDescription: String { "\(lines) after \(after)" }

    init(_ lines: String, _ after: String, _ at: String?, _ what: String?) {
      self.lines = lines
      self.after = after
      self.at = at
      self.what = what
    }
  }

  @Test(
    "The next change is found however far away, and not where there is none",
    arguments: [
      // Nothing ever changes.
      Case("program: [{ play: [a] }]", "2026-11-23 12:00", nil, nil),
      Case("program: [{ play: [a] }, { during: { hours: 07:00-08:00 }, play: [b] }]", "2026-11-23 12:00", nil, nil),
      Case("program: [{ during: { dates: 2026-01-01..2026-02-01 }, play: [a] }]", "2026-11-23 12:00", nil, nil),
      Case(
        "program: [{ during: { dates: 2026-01-01..2026-02-01 }, play: [a] }]", "2026-01-15 12:00", "2026-02-02 00:00",
        "nothing"),
      // Years away.
      Case("program: [{ during: { dates: 12-24 }, play: [a] }]", "2026-12-25 00:00", "2027-12-24 00:00", "rule 0"),
      Case("program: [{ during: { dates: 02-29 }, play: [a] }]", "2028-03-01 00:00", "2032-02-29 00:00", "rule 0"),
      Case(
        "program: [{ during: { dates: 02-29, days: mon }, play: [a] }]", "2026-01-01 00:00", "2044-02-29 00:00",
        "rule 0"),
      Case("program: [{ during: { dates: 2039-05-05 }, play: [a] }]", "2026-01-01 00:00", "2039-05-05 00:00", "rule 0"),
      // One window ends where the same rule's next begins.
      Case(
        "program: [{ during: { hours: [07:00-09:00, 09:00-11:00] }, play: [a] }]", "2026-11-23 08:00",
        "2026-11-23 11:00", "nothing"),
      // The window of Friday.
      Case(
        "program: [{ during: { days: fri, hours: 17:00-01:00 }, play: [a] }]", "2026-11-27 23:00", "2026-11-28 01:00",
        "nothing"),
      // An item of days: from the day on which it is valid.
      Case(
        "program: [{ play: [{ media: a, valid: 2026-12-01..2026-12-02 }] }]\nfallback: b", "2026-11-27 23:00",
        "2026-12-01 00:00", "rule 0"),
      // Quiet hours that keep the program.
      Case(
        "program: [{ play: [a] }]\nquiet: { hours: 22:00-07:00, screen: keep }", "2026-11-23 12:00", "2026-11-23 22:00",
        "rule 0 quiet"),
      // Within the hour that is skipped, and in the one that comes twice.
      Case(
        "program: [{ during: { hours: 02:00-03:00 }, play: [a] }]", "2027-03-28 01:00", "2027-03-29 02:00", "rule 0"),
      Case(
        "program: [{ during: { hours: 02:15-04:00 }, play: [a] }]", "2027-03-28 01:00", "2027-03-28 03:00", "rule 0"),
      Case(
        "program: [{ during: { hours: 01:00-03:00 }, play: [a] }]", "2026-10-25 01:00", "2026-10-25 03:00", "nothing"),
    ])
  func changes(_ given: Case) throws {
    let program = try Playlists.program(given.lines)
    let next = program.nextChange(after: try Playlists.moment(given.after, program))
    #expect(next?.at == (try given.at.map { try Playlists.moment($0, program) }))
    #expect(next.map { Playlists.words($0.decision) } == given.what)
  }

  @Test("In the hour that comes twice a window is on both times")
  func twice() throws {
    let program = try Playlists.program("program: [{ during: { hours: 02:10-02:20 }, play: [a] }]")
    let first = try Playlists.moment("2026-10-25 02:10", program)
    let stretches = program.stretches(in: first - 600..<first + 5_400).filter { $0.decision.content == .rule(0) }
    #expect(stretches.map(\.range) == [first..<first + 600, first + 3_600..<first + 4_200])
  }

  @Test("A rule that is through leaves its place to the next until its window opens again")
  func finished() throws {
    let program = try Playlists.program(
      "program: [{ during: { hours: 07:00-09:00 }, repeat: false, play: [a] }, { play: [b] }]")
    let time = try Playlists.moment("2026-11-23 08:00", program)
    #expect(program.decision(at: time).content == .rule(0))
    #expect(program.decision(at: time, finished: [0]).content == .rule(1))
    let next = program.nextChange(after: time, finished: [0])
    #expect(next?.at == (try Playlists.moment("2026-11-24 07:00", program)) && next?.decision.content == .rule(0))
    #expect(program.opening(ofRule: 0, at: time) == (try Playlists.moment("2026-11-23 07:00", program)))
    #expect(program.opening(ofRule: 0, at: time + 7_200) == nil && program.opening(ofRule: 9, at: time) == nil)
    #expect(program.opening(ofRule: 1, at: time) == nil)
  }

  @Test("No time is too early or too late to be asked for", arguments: [Int.min, -1 << 60, -1, 0, 1 << 60, Int.max])
  func extremes(time: Int) throws {
    let program = try Playlists.program(Self.lines + "\ninterrupts: [{ every: 30m, play: [e] }]")
    _ = program.decision(at: time)
    _ = program.nextChange(after: time)
    _ = program.nextCut(after: time)
    _ = program.stretches(in: time..<(time == .max ? time : time + 1))
    _ = MomentView(program, atTime: time).text
  }
}
