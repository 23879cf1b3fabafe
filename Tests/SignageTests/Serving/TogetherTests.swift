import CastProtocol
import ScenarioLanguage
import Signage
import Simulation
import Testing

/// Screens of one playlist that begin their items together.
@Suite struct TogetherTests {
  private static let screens = "devices: [Left, Middle, Right]\nsync: true\n"

  /// The plays of each screen, by its name.
  private static func plays(_ serving: Serving) -> [String: [LedgerRecord.Play]] {
    var plays: [String: [LedgerRecord.Play]] = [:]
    for record in serving.outcome.records {
      if case .play(let play) = record.kind { plays[record.screen, default: []].append(play) }
    }
    return plays
  }

  @Test(
    "All screens show the same item at the same time, in whatever order, and the ledger has by how much they missed it",
    arguments: ["listed", "shuffle", "weighted"])
  func together(order: String) throws {
    let serving = try Serving(
      Self.screens + "program: [{ order: \(order), play: [a, x, { media: b, for: 17s }, c] }]", for: .seconds(1_200)
    ) { $0.link.delay = .milliseconds(1) ... .milliseconds(40) }
    let plays = Self.plays(serving)
    try #require(plays.count == 3)
    for time in stride(from: 30.0, to: 1_190, by: 1) {
      let on = plays.mapValues { all in
        all.last { serving.seconds($0.start) + 2 < time && time < serving.seconds($0.end) }?.item
      }
      #expect(Set(on.values.compactMap(\.self)).count <= 1, "at \(time) s: \(on)")
    }
    let skews = plays.values.flatMap(\.self).compactMap(\.skew)
    #expect(skews.count > 60 && skews.allSatisfy { $0 > -0.001 && $0 < 2 }, "\(skews)")
    #expect(serving.holes == [])
  }

  @Test("A screen that was off joins what the others show, a film where it is by then")
  func late() throws {
    let serving = try Serving(Self.screens + "program: [{ play: [x, a, y] }]", for: .seconds(300)) {
      var presence = DevicePresence()
      presence.powerCuts = [.seconds(20) ..< .seconds(100)]
      $0.presences.own["Right"] = presence
    }
    let plays = Self.plays(serving)
    let back = try #require(plays["right"]?.first { serving.seconds($0.start) > 99 })
    let other = try #require(plays["left"]?.first { $0.start <= back.start && back.start < $0.end })
    #expect(back.item == other.item && abs(back.end - other.end) < 1, "\(back) \(other)")
    #expect(back.skew == nil && back.shown < 50)
    #expect(serving.holes == [])
  }

  @Test("An interrupt comes to all screens at once, and afterwards they are where they would have been without it")
  func interrupt() throws {
    let lines = "program: [{ play: [a, x, b] }]\n"
    let interrupt = "interrupts: [{ at: \"12:00:30\", play: [c], cut: immediately }]\n"
    let (plain, cut) = (
      try Serving(Self.screens + lines, for: .seconds(300)),
      try Serving(Self.screens + lines + interrupt, for: .seconds(300))
    )
    for (screen, plays) in Self.plays(cut) {
      let c = try #require(plays.first { $0.item == "c" })
      #expect(abs(cut.seconds(c.start) - 30) < 1.5, "\(screen)")
      let ends = plays.map(\.end).map(cut.seconds).filter { $0 > 100 && $0 < 295 }
      let plainEnds = Self.plays(plain)[screen]?.map(\.end).map(plain.seconds).filter { $0 > 100 && $0 < 295 } ?? []
      #expect(
        ends.count == plainEnds.count && zip(ends, plainEnds).allSatisfy { abs($0 - $1) < 1 }, "\(ends) \(plainEnds)")
    }
  }

  @Test("What screens show together is a function of the clock, whatever they were asked before", arguments: [1, 2, 3])
  func function(seed: UInt64) throws {
    let program = try Serving.program(
      Self.screens + "program: [{ order: shuffle, play: [a, x, { media: b, for: 17s, times: 2 }, c] }]")
    let start = try Playlists.moment("2026-03-28 22:00", program)
    var dice = SeededGenerator(seed: seed)
    var whole = SharedCycle(program.plan.program[0], in: program.zone, seed: 9)
    var jumping = whole
    var slots: [Int: SharedCycle.Slot] = [:]
    for time in start..<start + 20_000 { slots[time] = whole.slot(at: time, windowSince: nil) }
    for (time, slot) in slots { #expect(slot.range.contains(time)) }
    for time in start..<start + 19_999 where slots[time] != slots[time + 1] {
      #expect(slots[time]?.range.upperBound == time + 1, "at midnight, too, one item ends where the next one begins")
    }
    for _ in 0..<300 {
      let time = start + dice.next(below: 20_000)
      #expect(jumping.slot(at: time, windowSince: nil) == slots[time])
    }
  }

  @Test("A rule that is shown once is over for all screens at the same time")
  func once() throws {
    let serving = try Serving(
      Self.screens + "program: [{ repeat: false, play: [a, b] }, { play: [c] }]", for: .seconds(120))
    for (screen, plays) in Self.plays(serving) {
      #expect(
        plays.map(\.item).filter { $0 == "a" }.count <= 1 && plays.last?.item == "c", "\(screen): \(plays.map(\.item))")
    }
    #expect(serving.holes == [])
  }

  @Test("An item whose length nobody knows is an error where screens begin items together")
  func unknown() throws {
    let yaml = """
      playlist: Shop
      timezone: UTC
      devices: [Left, Right]
      sync: true
      program: [{ play: [https://e.com/film.mp4, https://e.com/a.jpg] }]
      """
    let outcome = PlanCompiler.compile(SourceFile(name: "shop.yaml", bytes: Array(yaml.utf8)))
    #expect(outcome.diagnostics.map(\.code) == [.p608])
  }
}
