import CastProtocol
import ScenarioLanguage
import Signage
import Simulation
import Testing

/// Somebody else on the screen, with an app that is not ours.
@Suite struct SharingTests {
  private static let youTube = "233637DE"

  private static func serve(
    _ lines: String, film: Duration, pauses: Duration? = nil, for length: Duration
  ) throws -> Serving {
    try Serving(lines, for: length) { simulation in
      simulation.otherApps = [youTube]
      simulation.beside = { stage in
        try? await Strangers.play(for: film, after: .seconds(15), app: youTube, pauses: pauses, on: stage)
      }
    }
  }

  @Test("Another app that stays open when its film is over gives the screen back once it was idle for long enough")
  func staysOpen() throws {
    let serving = try Self.serve(
      "takeover: { policy: yield, resume_after: 30s }\nprogram: [{ play: [a] }]", film: .seconds(60), for: .seconds(240)
    )
    let gap = try #require(serving.gaps.first { $0.reason == .yielded })
    #expect(gap.by?.app == Self.youTube)
    #expect((85...115).contains(gap.end - gap.start), "\(serving.records)")
    let last = try #require(serving.plays.last)
    #expect(last.item == "a" && serving.seconds(last.end) > 235, "\(serving.records)")
    #expect(serving.gaps.filter { $0.reason == .yielded }.count == 1, "\(serving.records)")
    #expect(serving.holes == [])
  }

  @Test("Another app that is paused and left alone gives the screen back, too")
  func paused() throws {
    let serving = try Self.serve(
      "takeover: { policy: yield, resume_after: 30s }\nprogram: [{ play: [a] }]", film: .seconds(900),
      pauses: .seconds(40), for: .seconds(240))
    let gap = try #require(serving.gaps.first { $0.reason == .yielded })
    #expect((60...100).contains(gap.end - gap.start), "\(serving.records)")
  }

  @Test("A connection that is lost while somebody else plays gives nobody the right to cut in")
  func lostMeanwhile() throws {
    let serving = try Serving(
      "takeover: { policy: yield, resume_after: 30s }\nprogram: [{ play: [a] }]", for: .seconds(200)
    ) { simulation in
      simulation.otherApps = [Self.youTube]
      simulation.link = .cut(at: .seconds(60))
      simulation.beside = { stage in
        try? await Strangers.play(for: .seconds(600), after: .seconds(15), app: Self.youTube, on: stage)
      }
    }
    #expect(serving.plays.allSatisfy { serving.seconds($0.start) < 20 }, "\(serving.records)")
    #expect(serving.told.contains("lost"), "\(serving.told)")
  }

  @Test("Where the playlist has nothing to show, somebody else's film is left alone")
  func nothingOn() throws {
    let serving = try Self.serve(
      "takeover: { policy: yield, resume_after: 30s }\nprogram: [{ during: { hours: 10:00-11:00 }, play: [a] }]",
      film: .seconds(200), for: .seconds(200))
    let gap = try #require(serving.gaps.first { $0.reason == .yielded })
    #expect(gap.end - gap.start > 170, "\(serving.records)")
    #expect(serving.holes == [])
  }
}
