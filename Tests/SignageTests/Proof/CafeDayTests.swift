import CastProtocol
import Foundation
import ScenarioLanguage
@testable import Signage
import Simulation
import TestSupport
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

  /// An app that the café never uses is on the first screen for a quarter of an hour, from four o'clock on.
  private static let foreignApp = "A1B2C3D4"
  private static let game: (start: Duration, length: Duration) = (.seconds(16 * 3_600), .seconds(900))

  /// What a load takes at most on the average, in milliseconds.
  private static let load = 700

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

  private static let seeds = (0..<UInt64(min(20, Effort.factor))).map { 4 + $0 }

  @Test(
    "A day in the café, whatever happens in it, adds up, and is dark only while a device is off and 10 s after",
    arguments: seeds)
  func day(seed: UInt64) throws {
    let program = try Self.program()
    let begin = Double(try Playlists.moment("2026-11-23 00:00", program))
    let cuts = Self.powerCuts(seed)
    let late = LateScreens()
    var simulation = PlaylistSimulation(from: begin, for: .seconds(86_400))
    simulation.keepsMoments = false
    simulation.seed = seed
    simulation.pauses = Self.restarts
    simulation.otherApps = [Self.foreignApp]
    for (screen, cuts) in cuts {
      var presence = DevicePresence()
      presence.powerCuts = cuts
      simulation.presences.own[screen] = presence
    }
    simulation.beside = { stage in
      let show = stage.times.show
      let match = show.spawn { try? await Strangers.play(for: Self.match.length, after: Self.match.start, on: stage) }
      let game = show.spawn {
        try? await Strangers.play(for: Self.game.length, after: Self.game.start, app: Self.foreignApp, on: stage)
      }
      while !Task.isCancelled {
        late.note(stage.turns.late(at: show.now))
        try? await show.sleep(for: .seconds(30))
      }
      for other in [match, game] { other.cancel() }
    }
    let records = try simulation.run(program).records

    var sum = LedgerSum(by: .screen)
    for record in records { try sum.add(record, in: program.zone) }
    #expect(sum.clocks.count == 2 && late.all == [])
    for (key, clock) in sum.clocks {
      #expect(clock.total == 86_400_000 && clock.twice == 0)
      // What the daemon did not see is the time in which it was stopped.
      #expect(clock.unrecorded <= 65_000, "\(clock.unrecorded)")
      #expect(clock.gaps[.quiet, default: 0] >= 6 * 3_600_000 - 20_000)
      // Each of a day's loads takes a moment, and each power cut a few seconds more.
      let loads = records.count { record in
        if case .gap = record.kind { return false }
        return record.screen == key.name
      }
      let dark = clock.gaps[.loading, default: 0] + clock.gaps[.failed, default: 0]
      #expect(dark <= loads * Self.load + 10_000 * (Self.restarts.count + 8), "\(key.name): \(dark) of \(loads)")
    }
    #expect(Self.dark(records, outside: cuts, from: begin) == [])
    let skipped = records.contains { if case .skip(let skip) = $0.kind { skip.item == "croissant" } else { false } }
    #expect(skipped, "what cannot be loaded is passed over, with a reason")
    let takers = Set(
      records.compactMap { if case .gap(let gap) = $0.kind, gap.reason == .yielded { gap.by?.app } else { nil } })
    #expect(takers.contains("CC1AD845"), "somebody's match is left alone")
    #expect(takers.contains(Self.foreignApp), "an app that is not ours is left alone")
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
