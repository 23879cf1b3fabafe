import CastProtocol
import Testing

@testable import Simulation

@Suite struct SleeperHeapTests {
  @Test("Sleepers wake by their time, those of one time in the order in which they came", arguments: 0..<20)
  func order(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var heap = SleeperHeap()
    var sleepers: [Sleeper] = []
    for id in 1...60 {
      let sleeper = Sleeper(deadline: .seconds(generator.next(below: 12)), id: UInt64(id))
      sleepers.append(sleeper)
      heap.insert(sleeper)
      // Some wake while others still come.
      if id % 4 == 0, let first = heap.removeFirst() {
        let least = sleepers.min { $0.comes(before: $1) }
        #expect(first.id == least?.id)
        sleepers.removeAll { $0.id == first.id }
      }
    }
    var woken: [UInt64] = []
    while let next = heap.first {
      woken.append(next.id)
      #expect(heap.removeFirst()?.id == next.id, "looking at the first does not change it")
    }
    #expect(woken == sleepers.sorted { $0.comes(before: $1) }.map(\.id))
    #expect(heap.removeFirst() == nil)
  }

  static let errors: [(error: SimulationError, text: String)] = [
    (.deadlock(at: .seconds(2)), "nothing can run at 2.0 seconds and the work is not done"),
    (.livelock(at: .zero), "a million jobs ran at 0.0 seconds without the clock moving"),
    (.escaped(["a", "b"]), "work escaped the simulation: a; b"),
    (.leaked(sleepers: 3), "3 tasks still wait after the end"),
    (.overdue(at: .seconds(9)), "still busy at 9.0 seconds"),
  ]

  @Test("What is wrong with a simulation is told in a sentence with its time", arguments: errors)
  func sentence(error: SimulationError, text: String) { #expect("\(error)" == text) }

  @Test("What is still on its way when the work is done has a second to arrive, and no more", arguments: [1000, 1001])
  func settling(milliseconds: Int) throws {
    let executor = SimulationExecutor()
    func run() throws {
      try executor.run { clock in
        _ = Task(executorPreference: executor) { try? await clock.sleep(for: .milliseconds(milliseconds)) }
      }
    }
    if milliseconds == 1000 {
      try run()
      #expect(executor.now == .seconds(1))
    } else {
      #expect(throws: SimulationError.leaked(sleepers: 1)) { try run() }
    }
  }

  @Test("A sleep that is over already still lets others go first, and the clock never goes back")
  func past() throws {
    let executor = SimulationExecutor()
    let times = try executor.run { clock in
      try await clock.sleep(for: .seconds(5))
      try await clock.sleep(until: .init(offset: .seconds(1)), tolerance: nil)
      return clock.now.offset
    }
    #expect(times == .seconds(5))
  }

  @Test("After a run that was given up its tasks are gone, so that what they held is free")
  func unwound() throws {
    final class Held: Sendable {}
    weak var held: Held?
    let executor = SimulationExecutor()
    #expect(throws: SimulationError.overdue(at: .seconds(20))) {
      let own = Held()
      held = own
      try executor.run(limit: .seconds(10)) { [own] clock in
        try await clock.sleep(for: .seconds(20))
        withExtendedLifetime(own) {}
      }
    }
    #expect(held == nil)
  }
}
