import CastProtocol
import Signage
import Simulation
import Testing

@Suite struct ScreenTurnsTests {
  @Test("A screen is late from the moment by which it was to have its turn, until it has it or is to have none")
  func late() {
    let turns = ScreenTurns()
    #expect(turns.late(at: .seconds(1_000)) == [])
    turns.note("b", nextBy: .seconds(10))
    turns.note("a", nextBy: .seconds(20))
    #expect([10, 11, 21].map { turns.late(at: .seconds($0)) } == [[], ["b"], ["a", "b"]])
    turns.note("b", nextBy: .seconds(30))
    turns.rest("a")
    #expect(turns.late(at: .seconds(30)) == [] && turns.late(at: .seconds(31)) == ["b"])
  }

  @Test(
    "Every wait of a screen is announced: playing, loading in vain, resting, yielding, a lost device, in step",
    arguments: [
      "program: [{ play: [x, a] }]", "on_error: retry\nwatchdog: { retry: 3 }\nprogram: [{ play: [broken] }]",
      "program: [{ play: [a] }]\nquiet: { hours: 12:05-13:00 }",
      "sync: true\nprogram: [{ play: [{ media: a, for: 1h }] }]",
      "program: [{ play: [{ media: a, for: 1h }] }]\nkeep_awake: never",
    ])
  func announced(lines: String) throws {
    let late = LateScreens()
    _ = try Serving(lines, for: .seconds(7_200)) {
      $0.keepsMoments = false
      $0.presences.usual.powerCuts = [.seconds(3_600) ..< .seconds(4_600)]
      $0.beside = { stage in
        let playing = stage.times.show.spawn {
          try? await Strangers.play(for: .seconds(300), after: .seconds(100), on: stage)
        }
        while !Task.isCancelled {
          late.note(stage.turns.late(at: stage.times.show.now))
          try? await stage.times.show.sleep(for: .seconds(5))
        }
        playing.cancel()
      }
    }
    #expect(late.all == [] && late.looks > 1_000)
  }
}
