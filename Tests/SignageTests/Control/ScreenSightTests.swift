import CastProtocol
import DeviceControl
import ScenarioLanguage
import Signage
import Simulation
import Synchronization
import Testing

/// What others see of a screen while it is served.
@Suite struct ScreenSightTests {
  private final class Seen: Sendable {
    let sights = Mutex<[ScreenSight]>([])
    var all: [ScreenSight] { sights.withLock { $0 } }
  }

  /// What the screen is like at moments, in seconds since its begin.
  private static func look(
    _ lines: String, at seconds: [Int],
    _ act: @escaping @Sendable (PlaylistSimulation.Stage, Int) async -> Void = { _, _ in }
  ) throws -> [ScreenSight] {
    let seen = Seen()
    _ = try Serving(lines, for: .seconds((seconds.last ?? 0) + 5)) { simulation in
      simulation.beside = { stage in
        let start = stage.times.show.now
        for second in seconds {
          try? await stage.times.show.sleep(until: start + .seconds(second))
          let sight = await stage.server.sights()["tv"]
          seen.sights.withLock { sights in if let sight { sights.append(sight) } }
          await act(stage, second)
        }
      }
    }
    return seen.all
  }

  @Test("The app, the volume and the position are what the receiver said")
  func receiver() throws {
    let sights = try Self.look("volume: 30%\nprogram: [{ play: [x] }]", at: [20])
    let sight = try #require(sights.first)
    #expect(
      sight.app?.id == "CC1AD845" && sight.app?.name == "Default Media Receiver", "\(String(describing: sight.app))")
    #expect(sight.volume.map { abs($0 - 0.3) < 0.03 } == true && sight.isMuted == false)
    #expect(sight.player == .playing && sight.duration == 60)
    // Said at a time, and by then as far as it said.
    let (position, time) = (try #require(sight.position), try #require(sight.positionTime))
    #expect(
      time <= Double(try Playlists.moment("2026-11-23 12:00", try Serving.program("program: [{ play: [x] }]")) + 20))
    #expect(position > 0 && position < 21)
    #expect(sight.gapReason == nil && sight.unrecordedSince != nil && sight.shown > 5)
  }

  @Test("What follows is the next item, not the next change of the program")
  func next() throws {
    let sights = try Self.look("program: [{ play: [a, b, c] }]", at: [5, 15])
    #expect(sights.compactMap(\.next?.showing.name) == ["b", "c"])
    let start = Double(try Playlists.moment("2026-11-23 12:00", try Serving.program("program: [{ play: [a] }]")))
    #expect(sights.compactMap(\.next?.time).map { $0 - start }.allSatisfy { (9...22).contains($0) })
  }

  @Test("What a window, an interrupt or a wish brings is what follows")
  func cuts() throws {
    let window = """
      program:
        - { during: { hours: 12:01-13:00 }, play: [b], switch: immediately }
        - { play: [{ media: a, for: 1h }] }
      """
    #expect(try Self.look(window, at: [30]).first?.next?.showing.name == "b")
    let wish = try Self.look("program: [{ play: [{ media: a, for: 1h }] }]", at: [10, 12]) { stage, second in
      if second == 10 { _ = await stage.server.order(.pause, screen: "tv") }
    }
    #expect(wish.map { $0.next?.showing.name } == ["a", nil], "of a paused program nothing follows")
  }

  @Test("In quiet hours what follows is what comes after them, and that is when")
  func quiet() throws {
    let lines = "quiet: { hours: 11:00-12:30 }\nprogram: [{ play: [a] }]"
    let sight = try #require(try Self.look(lines, at: [60]).first)
    let start = Double(try Playlists.moment("2026-11-23 12:00", try Serving.program(lines)))
    #expect(sight.next?.showing.name == "a" && sight.next.map { $0.time - start } == 1_800)
    #expect(sight.gapReason == .quiet)
  }

  @Test("A device that is gone says nothing any more")
  func gone() throws {
    let seen = Seen()
    _ = try Serving("program: [{ play: [a] }]", for: .seconds(60)) { simulation in
      simulation.presences.usual.powerCuts = [.seconds(20)..<(.seconds(80))]
      simulation.beside = { stage in
        try? await stage.times.show.sleep(for: .seconds(50))
        let sight = await stage.server.sights()["tv"]
        seen.sights.withLock { $0 = [sight].compactMap(\.self) }
      }
    }
    let sight = try #require(seen.all.first)
    #expect(sight.app == nil && sight.volume == nil && sight.player == nil)
    #expect(sight.gapReason == .deviceOff || sight.gapReason == .notFound, "\(String(describing: sight.gapReason))")
  }
}
