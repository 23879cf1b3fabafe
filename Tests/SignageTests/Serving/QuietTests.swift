import CastProtocol
import ScenarioLanguage
import Signage
import Simulation
import Synchronization
import Testing

/// Nothing is heard in quiet hours.
@Suite struct QuietTests {
  private static func volumes(
    _ lines: String, at times: [Int], for length: Duration
  ) throws -> [ReceiverStatus.Volume] {
    let seen = Mutex<[ReceiverStatus.Volume]>([])
    _ = try Serving(lines, at: "2026-11-23 12:00", for: length) { simulation in
      simulation.beside = { stage in
        let volumes = (try? await Strangers.statuses(at: times, on: stage)) ?? []
        seen.withLock { $0 = volumes.map(\.volume) }
      }
    }
    return seen.withLock { $0 }
  }

  @Test("What goes on in quiet hours is muted, and heard again afterwards, as loud as the item says")
  func keep() throws {
    let volumes = try Self.volumes(
      "volume: 30%\nprogram: [{ play: [x, a] }]\nquiet: { hours: 12:02-12:04, screen: keep }", at: [60, 150, 280],
      for: .seconds(300))
    #expect(volumes.map(\.muted) == [false, true, false], "\(volumes)")
    #expect(abs((volumes.first?.level ?? 0) - 0.3) < 0.01)
  }

  @Test("In quiet hours the volume stays as it is, whatever the next item says")
  func level() throws {
    let volumes = try Self.volumes(
      "program: [{ play: [{ media: a, for: 60s, volume: 20% }, { media: b, for: 60s, volume: 90% }] }]\n"
        + "quiet: { hours: 12:01:30-12:05, screen: keep }", at: [80, 160], for: .seconds(200))
    #expect(volumes.map { Int((($0.level ?? 0) * 100).rounded()) } == [90, 90], "\(volumes)")
  }

  @Test("A playlist that wants to be heard in quiet hours says so")
  func heard() throws {
    let volumes = try Self.volumes(
      "program: [{ play: [x, a] }]\nquiet: { hours: 12:02-12:04, screen: keep, mute: false }", at: [150],
      for: .seconds(160))
    #expect(volumes.map(\.muted) == [false])
  }

  @Test("A cast that begins at night is ended soon")
  func castAtNight() throws {
    let apps = Mutex<[String?]>([])
    _ = try Serving(
      "program: [{ play: [a] }]\nquiet: { hours: 12:01-12:10 }", at: "2026-11-23 12:00", for: .seconds(300)
    ) { simulation in
      simulation.otherApps = ["233637DE"]
      simulation.beside = { stage in
        async let cast: Void? = try? Strangers.play(for: .seconds(200), after: .seconds(75), app: "233637DE", on: stage)
        let seen = (try? await Strangers.statuses(at: [79, 100], on: stage)) ?? []
        apps.withLock { $0 = seen.map { $0.application.flatMap { $0.isIdleScreen ? nil : $0.appID } } }
        _ = await cast
      }
    }
    #expect(apps.withLock { $0 } == ["233637DE", nil])
  }
}
