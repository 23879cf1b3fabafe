import CastProtocol
import DeviceControl
import ScenarioLanguage
import Signage
import Simulation
import Synchronization
import Testing

/// Films that follow each other in the receiver's own queue.
@Suite struct GaplessTests {
  /// Seconds between the end of each play and the moment from which the receiver said that the next one plays.
  private static func breaks(_ serving: Serving) -> [Double] {
    zip(serving.plays, serving.plays.dropFirst()).map { before, after in
      (after.evidence.playingAt ?? after.start) - before.end
    }
  }

  private static func sessions(_ serving: Serving) -> Set<Int> { Set(serving.plays.compactMap(\.evidence.session)) }

  @Test(
    "What follows a film begins without a load: all of them play in one media session, and none waits for the next",
    arguments: ["[x, y]", "[x]", "[x, a, y]"])
  func follows(items: String) throws {
    let serving = try Serving("program: [{ play: \(items) }]", for: .seconds(400))
    let films = serving.plays.dropLast().filter { $0.item == "x" || $0.item == "y" }
    #expect(
      films.count > 3 && films.allSatisfy { $0.endReason == .finished && abs($0.shown - 60) < 1 }, "\(serving.records)")
    for (play, wait) in zip(serving.plays, Self.breaks(serving)) where play.item == "x" || play.item == "y" {
      #expect(wait < 0.05, "\(play.item) was followed after \(wait) s")
    }
    // A still ends by our clock: what follows it is loaded.
    if !items.contains("a") { #expect(Self.sessions(serving).count == 1, "\(Self.sessions(serving))") }
    #expect(serving.holes == [])
  }

  @Test("Where the items differ in volume they are loaded, so that none is heard at the other's")
  func volumes() throws {
    let serving = try Serving(
      "program: [{ play: [x, { media: y, volume: 40% }] }]", for: .seconds(190))
    #expect(Self.sessions(serving).count == 4)
    #expect(serving.records.prefix(3) == ["x 60 finished", "y 60 finished", "x 60 finished"])
  }

  @Test("An item that waits in the queue and will not load is passed over as any other")
  func broken() throws {
    let serving = try Serving(
      "on_error: fallback\nfallback: f\nprogram: [{ play: [x, broken, y] }]", for: .seconds(150))
    let records = serving.records.filter { !$0.hasPrefix("gap 0") }
    #expect(
      records.prefix(4) == ["x 60 finished", "skip broken load_failed", "f 10 duration", "y 60 finished"], "\(records)")
    #expect(serving.holes == [])
  }

  @Test(
    "An edit that comes when the next film waits in the queue already counts from the next item on",
    arguments: [52, 59])
  func edit(second: Int) throws {
    let lengths = Mutex<[Int?]>([])
    let serving = try Serving("program: [{ play: [x, y] }]", for: .seconds(80)) { simulation in
      let edited = try Serving.program("program: [{ play: [a] }]")
      simulation.beside = { stage in
        let before = try? await Strangers.queueLength(at: .seconds(second), on: stage)
        await stage.server.replace(edited)
        let after = try? await Strangers.queueLength(at: .seconds(second) + .milliseconds(500), on: stage)
        lengths.withLock { $0 = [before, after] }
        try? await stage.times.show.sleep(until: .seconds(80))
      }
    }
    #expect(lengths.withLock { $0 } == [2, 1], "the receiver must not go on to what is not in the playlist any more")
    #expect(serving.plays.map(\.item).prefix(2) == ["x", "a"], "\(serving.records)")
    #expect(serving.plays.first?.endReason == .finished)
    #expect(serving.holes == [])
  }

  @Test("What a person asks for cuts a film behind which the next one waits, and the film goes on afterwards")
  func order() throws {
    let serving = try Serving("program: [{ play: [x, y] }]\nfallback: f", for: .seconds(150)) { simulation in
      simulation.beside = { stage in
        try? await stage.times.show.sleep(until: .seconds(50))
        #expect(await stage.server.order(.play("f")) == .given)
        try? await stage.times.show.sleep(until: .seconds(150))
      }
    }
    #expect(serving.plays.map(\.item).prefix(4) == ["x", "f", "x", "y"], "\(serving.records)")
    #expect(serving.plays.map(\.endReason).prefix(3) == [.interrupted, .duration, .finished])
    #expect(serving.holes == [])
  }

  @Test("A film that the receiver went on to while the connection was lost is gone on with, not gone back from")
  func lost() throws {
    let serving = try Serving("program: [{ play: [x, y] }]", for: .seconds(150)) { simulation in
      simulation.link = .cut(at: .seconds(56))
    }
    #expect(serving.plays.map(\.item).prefix(3) == ["x", "y", "x"], "\(serving.records)")
    #expect(Self.sessions(serving).count == 1)
    #expect(serving.holes == [])
  }
}
