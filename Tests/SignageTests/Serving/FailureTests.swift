import CastProtocol
import DeviceControl
import ScenarioLanguage
import Signage
import Simulation
import Synchronization
import Testing

/// What is on a screen while items fail and devices go.
@Suite struct FailureTests {
  /// What goes wrong with a receiver, as one fault of a library says.
  static func faults(_ fault: String) throws -> ReceiverPlan? {
    let library = "library: L\nfaults:\n  - { \(fault) }\n"
    let outcome = PlanCompiler.compile(SourceFile(name: "lab.yaml", bytes: Array(library.utf8)))
    guard case .library(_, _, let faults)? = outcome.document else { throw Playlists.NoPlaylist() }
    return faults
  }

  @Test(
    "Where no item of the program loads, the fallback is shown, whatever the playlist says about one that fails",
    arguments: ["skip", "retry", "fallback"])
  func allFail(onError: String) throws {
    let serving = try Serving(
      "on_error: \(onError)\nfallback: f\nprogram: [{ play: [broken] }]", for: .seconds(600))
    let shown = serving.plays.filter { $0.item == "f" }.reduce(0) { $0 + $1.shown }
    #expect(shown > 300, "\(shown) s: \(serving.records.prefix(20))")
    #expect(serving.holes == [])
  }

  @Test("Quiet hours and an alarm do not wait for the next try of what will not load", arguments: [true, false])
  func nothingWaits(isQuiet: Bool) throws {
    let serving = try Serving(
      "on_error: skip\nprogram: [{ play: [broken] }]\n"
        + (isQuiet
          ? "quiet: { hours: 12:04:47-12:10 }" : "interrupts: [{ at: \"12:04:47\", play: [a], cut: immediately }]"),
      at: "2026-11-23 12:00", for: .seconds(500))
    let begin =
      isQuiet ? serving.gaps.first { $0.reason == .quiet }?.start : serving.plays.first { $0.item == "a" }?.start
    #expect(abs(serving.seconds(try #require(begin)) - 287) < 3, "\(serving.records)")
  }

  @Test("A device that ends each connection at once is not connected to again and again without a pause")
  func brokenConnections() throws {
    let faults = try Self.faults("at: media_status, frame: malformed")
    let serving = try Serving("program: [{ play: [a] }]", for: .seconds(600)) { $0.faults = faults }
    let losses = serving.told.count { $0 == "lost" }
    #expect((3..<40).contains(losses), "\(losses)")
    #expect(serving.holes == [])
  }

  @Test("A device that is lost now and then over the same item, after a good time on screen, costs no item")
  func rareLosses() throws {
    let serving = try Serving("program: [{ play: [{ media: a, for: 10m }] }]", for: .seconds(3_000)) {
      $0.presences.usual.powerCuts = (1..<9).map { .seconds($0 * 300) ..< .seconds($0 * 300 + 5) }
    }
    let skips = serving.records.filter { $0.hasPrefix("skip") }
    #expect(skips == [], "\(serving.records)")
  }

  @Test("A device that is off in quiet hours is dark because of them, and because it is off only before and after")
  func offAtNight() throws {
    let serving = try Serving(
      "program: [{ play: [a] }]\nquiet: { hours: 12:10-12:30 }", at: "2026-11-23 12:00", for: .seconds(3_000)
    ) { $0.presences.usual.powerCuts = [.seconds(300) ..< .seconds(2_400)] }
    let quiet = serving.gaps.filter { $0.reason == .quiet }.reduce(0) { $0 + $1.end - $1.start }
    let off = serving.gaps.filter { $0.reason == .deviceOff || $0.reason == .notFound }.reduce(0) {
      $0 + $1.end - $1.start
    }
    #expect(abs(quiet - 1_200) < 15, "\(serving.records.suffix(12))")
    #expect(abs(off - 900) < 30, "\(serving.records.suffix(12))")
    #expect(serving.holes == [])
  }

  @Test("A screen that comes back on what it showed says so, so that nobody takes it for dark")
  func toldBack() throws {
    let serving = try Serving("keep_awake: never\nprogram: [{ play: [{ media: a, for: 20m }] }]", for: .seconds(300)) {
      $0.link = .cut(at: .seconds(60))
    }
    let lost = try #require(serving.told.lastIndex(of: "lost"))
    #expect(serving.told[lost...].contains { $0 == "adopted" || $0 == "showing" }, "\(serving.told)")
  }

  @Test("A trigger whose interrupt has nothing to show today disturbs nothing")
  func emptyInterrupt() throws {
    let serving = try Serving(
      """
      triggers: { alarm: { webhook: true } }
      interrupts: [{ on: alarm, until: cleared, cut: immediately, play: [{ media: b, valid: 2020-01-01 }] }]
      program: [{ play: [{ media: a, for: 60s }] }]
      """, for: .seconds(200)
    ) { simulation in
      simulation.beside = { stage in
        try? await stage.times.show.sleep(until: .seconds(20))
        stage.triggers.fire("alarm", at: stage.unixTime())
        try? await stage.times.show.sleep(until: .seconds(200))
      }
    }
    #expect(serving.plays.count <= 5, "\(serving.records)")
    #expect(serving.plays.prefix(3).allSatisfy { $0.item == "a" && $0.endReason == .duration }, "\(serving.records)")
  }

  @Test("What was shown of a long item is in the ledger although the process was killed in the middle of it")
  func killed() throws {
    let memories = Mutex<[String: JSONValue]>([:])
    _ = try Serving("program: [{ play: [{ media: a, for: 60m }] }]", for: .seconds(1_600)) { simulation in
      simulation.beside = { stage in
        try? await stage.times.show.sleep(until: .seconds(1_500))
        memories.withLock { $0 = stage.memories() }
      }
    }
    let second = try Serving(
      "program: [{ play: [{ media: a, for: 60m }] }]", at: "2026-11-23 12:26", for: .seconds(300)
    ) { $0.memories = memories.withLock { $0 } }
    let before = try #require(second.plays.first)
    #expect(before.item == "a" && before.shown > 1_450 && before.shown < 1_501, "\(second.records)")
    #expect(second.gaps.first?.reason == .stopped, "\(second.records)")
  }

  @Test("A device that is replaced by another one that fits is found again")
  func replaced() throws {
    let lines = "devices: [shop]\ninventory: { shop: { model: Chromecast } }\nprogram: [{ play: [a] }]"
    let plan = try Serving.program(lines).plan
    let selector = try #require(plan.devices.selectors.first)
    var needs = VirtualDeviceNeeds(of: [plan])
    needs.devices[0].append(.init(selector, isOne: false))
    let ids = VirtualDevices(for: needs).devices.compactMap(\.id)
    try #require(Set(ids).count == 2)
    let serving = try Serving(lines, for: .seconds(900)) { simulation in
      simulation.otherDevices = [selector]
      for (id, cut) in zip(ids, [Duration.seconds(100)..<Duration.seconds(9_000), .zero ..< .seconds(100)]) {
        var presence = DevicePresence()
        presence.powerCuts = [cut]
        simulation.presences.own[id] = presence
      }
    }
    let last = try #require(serving.plays.last)
    #expect(serving.seconds(last.end) > 850, "\(serving.records.suffix(6))")
    #expect(serving.holes == [])
  }
}
