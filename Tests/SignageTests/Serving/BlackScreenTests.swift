import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage
import Signage
import Simulation
import Synchronization
import Testing

/// `quiet: { screen: blank }`.
@Suite struct BlackScreenTests {
  private static let quiet = "program: [{ play: [x] }]\nquiet: { hours: 12:01-12:04, screen: blank }\n"

  /// What is on at some times, and in which media session: `showcaller:black.png 2`.
  private static func sights(
    _ lines: String, at times: [Int], for length: Duration,
    change: (inout PlaylistSimulation) throws -> Void = { _ in },
    beside: @escaping @Sendable (PlaylistSimulation.Stage) async -> Void = { _ in }
  ) throws -> (sights: [String], serving: Serving) {
    let sights = Mutex<[String]>([])
    let serving = try Serving(lines, at: "2026-11-23 12:00", for: length) { simulation in
      try change(&simulation)
      simulation.beside = { stage in
        async let besides: Void = beside(stage)
        for time in times {
          let sight = try? await Strangers.sight(at: .seconds(time), on: stage)
          sights.withLock { $0.append((sight ?? nil) ?? "nothing") }
        }
        await besides
      }
    }
    return (sights.withLock { $0 }, serving)
  }

  @Test("In quiet hours a black picture is on, is no play, and the program goes on after them")
  func black() throws {
    let (sights, serving) = try Self.sights(Self.quiet, at: [70, 200, 260], for: .seconds(280))
    #expect(sights.first?.hasPrefix(LocalMedia.black) == true && sights.first == sights.dropFirst().first, "\(sights)")
    #expect(sights.last?.hasPrefix("https://e.com/x.mp4") == true, "\(sights)")
    let quiet = try #require(serving.gaps.first { $0.reason == .quiet })
    #expect((60..<62).contains(serving.seconds(quiet.start)) && abs(serving.seconds(quiet.end) - 240) < 2)
    #expect(Set(serving.plays.map(\.item)) == ["x"])
    #expect(serving.holes == [])
  }

  @Test("The black picture is loaded again before the device falls asleep over it")
  func keptAwake() throws {
    let (sights, _) = try Self.sights("keep_awake: 60s\n" + Self.quiet, at: [110, 122], for: .seconds(150))
    #expect(sights.allSatisfy { $0.hasPrefix(LocalMedia.black) } && Set(sights).count == 2, "\(sights)")
    let (never, _) = try Self.sights("keep_awake: never\n" + Self.quiet, at: [70, 230], for: .seconds(235))
    #expect(Set(never).count == 1, "\(never)")
  }

  @Test("After a restart in quiet hours the black picture that is on is gone on with")
  func restart() throws {
    let (sights, serving) = try Self.sights(Self.quiet, at: [80, 120, 200, 260], for: .seconds(280)) {
      $0.pauses = [.seconds(90) ..< .seconds(100)]
    }
    #expect(Set(sights.dropLast()).count == 1 && sights.first?.hasPrefix(LocalMedia.black) == true, "\(sights)")
    #expect(sights.last?.hasPrefix("https://e.com/x.mp4") == true, "\(sights)")
    #expect(!serving.told.contains("yielded") && serving.holes == [])
  }

  @Test("A black picture that was left on when quiet hours ended unserved is nobody else's cast")
  func overslept() throws {
    let (sights, serving) = try Self.sights(Self.quiet, at: [80, 270], for: .seconds(280)) {
      $0.pauses = [.seconds(90) ..< .seconds(250)]
    }
    #expect(sights.last?.hasPrefix("https://e.com/x.mp4") == true && !serving.told.contains("yielded"), "\(sights)")
  }

  @Test("Somebody who casts in quiet hours loses the screen to the black picture")
  func stranger() throws {
    let (sights, serving) = try Self.sights(
      Self.quiet, at: [80, 200], for: .seconds(230),
      beside: { stage in try? await Strangers.play(for: .seconds(300), after: .seconds(90), on: stage) })
    // Its media session tells that something else was on between.
    #expect(sights.allSatisfy { $0.hasPrefix(LocalMedia.black) } && Set(sights).count == 2, "\(sights)")
    #expect(serving.gaps.contains { $0.reason == .quiet && $0.end - $0.start > 165 }, "\(serving.records)")
  }

  @Test("A screen that was off in quiet hours is black when it is back")
  func powerCut() throws {
    let (sights, _) = try Self.sights(Self.quiet, at: [80, 150], for: .seconds(160)) {
      $0.presences.usual.powerCuts = [.seconds(90) ..< .seconds(110)]
    }
    #expect(sights.count == 2 && sights.allSatisfy { $0.hasPrefix(LocalMedia.black) }, "\(sights)")
  }

  @Test("Where the black picture cannot be served the app is ended, which is told once")
  func refused() throws {
    let (sights, serving) = try Self.sights(
      "program: [{ play: [x] }]\nquiet: { hours: [12:01-12:02, 12:03-12:04], screen: blank }", at: [80, 200],
      for: .seconds(260)
    ) { simulation in
      simulation.localMedia = LocalMedia(
        address: { _, _ throws(StepFailure) in throw StepFailure(.loadFailed, "no way leads there") },
        fetches: { _, _ in .init() })
    }
    #expect(sights == ["nothing", "nothing"])
    let notes = serving.outcome.moments.compactMap { moment in
      if case .note(let text) = moment.event { text } else { nil }
    }
    #expect(notes == ["the black picture cannot be shown, the app is ended instead: no way leads there"], "\(notes)")
    #expect(serving.gaps.filter { $0.reason == .quiet }.count == 2 && serving.holes == [])
  }
}
