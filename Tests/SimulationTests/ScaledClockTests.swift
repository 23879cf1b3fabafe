import Testing

@testable import Simulation

@Suite struct ScaledClockTests {
  @Test("A scaled clock gains its factor on the clock below", arguments: [0.1, 1, 20, 100])
  func scales(factor: Double) throws {
    let executor = SimulationExecutor()
    let seen = try executor.run { clock in
      let scaled = ScaledClock(clock, factor: factor)
      let start = scaled.now
      try await clock.sleep(for: .seconds(3))
      return start.duration(to: scaled.now)
    }
    #expect(abs(seen / .seconds(1) - 3 * factor) < 1e-6)
  }

  @Test("A sleeper on a scaled clock wakes when its time has come, not before", arguments: [0.1, 3, 7, 20])
  func wakes(factor: Double) throws {
    let executor = SimulationExecutor()
    let (early, real) = try executor.run { clock in
      let scaled = ScaledClock(clock, factor: factor)
      var early = 0
      for step in 1...50 {
        let deadline = scaled.now.advanced(by: .milliseconds(37 * step))
        try await scaled.sleep(until: deadline, tolerance: nil)
        if scaled.now < deadline { early += 1 }
      }
      return (early, clock.now.offset)
    }
    #expect(early == 0)
    #expect(abs(real / .seconds(1) - 0.037 * 1275 / factor) < 0.001)
  }
}
