import CastProtocol
import Foundation
import ScenarioLanguage
@testable import Signage
import Simulation
import Testing

/// The promise of `serve`, on the playlist that the README shows.
@Suite struct CafeDayTests {
  /// The café's playlist, with one item that the screens cannot load.
  private static func program() throws -> Program {
    let file = URL(filePath: #filePath).appending(path: "../../../../playlists/cafe.yaml").standardized
    var plan = try Playlists.plan(String(contentsOf: file, encoding: .utf8))
    for rule in plan.program.indices {
      for item in plan.program[rule].items.indices where plan.program[rule].items[item].id == "croissant" {
        plan.program[rule].items[item].media.contentType = "application/x-none"
      }
    }
    return Program(plan, in: try Playlists.rules("Europe/Paris"))
  }

  private static let restarts: [Range<Duration>] = [
    .seconds(9 * 3_600 + 100) ..< .seconds(9 * 3_600 + 105), .seconds(18 * 3_600) ..< .seconds(18 * 3_600 + 60),
  ]

  /// Half an hour of somebody's film on the first screen, from one o'clock on.
  private static let match: (start: Duration, length: Duration) = (.seconds(13 * 3_600), .seconds(1_800))

  /// When each screen has no power.
  private static func powerCuts(_ seed: UInt64) -> [String: [Range<Duration>]] {
    var dice = SeededGenerator(seed: seed)
    var cuts: [String: [Range<Duration>]] = [:]
    for screen in ["Window TV", "Counter TV"] {
      var time = 7 * 3_600
      cuts[screen] = (0..<5).map { _ in
        let start = time + 300 + dice.next(below: 8_000)
        time = start + 20 + dice.next(below: 600)
        return .seconds(start) ..< .seconds(time)
      }
    }
    return cuts
  }

  @Test("A day in the café, whatever happens in it, adds up, and is dark only while a device is off and 10 s after")
  func day() throws {
    let program = try Self.program()
    let begin = Double(try Playlists.moment("2026-11-23 00:00", program))
    let cuts = Self.powerCuts(4)
    var simulation = PlaylistSimulation(from: begin, for: .seconds(86_400))
    simulation.keepsMoments = false
    simulation.seed = 4
    simulation.pauses = Self.restarts
    for (screen, cuts) in cuts {
      var presence = DevicePresence()
      presence.powerCuts = cuts
      simulation.presences.own[screen] = presence
    }
    simulation.beside = { stage in
      try? await Strangers.play(for: Self.match.length, after: Self.match.start, on: stage)
    }
    let records = try simulation.run(program).records

    var sum = LedgerSum(by: .screen)
    for record in records { try sum.add(record, in: program.zone) }
    #expect(sum.clocks.count == 2)
    for clock in sum.clocks.values {
      #expect(clock.total == 86_400_000 && clock.twice == 0)
      // What the daemon did not see is the time in which it was stopped.
      #expect(clock.unrecorded <= 65_000, "\(clock.unrecorded)")
      #expect(clock.gaps[.quiet, default: 0] >= 6 * 3_600_000 - 20_000)
    }
    #expect(Self.dark(records, outside: cuts, from: begin) == [])
    let skipped = records.contains { if case .skip(let skip) = $0.kind { skip.item == "croissant" } else { false } }
    #expect(skipped, "what cannot be loaded is passed over, with a reason")
    let yielded = records.contains { if case .gap(let gap) = $0.kind { gap.reason == .yielded } else { false } }
    #expect(yielded, "somebody's match is left alone")
  }

  /// What was dark for more than 10 s without a power cut, the night, a guest or a restart as the reason.
  private static func dark(
    _ records: [LedgerRecord], outside cuts: [String: [Range<Duration>]], from begin: Double
  ) -> [String] {
    let allowance = 10.0
    return records.compactMap { record in
      guard case .gap(let gap) = record.kind, ![.quiet, .yielded, .stopped].contains(gap.reason) else { return nil }
      let name = record.screen == "window-tv" ? "Window TV" : "Counter TV"
      var left = gap.end - gap.start
      for cut in cuts[name] ?? [] {
        let (start, end) = (begin + cut.lowerBound.seconds, begin + cut.upperBound.seconds + allowance)
        left -= max(0, min(gap.end, end) - max(gap.start, start))
      }
      return left > allowance ? "\(record.screen): \(gap.reason) for \(gap.end - gap.start) s" : nil
    }
  }
}
