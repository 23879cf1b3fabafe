import ScenarioLanguage
import TestSupport
import Testing

@testable import RunReporting

/// The keys of a journal's records (docs/runs.md "The journal").
@Suite struct JournalKeyTests {
  private static let step = JournalKey.row(0, repeated: 2).on(device: "TV").attempt(1).section(.steps).step("s3")

  @Test("A key says row, repeat, device, try, section and step, with the tries and passes around it")
  func form() {
    let inner = Self.step.inside(attempt: 1, pass: 2).step("s3.1")
    #expect(inner == "r0.2@TV#1:steps/s3~1.2/s3.1")
    #expect(
      JournalKey.row(4).attempt(2).section(.finally).step("s1").inside(attempt: 3).step("a") == "r4#2:finally/s1~3/a")
    #expect(Self.step.decision(attempt: 2) == "r0.2@TV#1:steps/s3~2?")
    #expect(Self.step.decision(attempt: 2, pass: 7) == "r0.2@TV#1:steps/s3~2?7")
    #expect(inner.scenario == "r0.2@TV#1" && inner.scenario.attempt(3) == "r0.2@TV#3")
    #expect(inner.scenario.place?.row == "r0.2" && inner.scenario.place?.choice == "TV")
    #expect(JournalKey.row(1).attempt(1).place?.row == "r1" && JournalKey.row(1).attempt(1).place?.choice == nil)
    #expect(JournalKey().place == nil)
  }

  @Test(
    "A name of a device is told apart from the rest of a key, and is had back from it",
    arguments: ["Bar #2: left 50%", "%23", "r0@x#1:steps/s1~1", "a@b", ""])
  func devices(name: String) {
    let key = JournalKey.row(0).on(device: name).attempt(1)
    let step = key.section(.steps).step("s1")
    #expect(step.scenario == key && key.attempt(2).attempt(1) == key)
    #expect(key.place?.row == "r0" && (key.place?.choice ?? "") == name)
    #expect(JournalKey(json: step.json) == step)
  }

  private static func work(_ keys: [JournalKey]) -> JournaledWork {
    JournaledWork(keys.map { JournalEntry(wallTime: 0, elapsed: 1, .start(.init(key: $0))) }, of: "01RUN")
  }

  @Test("A step is inside of each try around it, and of no other")
  func tries() {
    let group = Self.step.inside(attempt: 12, pass: 3).step("g")
    let work = Self.work([group.inside(attempt: 1).step("s9")])
    #expect(work.hasBegun(tryOf: Self.step, 12) && work.hasBegun(tryOf: group, 1))
    for number in [0, 1, 2, 3, 11, 13, 120, 121] {
      #expect(!work.hasBegun(tryOf: Self.step, number) && (number == 1 || !work.hasBegun(tryOf: group, number)))
    }
    #expect(!work.hasBegun(tryOf: group.inside(attempt: 1).step("s9"), 1))
    #expect(!Self.work([Self.step]).hasBegun(tryOf: Self.step, 1))
    for key in [
      Self.step.inside(attempt: 4), Self.step.inside(attempt: 4, pass: 1), Self.step.decision(attempt: 4),
      Self.step.decision(attempt: 4, pass: 2), Self.step.inside(attempt: 4).step("a"),
    ] {
      // Beside tries whose numbers begin with the same digit.
      let work = Self.work([key] + [40, 41, 49].map { Self.step.inside(attempt: $0).step("a") })
      #expect(work.hasBegun(tryOf: Self.step, 4) && work.hasBegun(tryOf: Self.step, 41), "\(key.rawValue)")
      #expect(!work.hasBegun(tryOf: Self.step, 42), "\(key.rawValue)")
    }
  }

  @Test("A key that a foreign journal made very long takes no more than its length")
  func longKey() {
    let count = 60_000
    let key = JournalKey(rawValue: "r0#1:steps/s1" + String(repeating: "~1", count: count) + "/a")
    let clock = ContinuousClock()
    let time = clock.measure {
      let work = Self.work([key])
      #expect(work.hasBegun(.row(0).attempt(1)) && work.hasBegun(tryOf: "r0#1:steps/s1~1~1", 1))
    }
    #expect(time < .seconds(2), "\(time)")
  }

  @Test("What is inside of a step is not what is inside of one whose id begins alike")
  func insides() throws {
    func done(_ key: JournalKey) -> JournalEntry {
      var done = JournalEntry.Done()
      (done.key, done.step) = (key, "x")
      return JournalEntry(wallTime: 0, elapsed: 1, .done(done))
    }
    let list = JournalKey.row(0).attempt(1).section(.steps)
    let keys = [
      list.step("s1"), list.step("s1").inside(attempt: 1).step("a"), list.step("s10"),
      list.step("s10").inside(attempt: 1).step("b"), JournalKey.row(0).attempt(10).section(.steps).step("s1"),
    ]
    let work = JournaledWork(keys.map(done), of: "01RUN")
    #expect(work.dones(inside: list.step("s1")).map(\.key) == [keys[1]])
    #expect(work.dones(inside: JournalKey.row(0).attempt(1)).map(\.key) == Array(keys.prefix(4)))
    #expect(work.hasBegun(tryOf: list.step("s1"), 1) && !work.hasBegun(tryOf: list.step("s1"), 10))
    #expect(work.hasBegun(.row(0).attempt(10)) && !work.hasBegun(.row(0).attempt(2)) && work.hasBegun(row: .row(0)))
  }

  @Test("A rule is broken on a device from its record, with what was before it, to the last record, unless it is over")
  func streaks() {
    func work(_ kinds: [JournalEntry.Kind]) -> JournaledWork {
      JournaledWork(
        kinds.enumerated().map { JournalEntry(wallTime: 0, elapsed: Double($0.offset), $0.element) }, of: "01RUN")
    }
    func streak(_ name: String, on device: Int = 0, isOver: Bool = false, before: Double = 0) -> JournalEntry.Kind {
      var streak = JournalEntry.Streak()
      (streak.key, streak.name, streak.device) = ("r0#1", name, device)
      (streak.isOver, streak.before) = (isOver, before)
      return .streak(.init(fields: JournalEntry.Kind.streak(streak).fields))
    }
    let step = JournalEntry.Kind.start(.init(key: "r0#1:steps/s1"))
    let begun = [streak("loud"), streak("dark", on: 1, before: 2.5), step, streak("loud", isOver: true)]
    let first = work(Array(begun.dropLast()))
    #expect(first.streaks(on: 0, in: "r0#1") == ["loud": 2] && first.streaks(on: 1, in: "r0#1") == ["dark": 3.5])
    #expect(work(begun).streaks(on: 0, in: "r0#1").isEmpty && work(begun).streaks(on: 0, in: "r0#2").isEmpty)
    var cleanup = JournalEntry.Cleanup()
    cleanup.key = "r0#1"
    #expect(work(begun + [.cleanup(cleanup)]).streaks(on: 1, in: "r0#1").isEmpty)
  }

  @Test("Where no run was before, nothing was done")
  func nothing() {
    let work = JournaledWork()
    #expect(work.run == nil && work.counts == (0, 0) && work.obstacle == nil && work.interruption == nil)
    #expect(work.done(Self.step) == nil && work.intent(Self.step) == nil && !work.hasStarted(Self.step))
    #expect(work.dones(inside: Self.step).isEmpty && work.devices(ofRow: .row(0)).isEmpty)
    #expect(work.streaks(on: 0, in: Self.step.scenario).isEmpty)
    #expect(work.spent(in: Self.step.scenario) == 0 && work.timeOfTries(to: Self.step.scenario) == 0)
  }
}
