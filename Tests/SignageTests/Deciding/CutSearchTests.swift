import CastProtocol
import Foundation
import ScenarioLanguage
import TestSupport
import Testing

@testable import Signage

@Suite struct CutSearchTests {
  private static let interrupts = [
    "every: 1m", "every: 20m", "every: 45m", "every: 24h", "at: \"02:30\"", "at: [\"00:00\", \"02:00\", \"23:59\"]",
  ]
  private static let times = [
    "", "hours: 01:30-02:30", "hours: 23:00-03:00", "days: sun", "dates: 2026-10-25..2026-10-26", "dates: 02-29",
    "days: mon, dates: 2027-03-01..2027-11-15", "hours: [00:00-00:01, 02:29-02:31]",
  ]

  @Test("The next is the first of all that are due, also while clocks change", arguments: Playlists.zones)
  func first(zone: String) throws {
    var dice = SeededGenerator(seed: UInt64(4).mixed(with: zone))
    let clock = try #require(TimeZone(identifier: zone))
    // 2026 to 2027.
    let years = 1_767_225_600..<1_830_297_600
    let changes = PlainDays.changes(clock, in: years)
    for _ in 0..<25 * Effort.factor {
      let during = Self.times.randomElement(using: &dice).map { $0.isEmpty ? "" : ", during: { \($0) }" } ?? ""
      let text = "{ \(Self.interrupts.randomElement(using: &dice) ?? "")\(during), play: [b] }"
      let quiet = ["", "quiet: { hours: 02:15-07:00 }", "quiet: { days: mon-sat, hours: 22:00-02:30, screen: keep }"]
      let program = try Playlists.program(
        "program: [{ play: [a] }]\ninterrupts: [\(text)]\n\(quiet.randomElement(using: &dice) ?? "")", zone: zone)
      for _ in 0..<6 {
        let middle = changes.randomElement(using: &dice) ?? years.lowerBound + dice.next(below: years.count)
        let time = middle - 30 * 3_600 + dice.next(below: 32 * 60) * 60 + dice.next(below: 2)
        let range = time + 1..<time + 3 * 86_400
        let next = program.nextCut(of: 0, after: time)
        let first = program.cuts(in: range).first
        if let next, range.contains(next.at) {
          #expect(next == first, "\(text) after \(time)")
        } else {
          #expect(first == nil, "\(text) after \(time): not \(String(describing: next))")
        }
      }
    }
  }

  @Test(
    "No more is worked out than leads to the first, however far away it is and however often it comes",
    arguments: [
      ("every: 1m", "2026-11-23 12:01"),
      ("every: 1m, during: { dates: 2027-06-01..2027-12-31 }", "2027-06-01 00:00"),
      ("every: 1m, during: { dates: 2060-01-01..2067-12-31 }", "2060-01-01 00:00"),
      ("at: \"12:00\", during: { dates: 02-29 }", "2028-02-29 12:00"),
    ])
  func work(interrupt: String, at: String) throws {
    let program = try Playlists.program("program: [{ play: [a] }]\ninterrupts: [{ \(interrupt), play: [b] }]")
    let time = try Playlists.moment("2026-11-23 12:00", program)
    var search = CutSearch(program, of: 0)
    let found = search.next(after: time)
    let next = try #require(found)
    #expect(next == (try Playlists.moment(at, program)))
    #expect(search.worked <= 3_600)
    #expect(search.looked <= (interrupt.contains("02-29") ? next - time + 65 * 86_400 : 86_400))
  }

  @Test("Behind the last of its dates nothing is looked for")
  func over() throws {
    let program = try Playlists.program(
      "program: [{ play: [a] }]\n"
        + "interrupts: [{ every: 1m, during: { dates: [2026-01-01, 2026-11-22], hours: 23:00-01:00 }, play: [b] }]")
    var search = CutSearch(program, of: 0)
    let last = search.next(after: try Playlists.moment("2026-11-23 00:58", program))
    #expect(last == (try Playlists.moment("2026-11-23 00:59", program)))
    // Nor where a calendar has no day at all.
    let empty = try Playlists.program(
      "calendars: { none: [] }\nprogram: [{ play: [a] }]\n"
        + "interrupts: [{ every: 1m, during: { calendar: none }, play: [b] }]")
    var other = CutSearch(empty, of: 0)
    #expect(other.next(after: last ?? 0) == nil && other.looked == 0)
    let none = search.next(after: try Playlists.moment("2026-11-23 00:59", program))
    #expect(none == nil && search.looked <= 3 * 86_400)
  }
}
