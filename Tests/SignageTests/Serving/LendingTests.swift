import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage
import Signage
import Simulation
import Testing

/// A screen that is lent to a run of a scenario, on simulated receivers.
@Suite struct LendingTests {
  private static let taker = LedgerRecord.Taker(app: "nightly", name: "Nightly check")

  /// Serves a playlist, and has a run borrow its device at one second until another.
  private static func serve(
    _ lines: String, from: Int, to: Int, for length: Duration = .seconds(100), late: LateScreens? = nil,
    change: (inout PlaylistSimulation) throws -> Void = { _ in }
  ) throws -> Serving {
    try Serving(lines, for: length) { simulation in
      try change(&simulation)
      simulation.beside = { stage in
        let show = stage.times.show
        try? await show.sleep(until: .seconds(from))
        guard let device = stage.devices.all.first else { return }
        let answer = await stage.claims.lending(to: taker, on: show).borrow(device)
        guard case .lent(let loan) = answer else {
          Issue.record("not lent: \(answer)")
          return
        }
        try? await show.sleep(until: .seconds(to))
        late?.note(stage.turns.late(at: show.now))
        loan.end()
        try? await show.sleep(until: length)
      }
    }
  }

  @Test("What is on ends, the gap says who has the screen, and the program goes on at once")
  func lent() throws {
    let serving = try Self.serve(
      "program: [{ play: [{ media: a, for: 50s }, { media: b, for: 50s }] }]", from: 20, to: 60)
    let play = try #require(serving.plays.first)
    #expect(play.item == "a" && play.endReason == .takenOver && play.by == Self.taker)
    #expect(abs(serving.seconds(play.end) - 20) < 1)
    let gap = try #require(serving.gaps.first { $0.reason == .yielded })
    #expect(gap.by == Self.taker && abs(serving.seconds(gap.start) - 20) < 2 && abs(serving.seconds(gap.end) - 60) < 3)
    #expect(serving.plays.dropFirst().first?.item == "b", "\(serving.records)")
    #expect(serving.holes == [] && serving.told.contains("lent") && serving.told.contains("returned"))
    #expect(!serving.told.contains("lost") && !serving.told.contains("yielded"))
  }

  @Test("A run may take any time: the screen that waits for it does not count as one that hangs")
  func long() throws {
    let late = LateScreens()
    _ = try Self.serve("program: [{ play: [a] }]", from: 20, to: 900, for: .seconds(1_000), late: late)
    #expect(late.all == [] && late.looks == 1)
  }

  @Test("A screen is lent whatever it does: resting, with nothing to show, or without its device")
  func always() throws {
    for lines in [
      "program: [{ play: [a] }]\nquiet: { hours: 11:00-13:00 }",
      "program: [{ during: { hours: 13:00-14:00 }, play: [a] }]",
    ] {
      let serving = try Self.serve(lines, from: 20, to: 40)
      #expect(serving.told.contains("lent") && serving.holes == [], "\(serving.records)")
      #expect(serving.gaps.contains { $0.by == Self.taker && abs(serving.seconds($0.start) - 20) < 2 })
    }
    let off = try Self.serve("program: [{ play: [a] }]", from: 40, to: 60) { simulation in
      simulation.presences.usual.powerCuts = [.seconds(20)..<(.seconds(80))]
    }
    #expect(off.told.contains("lent") && off.holes == [] && off.plays.last?.item == "a", "\(off.records)")
  }

  @Test("While one run has a device no other gets it, and no screen")
  func exclusive() async throws {
    let claims = DeviceClaims()
    let device = FoundDevice(name: "TV", id: "a-1", address: HostAndPort(host: "192.0.2.14", port: 8009), via: .mdns)
    // Found at its address, without an id.
    let same = FoundDevice(name: "192.0.2.14", address: device.address, via: .host)
    let clock = TimeSource(ContinuousClock())
    let first = await claims.lending(to: Self.taker, on: clock).borrow(device)
    guard case .lent(let loan) = first else { throw Playlists.NoPlaylist() }
    let other = claims.lending(to: .init(app: "b", name: "B"), on: clock)
    guard case .held(let holder) = await other.borrow(same) else { throw Playlists.NoPlaylist() }
    #expect(holder == "the scenario Nightly check")
    loan.end()
    guard case .lent(let again) = await other.borrow(same) else { throw Playlists.NoPlaylist() }
    again.end()
  }
}
