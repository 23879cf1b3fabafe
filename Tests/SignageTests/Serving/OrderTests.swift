import CastProtocol
import DeviceControl
import ScenarioLanguage
import Signage
import Simulation
import Testing

/// What people ask of a screen, on simulated receivers.
@Suite struct OrderTests {
  /// Serves a playlist and gives orders at some seconds.
  private static func serve(
    _ lines: String, orders: [(second: Int, order: ScreenOrder)], for length: Duration = .seconds(100)
  ) throws -> Serving {
    try Serving(lines, for: length) { simulation in
      simulation.beside = { stage in
        for (second, order) in orders {
          try? await stage.times.show.sleep(until: .seconds(second))
          #expect(await stage.server.order(order) == .given)
        }
        try? await stage.times.show.sleep(until: length)
      }
    }
  }

  @Test("An item that is skipped ends at once, and the next one follows")
  func skip() throws {
    let serving = try Self.serve("program: [{ play: [x, a] }]", orders: [(20, .skip)], for: .seconds(40))
    #expect(serving.plays.map(\.item).prefix(2) == ["x", "a"])
    #expect(serving.plays[0].endReason == .skipped && abs(serving.seconds(serving.plays[0].end) - 20) < 1)
    #expect(serving.told.contains("ordered"))
    #expect(serving.holes == [])
  }

  @Test("An item is skipped although it is just loaded again, to keep the device awake")
  func skipWhileReloading() throws {
    // The second load of the long still begins some 30 s after the first one and takes a while.
    for second in stride(from: 29.0, to: 42.0, by: 0.1) {
      let serving = try Serving(
        "keep_awake: 30s\nprogram: [{ play: [{ media: a, for: 5m }, b] }]", for: .seconds(60)
      ) { simulation in
        simulation.link.delay = .milliseconds(200) ... .milliseconds(300)
        simulation.beside = { stage in
          try? await stage.times.show.sleep(until: .seconds(second))
          #expect(await stage.server.order(.skip) == .given)
          try? await stage.times.show.sleep(until: .seconds(60))
        }
      }
      let first = try #require(serving.plays.first)
      #expect(
        first.item == "a" && first.endReason == .skipped && serving.seconds(first.end) < second + 3,
        "\(serving.records)")
    }
  }

  @Test("A load that was given up, and answered late, is not taken for somebody else's")
  func lateAnswer() throws {
    for second in stride(from: 0.0, to: 5.0, by: 0.05) {
      let serving = try Serving("program: [{ play: [x, { media: x, for: 30s }] }]", for: .seconds(30)) {
        simulation in
        simulation.link.delay = .milliseconds(200) ... .milliseconds(300)
        simulation.beside = { stage in
          try? await stage.times.show.sleep(until: .seconds(second))
          _ = await stage.server.order(.skip)
          try? await stage.times.show.sleep(until: .seconds(30))
        }
      }
      let taken = serving.plays.contains { $0.endReason == .takenOver } || serving.told.contains("yielded")
      #expect(!taken, "\(second): \(serving.records)")
    }
  }

  @Test("While the program is paused what is on stays on, and a skip changes what that is")
  func pause() throws {
    let serving = try Self.serve(
      "program: [{ play: [a, b, c] }]\ninterrupts: [{ at: \"12:00:30\", play: [d] }]",
      orders: [(5, .pause), (42, .skip), (75, .resume)], for: .seconds(100))
    let items = serving.plays.filter { $0.shown > 0.5 }.map(\.item)
    #expect(Set(items.prefix { $0 != "b" }) == ["a"], "\(serving.records)")
    let b = serving.plays.filter { $0.item == "b" }
    #expect(abs(serving.seconds(try #require(b.first).start) - 42) < 2)
    #expect(abs(serving.seconds(try #require(b.last).end) - 75) < 11, "it ends with its own length")
    #expect(items.last == "c" || items.last == "a")
    #expect(!items.contains("d"), "the clock's interrupts are left out")
    #expect(serving.holes == [])
  }

  @Test("What a person asks for is shown once, and the film that it cut goes on where it was")
  func play() throws {
    let serving = try Self.serve("program: [{ play: [x, a] }]\nfallback: f", orders: [(20, .play("f"))])
    #expect(serving.plays.map(\.item).prefix(4) == ["x", "f", "x", "a"])
    #expect(serving.plays.map(\.endReason).prefix(3) == [.interrupted, .duration, .finished])
    #expect(abs(serving.plays[0].shown + serving.plays[2].shown - 60) < 4)
    #expect(serving.plays[1].rule == "asked for")
    #expect(serving.holes == [])
  }

  @Test("In quiet hours nothing is shown for anybody, and that is told")
  func quiet() throws {
    let serving = try Self.serve(
      "program: [{ play: [a] }]\nquiet: { hours: 11:00-13:00 }", orders: [(20, .play("a"))], for: .seconds(40))
    #expect(serving.plays.isEmpty && serving.told.contains("refused"))
  }

  @Test("An order for a screen or an item that is not there names those that are")
  func unknown() throws {
    _ = try Serving("program: [{ play: [a, x] }]", for: .seconds(20)) { simulation in
      simulation.beside = { stage in
        try? await stage.times.show.sleep(until: .seconds(5))
        #expect(await stage.server.order(.skip, screen: "attic") == .noSuchScreen(["tv"]))
        #expect(await stage.server.order(.play("z"), screen: "tv") == .noSuchItem(["a", "x"]))
        for _ in 0..<20 { _ = await stage.server.order(.resume, screen: "tv") }
      }
    }
  }
}
