import CastProtocol
import RunReporting
import ScenarioLanguage
import Signage
import Simulation
import Testing

/// What is on a screen whose connections break again and again, and what is due while it pauses before the next.
@Suite struct ReturnTests {
  /// The eighth connection is the last that breaks at once: the screen has paused for 0, 1, 2, 4, 8, 16 and 30 s by then,
  /// and pauses for 30 s more.
  private static let brokenEightTimes = "at: connect, times: 8, after: 300ms, drop: connection"

  /// Seconds after the begin at which a screen was connected again.
  private static func returns(_ serving: Serving) -> [Double] {
    serving.outcome.moments.compactMap { moment in
      if case .back = moment.event { serving.seconds(moment.time) } else { nil }
    }
  }

  /// The messages of all that was told to be out of reach.
  private static func complaints(_ serving: Serving) -> [String] {
    serving.outcome.moments.compactMap { moment in
      if case .unreachable(let failure) = moment.event { failure.message } else { nil }
    }
  }

  @Test(
    "A link that breaks every few seconds shows as much as it lets be shown",
    arguments: [(4, 0.05), (6, 0.6), (8, 0.45), (9, 0.4), (11, 0.85)])
  func flaky(seconds: Int, share: Double) throws {
    let faults = try FailureTests.faults("at: connect, after: \(seconds)s, drop: connection")
    let serving = try Serving(
      "program: [{ play: [{ media: a, for: 20s }, { media: b, for: 20s }] }]", for: .seconds(600)
    ) { $0.faults = faults }
    let shown = serving.plays.reduce(0) { $0 + $1.shown }
    #expect(shown >= 600 * share, "\(shown) s: \(serving.records.prefix(12))")
    #expect(serving.holes == [])
  }

  @Test(
    "Quiet hours begin and end in the ledger on time, whatever pause there is before the next connection",
    arguments: [
      ("12:05:10", "12:05:20"), ("12:05:08", "12:20:00"), ("12:05:16", "12:05:18"), ("12:05:25", "12:07:03"),
      ("12:05:31", "12:06:11"),
    ])
  func quiet(from: String, to: String) throws {
    let faults = try FailureTests.faults("at: media_status, frame: malformed")
    let serving = try Serving(
      "program: [{ play: [{ media: a, for: 1h }] }]\nquiet: { hours: \(from)-\(to) }", at: "2026-11-23 12:00",
      for: .seconds(480)
    ) { $0.faults = faults }
    let program = try Serving.program("program: [{ play: [a] }]")
    let range =
      Double(
        try Playlists.moment("2026-11-23 \(from)", program))...Double(
        try Playlists.moment("2026-11-23 \(to)", program))
    let end = min(range.upperBound, range.lowerBound - serving.seconds(range.lowerBound) + 480)
    let quiet = serving.gaps.filter { $0.reason == .quiet }
    #expect(abs((quiet.first?.start ?? 0) - range.lowerBound) <= 1.5, "\(serving.records)")
    #expect(abs((quiet.last?.end ?? 0) - end) <= 1.5, "\(serving.records)")
    let others = serving.gaps.filter { $0.reason != .quiet && $0.start < end && $0.end > range.lowerBound }
    #expect(others.allSatisfy { min($0.end, end) - max($0.start, range.lowerBound) <= 1.5 }, "\(serving.records)")
    // It was tried each time that it is told to be out of reach.
    #expect(
      Self.complaints(serving).allSatisfy { !$0.contains("cancelled") },
      "\(Self.complaints(serving))")
    #expect(serving.told.count { $0 == "lost" } < 40)
    #expect(serving.holes == [])
  }

  @Test("Quiet hours begin and end in the ledger on time where the device is off", arguments: [40, 70, 75])
  func quietOfDeviceThatIsOff(since cut: Int) throws {
    let serving = try Serving(
      "program: [{ play: [{ media: a, for: 1h }] }]\nquiet: { hours: 12:01:20-12:03:00 }", at: "2026-11-23 12:00",
      for: .seconds(240)
    ) { simulation in
      simulation.presences.usual.powerCuts = [.seconds(cut) ..< .seconds(400)]
    }
    let quiet = serving.gaps.filter { $0.reason == .quiet }
    #expect(quiet.first.map { abs(serving.seconds($0.start) - 80) <= 1.5 } == true, "\(serving.records)")
    #expect(quiet.last.map { abs(serving.seconds($0.end) - 180) <= 1.5 } == true, "\(serving.records)")
    #expect(serving.holes == [])
  }

  @Test("Quiet hours that begin within a pause are in the ledger, though the device is off when the pause ends")
  func quietWhileOff() throws {
    let faults = try FailureTests.faults(Self.brokenEightTimes)
    let serving = try Serving(
      "program: [{ play: [{ media: a, for: 1h }] }]\nquiet: { hours: 12:01:20-12:03:00 }", at: "2026-11-23 12:00",
      for: .seconds(240)
    ) { simulation in
      simulation.faults = faults
      simulation.presences.usual.powerCuts = [.seconds(70) ..< .seconds(400)]
    }
    let quiet = serving.gaps.filter { $0.reason == .quiet }
    #expect(quiet.first.map { abs(serving.seconds($0.start) - 80) <= 1.5 } == true, "\(serving.records)")
    #expect(quiet.last.map { abs(serving.seconds($0.end) - 180) <= 1.5 } == true, "\(serving.records)")
    #expect(serving.holes == [])
  }

  @Test("An interrupt of the clock is on when it is due, whatever pause there is before the next connection")
  func interrupt() throws {
    let faults = try FailureTests.faults(Self.brokenEightTimes)
    let serving = try Serving(
      "program: [{ play: [{ media: a, for: 1h }] }]\ninterrupts: [{ at: \"12:01:20\", play: [b], cut: immediately }]",
      at: "2026-11-23 12:00", for: .seconds(200)
    ) { $0.faults = faults }
    let play = try #require(serving.plays.first { $0.item == "b" }, "\(serving.records)")
    #expect((80..<86).contains(serving.seconds(play.start)), "\(serving.records), back at \(Self.returns(serving))")
  }

  @Test("An alarm is on when it is fired, whatever pause there is before the next connection, also after another alarm")
  func alarm() throws {
    let faults = try FailureTests.faults(Self.brokenEightTimes)
    let serving = try Serving(
      """
      triggers: { flood: { webhook: true }, fire: { webhook: true } }
      program: [{ play: [{ media: a, for: 1h }] }]
      interrupts:
        - { on: fire, play: [b], until: cleared, cut: immediately }
        - { on: flood, play: [c], until: cleared, cut: immediately }
      """, for: .seconds(200)
    ) { simulation in
      simulation.faults = faults
      simulation.beside = { stage in
        for (time, trigger) in [(3, "flood"), (80, "fire")] {
          try? await stage.times.show.sleep(until: .seconds(time))
          stage.triggers.fire(trigger, at: stage.unixTime())
        }
      }
    }
    let play = try #require(serving.plays.first { $0.item == "b" }, "\(serving.records)")
    #expect((80..<86).contains(serving.seconds(play.start)), "\(serving.records), back at \(Self.returns(serving))")
  }

  @Test("An alarm that is fired again and again makes a device that ends each connection at once no busier")
  func repeated() throws {
    let faults = try FailureTests.faults("at: media_status, frame: malformed")
    let serving = try Serving(
      """
      triggers: { fire: { webhook: true } }
      program: [{ play: [{ media: a, for: 1h }] }]
      interrupts: [{ on: fire, play: [b], until: cleared, cut: immediately }]
      """, for: .seconds(300)
    ) { simulation in
      simulation.faults = faults
      simulation.beside = { stage in
        for tenth in 0..<2_000 {
          try? await stage.times.show.sleep(until: .milliseconds(100 * tenth))
          stage.triggers.fire("fire", at: stage.unixTime())
        }
      }
    }
    let losses = serving.told.count { $0 == "lost" }
    #expect((3..<40).contains(losses), "\(losses)")
  }
}
