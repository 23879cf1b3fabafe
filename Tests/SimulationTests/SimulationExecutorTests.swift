import Synchronization
import Testing

@testable import Simulation

@Suite struct SimulationExecutorTests {
  /// Two actors that play ball, and what they saw.
  private actor Player {
    private(set) var log: [String] = []
    func hit(_ name: String, at time: Duration) { log.append("\(name)@\(time)") }
  }

  private static func game(seed: UInt64?) throws -> [String] {
    let executor = SimulationExecutor(seed: seed)
    return try executor.run { clock in
      let table = Player()
      await withTaskGroup(of: Void.self) { group in
        for (name, pause) in [("a", 3), ("b", 5), ("c", 5)] {
          group.addTask {
            for _ in 0..<20 {
              try? await clock.sleep(for: .seconds(pause))
              await table.hit(name, at: clock.now.offset)
            }
          }
        }
      }
      return await table.log
    }
  }

  @Test("Ten virtual minutes pass without real waiting")
  func jumpsOverWaits() throws {
    let executor = SimulationExecutor()
    let start = ContinuousClock.now
    try executor.run { clock in try await clock.sleep(for: .seconds(600)) }
    #expect(executor.now == .seconds(600))
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test("The same seed gives the same schedule", arguments: [nil, 1, 2, 99] as [UInt64?])
  func repeats(seed: UInt64?) throws {
    let first = try Self.game(seed: seed)
    #expect(first.count == 60)
    for _ in 0..<5 { #expect(try Self.game(seed: seed) == first) }
  }

  @Test("Seeds differ in the order of what is due together")
  func seedsDiffer() throws {
    let schedules = Set(try (0..<20).map { try Self.game(seed: $0) })
    #expect(schedules.count > 1)
  }

  @Test("A wait that nothing ends is a deadlock, not a hang")
  func deadlock() {
    let executor = SimulationExecutor()
    #expect(throws: SimulationError.deadlock(at: .seconds(2))) {
      try executor.run { clock in
        try await clock.sleep(for: .seconds(2))
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        for await _ in stream {}
        continuation.finish()
      }
    }
  }

  @Test("A sleeper left behind is a leak")
  func leak() {
    let executor = SimulationExecutor()
    #expect(throws: SimulationError.leaked(sleepers: 1)) {
      try executor.run { clock in
        Task(executorPreference: executor) { try? await clock.sleep(for: .seconds(9)) }
      }
    }
  }

  @Test("A plain task that sleeps on the virtual clock is caught as an escape")
  func escape() {
    let executor = SimulationExecutor()
    #expect(throws: SimulationError.self) {
      try executor.run { clock in
        let escaped = Task.detached { try? await clock.sleep(for: .seconds(1)) }
        _ = await escaped.value
      }
    }
  }

  @Test("A loop that never waits is given up")
  func livelock() {
    let executor = SimulationExecutor()
    #expect(throws: SimulationError.livelock(at: .zero)) {
      try executor.run { _ in
        while !Task.isCancelled { await Task.yield() }
      }
    }
  }

  @Test("A simulation that never ends is given up at its limit")
  func overdue() {
    let executor = SimulationExecutor()
    #expect(throws: SimulationError.overdue(at: .seconds(11))) {
      try executor.run(limit: .seconds(10)) { clock in
        while !Task.isCancelled { try await clock.sleep(for: .seconds(1)) }
      }
    }
  }

  @Test("Cancelling a sleeping task ends it at once")
  func cancellation() throws {
    let executor = SimulationExecutor()
    let woke = try executor.run { clock in
      let sleeper = Task(executorPreference: executor) {
        try? await clock.sleep(for: .seconds(100))
        return clock.now.offset
      }
      try await clock.sleep(for: .seconds(1))
      sleeper.cancel()
      return await sleeper.value
    }
    #expect(woke == .seconds(1))
  }

  @Test("What the body throws comes out")
  func bodyThrows() {
    struct Oops: Error {}
    #expect(throws: Oops.self) { try SimulationExecutor().run { _ in throw Oops() } }
  }
}
