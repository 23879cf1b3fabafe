import CastClient
import CastProtocol
import DeviceControl
import ScenarioLanguage
import Signage
import Simulation
import Synchronization
import Testing

@Suite struct ServingTests {
  @Test("Items follow each other, stills for their time and films to their end")
  func order() throws {
    let serving = try Serving("program: [{ play: [a, x, { media: b, for: 20s }] }]", for: .seconds(200))
    #expect(
      serving.records
        == [
          "a 10 duration", "x 60 finished", "b 20 duration", "a 10 duration", "x 60 finished", "b 20 duration",
          "a 10 duration", "x 5 stopped",
        ].replacingLast(of: serving.records))
    #expect(serving.holes == [])
  }

  @Test("A still that follows itself is loaded once, and again before the device falls asleep over it")
  func still() throws {
    let serving = try Serving("keep_awake: 30s\nprogram: [{ play: [a] }]", for: .seconds(95))
    #expect(serving.plays.count == 10)
    #expect(serving.told.filter { $0 == "showing" }.count == 4)
    #expect(serving.holes == [])
  }

  @Test("A screen whose device has no power for a while goes on with its film where it was, within 10 s of the device")
  func powerCut() throws {
    let serving = try Serving("program: [{ play: [x, a] }]", for: .seconds(140)) { simulation in
      simulation.presences.usual.powerCuts = [.seconds(20) ..< .seconds(50)]
    }
    #expect(serving.plays.map(\.endReason).prefix(3) == [.connectionLost, .finished, .duration])
    #expect(serving.gaps.map(\.reason).prefix(1) == [.deviceOff])
    let second = try #require(serving.plays.dropFirst().first)
    #expect((50...60).contains(serving.seconds(second.start)))
    #expect((35...50).contains(second.shown), "it was at 20 s or before")
    // What no status covers was not shown for certain.
    #expect(try #require(serving.plays.first).shown <= 20.5)
    #expect(serving.told.contains("lost") && serving.told.contains("back"))
    #expect(serving.holes == [])
  }

  @Test("A device that is off at the beginning is looked for until it is there")
  func late() throws {
    let serving = try Serving("program: [{ play: [a] }]", for: .seconds(100)) { simulation in
      simulation.presences.usual.powerCuts = [.zero ..< .seconds(60)]
    }
    #expect(serving.gaps.first.map { $0.reason == .deviceOff || $0.reason == .notFound } == true)
    let first = try #require(serving.plays.first)
    #expect((60...70).contains(serving.seconds(first.start)))
    #expect(serving.told.filter { $0 == "unreachable" }.count <= 2, "the same is not told again and again")
    #expect(serving.holes == [])
  }

  @Test("Quiet hours begin on time whatever is on, stop the app, and end on time")
  func quiet() throws {
    let serving = try Serving(
      "program: [{ play: [x] }]\nquiet: { hours: 12:01-12:02 }", at: "2026-11-23 12:00", for: .seconds(150))
    let quiet = try #require(serving.gaps.first { $0.reason == .quiet })
    #expect(serving.seconds(quiet.start) >= 60 && serving.seconds(quiet.start) < 62)
    #expect(abs(serving.seconds(quiet.end) - 120) < 2)
    #expect(serving.holes == [])
  }

  @Test("An interrupt cuts a film in when it says so, and the film goes on where it was cut")
  func interrupt() throws {
    let serving = try Serving(
      "program: [{ play: [x, a] }]\ninterrupts: [{ at: \"12:00:30\", play: [b], cut: immediately }]",
      at: "2026-11-23 12:00", for: .seconds(90))
    #expect(serving.plays.map(\.item).prefix(4) == ["x", "b", "x", "a"])
    #expect(serving.plays.map(\.endReason).prefix(3) == [.interrupted, .duration, .finished])
    let (first, rest) = (serving.plays[0].shown, serving.plays[2].shown)
    #expect(abs(first + rest - 60) < 4, "\(first) and \(rest)")
    #expect(serving.holes == [])
  }

  @Test("An interrupt that waits comes after the item that is on, unless it would come too late")
  func politeInterrupt() throws {
    let interrupts =
      "interrupts: [{ at: \"12:00:30\", play: [b] }, { at: \"12:00:30\", play: [c], max_delay: 10s }]"
    let serving = try Serving(
      "program: [{ play: [x, a] }]\n\(interrupts)", at: "2026-11-23 12:00", for: .seconds(100))
    #expect(serving.plays.map(\.item).prefix(3) == ["x", "b", "a"])
    #expect(serving.plays.first?.endReason == .finished)
  }

  @Test("A window that does not wait ends a film on time; one that waits lets it end", arguments: [true, false])
  func switches(isImmediate: Bool) throws {
    let serving = try Serving(
      """
      program:
        - { during: { hours: 11:00-12:01 }, play: [x], switch: \(isImmediate ? "immediately" : "after_item") }
        - { play: [a] }
      """, at: "2026-11-23 12:00:20", for: .seconds(100))
    #expect(serving.plays.first?.endReason == (isImmediate ? .scheduled : .finished))
    let a = try #require(serving.plays.first { $0.item == "a" })
    #expect(isImmediate ? abs(serving.seconds(a.start) - 40) < 2 : serving.seconds(a.start) > 55)
  }

  @Test("An item that will not load is passed over, with the fallback in its place where the playlist says so")
  func ladder() throws {
    for (onError, shown) in [("fallback", ["f", "a", "f", "a"]), ("skip", ["a", "a", "a"])] {
      let serving = try Serving(
        "on_error: \(onError)\nfallback: f\nprogram: [{ play: [broken, a] }]", for: .seconds(60))
      let skips = serving.outcome.records.compactMap { if case .skip(let skip) = $0.kind { skip } else { nil } }
      #expect(skips.first?.item == "broken" && skips.first?.reason == "load_failed")
      #expect(skips.first?.shownInstead == (onError == "fallback" ? "f" : nil))
      #expect(Array(serving.plays.map(\.item).prefix(shown.count)) == shown, "\(onError): \(serving.records)")
      #expect(serving.holes == [])
    }
  }

  @Test("Where nothing will load the tries are spaced out")
  func nothingLoads() throws {
    let serving = try Serving("on_error: skip\nprogram: [{ play: [broken] }]", for: .seconds(600))
    #expect(serving.plays.isEmpty)
    #expect((10...60).contains(serving.told.filter { $0 == "not_shown" }.count))
    #expect(serving.holes == [])
  }

  @Test("Somebody else's film has the screen until nothing has played for as long as the playlist says")
  func yielding() throws {
    let serving = try Serving(
      "takeover: { policy: yield, resume_after: 30s }\nprogram: [{ play: [a] }]", for: .seconds(200)
    ) { simulation in
      simulation.beside = { stage in try? await Strangers.play(for: .seconds(40), after: .seconds(25), on: stage) }
    }
    let gap = try #require(serving.gaps.first { $0.reason == .yielded })
    #expect((24...28).contains(serving.seconds(gap.start)))
    // 40 s of their film, and 30 s in which nothing plays.
    #expect((90...110).contains(serving.seconds(gap.end)), "\(serving.seconds(gap.end))")
    #expect(serving.plays.contains { $0.endReason == .takenOver && $0.by != nil })
    #expect(serving.told.contains("yielded") && serving.told.contains("returned"))
    #expect(serving.holes == [])
  }

  @Test("A playlist that says so takes its screen back, or ends there", arguments: ["reclaim", "stop"])
  func takeover(policy: String) throws {
    let serving = try Serving("takeover: { policy: \(policy) }\nprogram: [{ play: [a] }]", for: .seconds(120)) {
      $0.beside = { stage in try? await Strangers.play(for: .seconds(300), after: .seconds(25), on: stage) }
    }
    let isBack = serving.plays.contains { serving.seconds($0.start) > 26 }
    #expect(isBack == (policy == "reclaim"))
    #expect(serving.told.contains(policy == "stop" ? "ended_by_takeover" : "returned"))
  }

  @Test("A film that stands still is loaded again where it stood")
  func stuck() throws {
    let serving = try Serving("watchdog: { stalled_after: 10s }\nprogram: [{ play: [x, a] }]", for: .seconds(120)) {
      $0.beside = { stage in try? await Strangers.pause(after: .seconds(20), on: stage) }
    }
    #expect(serving.plays.map(\.item).prefix(3) == ["x", "x", "a"])
    #expect(serving.plays.map(\.endReason).prefix(2) == [.stalled, .finished])
    #expect(abs(serving.plays[0].evidence.stalled - 10) < 1, "\(serving.plays[0].evidence)")
    #expect(abs(serving.plays[0].shown + serving.plays[1].shown - 60) < 12)
    #expect(serving.told.contains("stuck"))
    #expect(serving.holes == [])
  }

  @Test("The first remedy is the one that the playlist names", arguments: ["reload", "relaunch", "reconnect"])
  func remedies(first: String) throws {
    let serving = try Serving(
      "watchdog: { stalled_after: 10s, then: \(first) }\nprogram: [{ play: [x, a] }]", for: .seconds(60)
    ) { $0.beside = { stage in try? await Strangers.pause(after: .seconds(20), on: stage) } }
    let remedies = serving.outcome.moments.compactMap { moment in
      moment.event.json(moment.screen, at: moment.time, in: .utc)["remedy"]?.string
    }
    #expect(remedies.first == first)
    #expect(serving.plays.dropFirst().first?.item == "x", "\(serving.records)")
  }

  @Test("An item over which the device goes off again and again is passed over")
  func reboots() throws {
    let serving = try Serving("program: [{ play: [x, a] }]", for: .seconds(240)) {
      $0.presences.usual.powerCuts = (1..<12).map { .seconds($0 * 18) ..< .seconds($0 * 18 + 4) }
    }
    #expect(serving.records.contains("skip x connection_lost"), "\(serving.records)")
    #expect(serving.holes == [])
  }

  @Test("Two screens do not fight over one device")
  func oneDevice() throws {
    let serving = try Serving("devices: [TV, { name: TV }]\nprogram: [{ play: [a] }]", for: .seconds(60))
    #expect(Set(serving.plays.map(\.item)) == ["a"])
    let screens = Set(
      serving.outcome.records.compactMap { record -> String? in
        if case .play = record.kind { record.screen } else { nil }
      })
    #expect(screens.count == 1, "\(screens)")
    #expect(serving.told.contains("unreachable"))
  }

  @Test("A still that is on for long is loaded again before the device falls asleep over it")
  func longStill() throws {
    let sessions = Mutex<[Int]>([])
    let serving = try Serving("keep_awake: 30s\nprogram: [{ play: [{ media: a, for: 5m }] }]", for: .seconds(120)) {
      $0.beside = { stage in
        for time in [20, 100] {
          if let session = try? await Strangers.session(at: .seconds(time), on: stage) {
            sessions.withLock { $0.append(session) }
          }
        }
      }
    }
    #expect(sessions.withLock { Set($0).count } == 2, "\(sessions.withLock { $0 })")
    #expect(serving.plays.count == 1 && serving.holes == [])
  }

  @Test("A still whose device was off for a while is shown for what was left of its time")
  func rest() throws {
    let serving = try Serving(
      "keep_awake: never\nprogram: [{ play: [{ media: a, for: 60s }, b] }]", for: .seconds(140)
    ) { $0.presences.usual.powerCuts = [.seconds(45) ..< .seconds(50)] }
    #expect(serving.plays.map(\.item).prefix(3) == ["a", "a", "b"])
    #expect((45...75).contains(serving.plays[0].shown + serving.plays[1].shown), "\(serving.records)")
  }

  @Test("Quiet hours that begin while a film is loaded end it at once, not at its end")
  func boundaryWhileLoading() throws {
    let serving = try Serving(
      "program: [{ play: [x] }]\nquiet: { hours: 12:01-12:03 }", at: "2026-11-23 12:00:59", for: .seconds(100))
    #expect(serving.plays.reduce(0) { $0 + $1.shown } < 10, "\(serving.records)")
    #expect(serving.gaps.contains { $0.reason == .quiet && $0.end - $0.start > 80 })
  }

  @Test("Where nothing is on, an edit and an interrupt are shown all the same", arguments: [true, false])
  func outOfNothing(isEdit: Bool) throws {
    let window = "program: [{ during: { hours: 10:00-11:00 }, play: [a] }]"
    let interrupt = "\ninterrupts: [{ at: \"12:00:30\", play: [b] }]"
    let serving = try Serving(
      window + (isEdit ? "" : interrupt), at: "2026-11-23 12:00", for: .seconds(90)
    ) { simulation in
      guard isEdit else { return }
      let edited = try Serving.program("program: [{ play: [b] }]")
      simulation.beside = { stage in
        try? await stage.times.show.sleep(until: .seconds(30))
        await stage.server.replace(edited)
      }
    }
    let first = try #require(serving.plays.first)
    #expect(first.item == "b" && (29...45).contains(serving.seconds(first.start)), "\(serving.records)")
    #expect(serving.holes == [])
  }

  @Test("A still that loses its power was shown up to the last status, whatever its length")
  func powerCutInAStill() throws {
    let serving = try Serving("program: [{ play: [a, b] }]", for: .seconds(80)) {
      $0.presences.usual.powerCuts = [.seconds(15) ..< .seconds(40)]
    }
    let dark = serving.plays.filter { serving.seconds($0.end) > 16 && serving.seconds($0.start) < 40 }
    #expect(dark.reduce(0) { $0 + $1.shown } < 8, "\(serving.records)")
    #expect(dark.contains { $0.endReason == .connectionLost })
    #expect(!dark.contains { $0.endReason == .duration && $0.shown < 9 }, "\(serving.records)")
    #expect(serving.holes == [])
  }

  @Test("Somebody's long film is not taken for one that hangs")
  func longFilm() throws {
    let serving = try Serving(
      "takeover: { policy: yield, resume_after: 20s }\nprogram: [{ play: [a] }]", for: .seconds(400)
    ) { simulation in
      simulation.beside = { stage in try? await Strangers.play(for: .seconds(300), after: .seconds(15), on: stage) }
    }
    let gap = try #require(serving.gaps.first { $0.reason == .yielded })
    #expect((315...345).contains(gap.end - gap.start), "\(serving.records)")
  }

  @Test("An edited playlist counts from the next item on")
  func edit() throws {
    let serving = try Serving("program: [{ play: [a] }]", for: .seconds(60)) { simulation in
      let edited = try Serving.program("program: [{ play: [b] }]")
      simulation.beside = { stage in
        try? await stage.times.show.sleep(until: .seconds(25))
        await stage.server.replace(edited)
      }
    }
    #expect(Set(serving.plays.prefix(2).map(\.item)) == ["a"] && serving.plays.last?.item == "b")
    #expect(serving.told.contains("reloaded"))
  }

  @Test("Two screens of one playlist go their own ways, each with its own power")
  func twoScreens() throws {
    let serving = try Serving("devices: [Left, Right]\nprogram: [{ play: [a, b] }]", for: .seconds(100)) {
      var presence = DevicePresence()
      presence.powerCuts = [.seconds(20) ..< .seconds(60)]
      $0.presences.own["Right"] = presence
    }
    #expect(Set(serving.outcome.records.map(\.screen)) == ["left", "right"])
    #expect(serving.holes == [])
    let lost = serving.outcome.records.filter { $0.screen == "left" }.contains {
      if case .play(let play) = $0.kind { play.endReason == .connectionLost } else { false }
    }
    #expect(!lost)
  }

  @Test("The same seed gives the same day, whatever happens in it")
  func repeatable() throws {
    let run = {
      try Serving(
        "program: [{ play: [a, x, b], order: shuffle }]\nfallback: f", for: .seconds(1_800)
      ) {
        $0.seed = 7
        $0.presences.usual.powerCuts = [.seconds(300) ..< .seconds(400), .seconds(900) ..< .seconds(903)]
      }.outcome.records
    }
    #expect(try run() == run())
  }

  @Test("A day with power cuts is accounted for to the millisecond", arguments: [1, 2, 3])
  func day(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    let serving = try Serving(
      """
      program:
        - { during: { hours: 07:00-11:00 }, play: [a, x, { media: b, for: 90s }], order: shuffle }
        - { play: [{ media: c, for: 5m }, y] }
      interrupts: [{ every: 30m, play: [d], cut: immediately }]
      quiet: { hours: 01:00-06:00 }
      fallback: f
      """, at: "2026-11-23 00:00", for: .seconds(86_400)
    ) { simulation in
      simulation.seed = seed
      var time = 0
      simulation.presences.usual.powerCuts = (0..<8).map { _ in
        let start = time + 600 + dice.next(below: 9_000)
        time = start + 20 + dice.next(below: 900)
        return .seconds(start) ..< .seconds(time)
      }
    }
    #expect(serving.holes == [])
    let whole = serving.outcome.records.reduce(0) { sum, record in
      switch record.kind {
      case .play(let play): sum + Int(((play.end - play.start) * 1000).rounded())
      case .gap(let gap): sum + Int(((gap.end - gap.start) * 1000).rounded())
      case .skip: sum
      }
    }
    #expect(whole == 86_400_000)
    // Dark only where the device was off, and at most 10 s each; quiet hours are meant.
    let dark = serving.gaps.filter { $0.reason == .deviceOff || $0.reason == .notFound }.reduce(0) {
      $0 + $1.end - $1.start
    }
    #expect(dark < 8 * 930 + 8 * 10)
  }
}

extension [String] {
  /// The last one as `other` has it: how far an item was when all ended is of no interest.
  fileprivate func replacingLast(of other: [String]) -> [String] { dropLast() + other.suffix(1) }
}
