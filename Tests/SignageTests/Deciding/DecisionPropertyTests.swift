import CastProtocol
import Foundation
import ScenarioLanguage
import Signage
import Testing
import TestSupport

/// Decisions against a second, plain implementation of docs/language/playlist.md "Time" and "Who wins".
@Suite struct DecisionPropertyTests {
  /// In 2025 to 2030.
  private static let years = 1_735_689_600..<1_924_991_999
  private static let playlists = 40
  /// In each zone: 100 000 in all.
  private static let moments = 20_000

  @Test(
    "What is on at any moment is what the page on playlists says, also while clocks change", arguments: Playlists.zones)
  func decisions(zone: String) throws {
    var dice = SeededGenerator(seed: UInt64(20_261_123).mixed(with: zone))
    let clock = try #require(TimeZone(identifier: zone))
    let changes = PlainDays.changes(clock, in: Self.years)
    #expect(changes.isEmpty == ["Asia/Kolkata", "UTC"].contains(zone))
    var wrong: [String] = []
    for _ in 0..<Self.playlists {
      let plain = PlainPlaylist(seed: dice.next(), zone: zone)
      let program = try Playlists.program(plain.yaml, zone: zone)
      for _ in 0..<Self.moments / Self.playlists {
        var time = Self.years.lowerBound + dice.next(below: Self.years.count)
        // Half of them in the hours around a change of clocks, or around midnight where dates begin or end.
        if dice.next(below: 3) == 0, let change = changes.randomElement(using: &dice) {
          time = change - 4 * 3_600 + dice.next(below: 8 * 3_600)
        } else if dice.next(below: 4) == 0, let midnight = plain.edge(in: 2_025 + dice.next(below: 6), &dice) {
          time = midnight - 3 * 3_600 + dice.next(below: 6 * 3_600)
          time -= PlainDays.offset(clock, at: time)
        }
        let expected = plain.isOn(at: time + PlainDays.offset(clock, at: time))
        let decision = Playlists.words(program.decision(at: time))
        if decision != expected { wrong.append("\(time): \(decision), not \(expected)\n\(plain.yaml)") }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count) of \(Self.moments), the first: \(wrong.first ?? "")")
  }

  @Test("Stretches follow each other without holes, and each is what is decided inside", arguments: Playlists.zones)
  func stretches(zone: String) throws {
    var dice = SeededGenerator(seed: UInt64(7).mixed(with: zone))
    let clock = try #require(TimeZone(identifier: zone))
    let changes = PlainDays.changes(clock, in: Self.years)
    for _ in 0..<20 * Effort.factor {
      let plain = PlainPlaylist(seed: dice.next(), zone: zone)
      let program = try Playlists.program(plain.yaml, zone: zone)
      let middle = changes.randomElement(using: &dice) ?? Self.years.lowerBound + dice.next(below: Self.years.count)
      let range = middle - 3 * 86_400 - dice.next(below: 86_400)..<middle + 3 * 86_400
      let stretches = program.stretches(in: range)
      #expect(stretches.first?.range.lowerBound == range.lowerBound)
      #expect(stretches.last?.range.upperBound == range.upperBound)
      for (left, right) in zip(stretches, stretches.dropFirst()) {
        #expect(left.range.upperBound == right.range.lowerBound && !left.decision.isSame(as: right.decision))
      }
      for stretch in stretches {
        let inside = stretch.range.lowerBound + dice.next(below: stretch.range.count)
        for time in [stretch.range.lowerBound, inside, stretch.range.upperBound - 1] {
          let expected = plain.isOn(at: time + PlainDays.offset(clock, at: time))
          #expect(Playlists.words(stretch.decision) == expected, "\(time)\n\(plain.yaml)")
          #expect(program.decision(at: time) == stretch.decision)
        }
      }
    }
  }
}
