import CastProtocol
import ScenarioLanguage
import Testing

@testable import Signage

@Suite struct WeekViewTests {
  static let lines = """
    dayparts:
      breakfast: { days: mon-fri, hours: 07:00-11:00 }
      evening: { hours: 17:00-01:00 }
    program:
      - { during: { dates: 12-24 }, play: [a] }
      - { during: breakfast, play: [b, c] }
      - { during: evening, play: [d] }
    interrupts:
      - { every: 30m, during: evening, play: [e] }
    quiet: { hours: 01:00-07:00 }
    """

  static func week(_ lines: String = lines, from date: String, zone: String = "Europe/Paris") throws -> WeekView {
    WeekView(try Playlists.program(lines, zone: zone), from: try #require(CivilDate(written: date)))
  }

  @Test(
    "Every day begins and ends at its own midnight, and all stretches together are the week", arguments: Playlists.zones
  )
  func days(zone: String) throws {
    for from in ["2026-10-22", "2026-11-01", "2027-03-14", "2027-03-25", "2027-04-01", "2026-12-28"] {
      let week = try Self.week(from: from, zone: zone)
      #expect(week.days.count == 7 && week.days.first?.date.iso == from)
      for (left, right) in zip(week.days, week.days.dropFirst()) {
        #expect(left.range.upperBound == right.range.lowerBound)
      }
      for day in week.days {
        #expect([82_800, 84_600, 86_400, 88_200, 90_000].contains(day.range.count), "\(day.range.count)")
        #expect(day.stretches.reduce(0) { $0 + $1.range.count } == day.range.count)
      }
      let total = week.days.reduce(0) { $0 + $1.range.count }
      #expect(week.stretches.reduce(0) { $0 + $1.range.count } == total)
      #expect(week.clockChanges.reduce(7 * 86_400) { $0 + $1.before - $1.after } == total)
    }
  }

  @Test(
    "Lines of the week have 80 columns at most, whatever the document says",
    arguments: [
      lines,
      "program: [{ during: { days: \"mon,wed,fri\", hours: [01:00-02:00, 03:00-04:00, 05:00-06:00, 07:00-08:00, 09:00-10:00] }, "
        + "play: [https://e.com/\(String(repeating: "long", count: 40)).jpg] }]",
      "program:\n"
        + (0..<70).map { "  - { during: { hours: \(10 + $0 / 6):\($0 % 6)0-\(10 + $0 / 6):\($0 % 6)5 }, play: [a] }\n" }
        .joined(),
    ])
  func columns(lines: String) throws {
    let plan = try Self.week(lines, from: "2026-10-22").program.plan
    var wide = plan
    wide.title = String(repeating: "界面", count: 60) + "\u{1B}[2J\n"
    for plan in [plan, wide] {
      let program = Program(plan, in: try Playlists.rules("Europe/Paris"))
      let text = WeekView(program, from: try #require(CivilDate(written: "2026-10-22"))).text(isColored: false)
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
      for line in text.split(separator: "\n") {
        #expect(DisplayWidth.of(line.unicodeScalars) <= 80, "\(line)")
      }
    }
  }

  @Test("Colour marks gaps and quiet hours, and changes no letter")
  func color() throws {
    let week = try Self.week(from: "2026-12-21")
    let (plain, colored) = (week.text(isColored: false), week.text(isColored: true))
    #expect(!plain.contains("\u{1B}") && colored.contains("\u{1B}[31m!\u{1B}[0m"))
    #expect(colored.replacing(/\u{1B}\[\d+m/, with: "") == plain)
  }

  @Test("A daypart may be called as what is built in: what goes on in quiet hours says so")
  func quietByName() throws {
    let week = try Self.week(
      """
      dayparts: { quiet: { hours: 08:00-20:00 } }
      program: [{ during: quiet, play: [a] }, { play: [b] }]
      quiet: { hours: 09:00-10:00, screen: keep }
      """, from: "2026-12-21")
    let lines = week.text(isColored: false).split(separator: "\n").map(String.init)
    #expect(lines.contains("  09:00-10:00  b  quiet, in quiet hours"), "\(lines)")
    #expect(lines.contains("  10:00-20:00  a  quiet"), "\(lines)")
    for (clock, reason) in [
      ("12:00", "program[0], line 6: quiet (08:00-20:00), line 5"), ("21:00", "program[1], line 6: any_time"),
    ] {
      let text = MomentView(week.program, at: try #require(MomentView.wall(written: "2026-12-21 \(clock)"))).text
      #expect(text.contains("decided by   \(reason)\n"), "\(text)")
    }
  }

  @Test("JSON has every stretch with its zone's offset, and what the gaps add up to")
  func json() throws {
    let json = try Self.week(from: "2026-10-22").json
    let stretches = try #require(json["stretches"]?.array)
    #expect(stretches.reduce(0) { $0 + ($1["seconds"]?.int ?? 0) } == 7 * 86_400 + 3_600)
    #expect(json["from"] == "2026-10-22T00:00:00+02:00" && json["to"] == "2026-10-29T00:00:00+01:00")
    for (left, right) in zip(stretches, stretches.dropFirst()) { #expect(left["to"] == right["from"]) }
    let gaps = stretches.filter { $0["shows"] == "nothing" }.reduce(0) { $0 + ($1["seconds"]?.int ?? 0) }
    #expect(json["gapSeconds"]?.int == gaps && gaps > 0)
    #expect(json["clockChanges"]?.array?.map { $0["at"] } == ["2026-10-25T02:00:00+01:00"])
    #expect(json["interrupts"]?.array?.first?["count"] == 112)
    let breakfast = try #require(stretches.first { $0["rule"] == 1 })
    #expect(breakfast["play"] == ["b", "c"] && breakfast["decidedBy"]?["daypart"] == "breakfast")
    #expect(breakfast["decidedBy"]?["line"] == 10 && breakfast["decidedBy"]?["daypartLine"] == 6)
  }

  @Test("JSON tells of each interrupt how often it is due and when first, as the cuts of the week say")
  func interrupts() throws {
    let list = (0..<40).map { "{ every: \($0 + 5)m, during: { hours: \(10 + $0 % 8):00-20:00 }, play: [a] }" }
    let week = try Self.week(
      "program: [{ play: [b] }]\ninterrupts: [\(list.joined(separator: ", ")), { at: \"12:00\", "
        + "during: { dates: 2030-01-01 }, play: [c] }]", from: "2026-10-22")
    let told = try #require(week.json["interrupts"]?.array)
    let clock = ClockText(zone: week.program.zone)
    let range = try #require(week.days.first).range.lowerBound..<(try #require(week.days.last)).range.upperBound
    #expect(told.count == 41 && told.last?["count"] == 0 && told.last?["first"] == nil)
    for (index, interrupt) in told.enumerated().dropLast() {
      let first = week.program.nextCut(of: index, after: range.lowerBound - 1)
      #expect(interrupt["first"]?.string == first.map { clock.stamp($0.at) })
      var count = 0
      var next = first
      while let cut = next, range.contains(cut.at) {
        count += 1
        next = week.program.nextCut(of: index, after: cut.at)
      }
      #expect(interrupt["count"]?.int == count && count > 0)
    }
  }

  @Test(
    "A week lies within the years 1 to 9999, whatever its first day", arguments: Playlists.zones + ["Pacific/Apia"])
  func farthest(zone: String) throws {
    let program = try Playlists.program("program: [{ during: { hours: 07:00-09:00 }, play: [a] }]", zone: zone)
    for (date, first) in [("9999-12-31", "9999-12-24"), ("9999-12-20", "9999-12-20"), ("0001-01-01", "0001-01-02")] {
      let week = WeekView(program, from: try #require(CivilDate(written: date)))
      #expect(week.days.first?.date.iso == first && week.days.count == 7)
      #expect(week.stretches.first?.range.lowerBound == week.days.first?.range.lowerBound)
      for text in [week.text(isColored: false), week.json.serialized(), week.calendar(now: 0)] {
        #expect(!text.contains(/\b(10000|0000)/), "\(text)")
      }
    }
  }

  @Test(
    "A stamp has an offset of whole minutes and names the same moment (RFC 3339 5.8)",
    arguments: [
      ("Europe/Paris", "1900-01-01 00:00", "1899-12-31T23:59:39+00:09"),
      ("America/New_York", "1880-01-01 12:00:10", "1880-01-01T12:00:12-04:56"),
      ("Africa/Accra", "1900-01-01 00:00", "1899-12-31T23:59:52-00:01"),
      ("Africa/Monrovia", "1970-01-01 00:00", "1969-12-31T23:59:30-00:45"),
      ("Europe/Paris", "2026-12-24 18:30", "2026-12-24T18:30:00+01:00"),
    ])
  func stamp(zone: String, moment: String, expected: String) throws {
    let rules = try Playlists.rules(zone)
    let wall = try #require(MomentView.wall(written: moment))
    guard case .once(let time) = rules.moments(of: wall) else { throw Playlists.NoPlaylist() }
    #expect(ClockText(zone: rules).stamp(time) == expected)
  }

  @Test("The calendar has an event for each stretch, in lines of 75 octets as RFC 5545 wants them")
  func calendar() throws {
    var plan = try Self.week(from: "2026-10-22").program.plan
    plan.program[1].items = (0..<9).map { index in
      var item = plan.program[1].items[0]
      item.id = "Frühstück, mit; Käse\\\u{7}\u{9B}\u{202E}\n \(index) 🥐"
      return item
    }
    let program = Program(plan, in: try Playlists.rules("Europe/Paris"))
    let week = WeekView(program, from: try #require(CivilDate(written: "2026-10-22")))
    let text = week.calendar(now: 1_795_000_000)
    #expect(text.hasPrefix("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:") && text.hasSuffix("END:VCALENDAR\r\n"))
    let octets = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    for line in octets.dropLast() { #expect(line.last == 0x0D && line.count <= 76) }
    #expect(!text.unicodeScalars.contains { $0.isDisplayControl && $0 != "\r" && $0 != "\n" })
    let lines = text.replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
    #expect(lines.allSatisfy { $0.wholeMatch(of: /[A-Z-]+:.*/) != nil })
    func values(_ name: String) -> [String] {
      lines.filter { $0.hasPrefix(name + ":") }.map { String($0.dropFirst(name.count + 1)) }
    }
    #expect(values("BEGIN").count == week.stretches.count + 1 && values("END").count == week.stretches.count + 1)
    #expect(Set(values("UID")).count == week.stretches.count && Set(values("DTSTAMP")) == ["20261118T110640Z"])
    #expect(Array(values("DTSTART").dropFirst()) == Array(values("DTEND").dropLast()))
    #expect(values("DTSTART").first == "20261021T220000Z")
    #expect(values("SUMMARY").contains { $0.hasPrefix(#"breakfast: Frühstück\, mit\; Käse\\\n 0 🥐\, "#) }, "\(lines)")
  }
}
