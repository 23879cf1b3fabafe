import CastProtocol
import DeviceControl
import Signage
import Simulation
import Synchronization
import TestSupport
import Testing

/// What the ledger and the alarms say of what went wrong, and nothing that nobody knows.
@Suite struct LedgerWordsTests {
  private static func skips(_ serving: Serving) -> [LedgerRecord.Skip] {
    serving.outcome.records.compactMap { if case .skip(let skip) = $0.kind { skip } else { nil } }
  }

  @Test("What is shown in place of an item is told when it is on; a stand-in that will not load is none")
  func standIn() throws {
    let good = try Serving("fallback: f\nprogram: [{ play: [broken, a] }]", for: .seconds(60))
    #expect(Self.skips(good).first?.shownInstead == "f", "\(good.records)")
    let bad = try Serving("fallback: broken\nprogram: [{ play: [broken, a] }]", for: .seconds(60))
    #expect(!Self.skips(bad).isEmpty && Self.skips(bad).allSatisfy { $0.shownInstead == nil }, "\(bad.records)")
    #expect(good.holes == [] && bad.holes == [])
  }

  @Test("A screen is not dark while something comes at once in place of what will not load, or after it")
  func dark() throws {
    for lines in ["fallback: f\nprogram: [{ play: [broken, a] }]", "on_error: skip\nprogram: [{ play: [a, broken] }]"] {
      let serving = try Serving(lines, for: .seconds(120))
      #expect(Self.skips(serving).count > 2)
      #expect(!serving.outcome.moments.contains { $0.event.darkness?.isDark == true }, "\(lines)")
    }
    let dark = try Serving("on_error: skip\nprogram: [{ play: [broken] }]", for: .seconds(120))
    #expect(dark.outcome.moments.contains { $0.event.darkness?.isDark == true })
  }

  @Test("What a sender stopped on the player was skipped by somebody else; an app that is gone only is gone")
  func stopped() throws {
    let serving = try Serving("program: [{ play: [x, a] }]", for: .seconds(60)) {
      $0.beside = { stage in try? await Strangers.stop(after: .seconds(20), on: stage) }
    }
    let play = try #require(serving.plays.first)
    #expect(play.item == "x" && play.endReason == .skipped && play.by?.name == "another sender", "\(serving.records)")
    #expect(abs(play.shown - 20) < 3 && serving.plays.dropFirst().first?.item == "a")
  }

  @Test("When serving ends only what a status covers counts as shown")
  func covered() throws {
    let serving = try Serving("program: [{ play: [{ media: a, for: 1h }] }]", for: .seconds(43))
    let play = try #require(serving.plays.last)
    #expect(play.endReason == .stopped && play.end - play.start > 42, "\(serving.records)")
    // The player was asked every 5 s.
    #expect(play.shown > 38 && play.shown < 41, "\(play)")
    #expect(serving.holes == [])
  }

  @Test("The first item after quiet hours waits until the screens are switched on; other items do not")
  func switchedOn() throws {
    let serving = try Serving(
      "program: [{ play: [a, b] }]\nquiet: { hours: 12:00-12:05 }", at: "2026-11-23 12:04", for: .seconds(120)
    ) { $0.switchingOn = .seconds(7) }
    let starts = serving.plays.map { serving.seconds($0.start) }
    #expect(abs(try #require(starts.first) - 67) < 3 && starts.count >= 4, "\(starts)")
    #expect(serving.holes == [])
  }

  @Test("A live item is on for its time, and its position says nothing of whether it is stuck where it tells none")
  func live() throws {
    let serving = try Serving(
      """
      watchdog: { stalled_after: 10s }
      program: [{ play: [{ media: radio, for: 40s }, a] }]
      """, for: .seconds(110))
    #expect(serving.records.prefix(3).contains("radio 40 duration"), "\(serving.records)")
    #expect(!serving.told.contains("stuck") && serving.plays.map(\.item).prefix(3) == ["radio", "a", "radio"])
    #expect(serving.holes == [])
  }

  @Test("A player that says it plays and stands still is stuck, tried again, passed over, and nothing of it was shown")
  func standsStill() throws {
    let serving = try Serving(
      "watchdog: { stalled_after: 10s, retry: 1 }\nprogram: [{ play: [x, a] }]", for: .seconds(120)
    ) { simulation in
      simulation.accept = { channel, _ in _ = ScriptedPeer(channel, script: Self.stillPlayer()) }
    }
    let stuck = serving.plays.prefix { $0.item == "x" }
    #expect(stuck.count == 4 && stuck.allSatisfy { $0.endReason == .stalled && $0.shown < 1 }, "\(serving.records)")
    #expect(stuck.allSatisfy { abs($0.evidence.stalled - 10) < 2 } && serving.plays.contains { $0.item == "a" })
    #expect(serving.told.count { $0 == "stuck" } >= 4)
    #expect(serving.holes == [])
  }

  /// Plays whatever it is given, and never gets on.
  private static func stillPlayer() -> ScriptedPeer.Script {
    let loaded = Mutex<(number: Int, media: JSONValue)?>(nil)
    return ScriptedPeer.healthy { peer, request in
      switch (request.namespace, request.type) {
      case (.media, "LOAD"):
        let number = loaded.withLock { loaded in
          loaded = ((loaded?.number ?? 0) + 1, request.json["media"] ?? [:])
          return loaded?.number ?? 1
        }
        peer.media(number, "PLAYING", id: request.id, more: ["media": request.json["media"] ?? [:]])
        return true
      case (.media, "GET_STATUS"):
        guard let now = loaded.withLock({ $0 }) else { return false }
        peer.media(now.number, "PLAYING", id: request.id, more: ["media": now.media])
        return true
      default: return false
      }
    }
  }
}
