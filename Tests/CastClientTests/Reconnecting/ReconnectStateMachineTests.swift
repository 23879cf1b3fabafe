import CastProtocol
import Testing

@testable import CastClient

@Suite struct ReconnectStateMachineTests {
  private func fires(_ machine: inout ReconnectStateMachine, at now: Duration, _ expected: Bool = true) {
    let isDue = machine.timerFired(at: now)
    #expect(isDue == expected)
  }

  /// The waits after each failed try, with this random number.
  private func waits(_ count: Int, random: Double) -> [Duration] {
    var now = Duration.seconds(100)
    var machine = ReconnectStateMachine(lostAt: now)
    return (0..<count).map { _ in
      let due = machine.nextTry ?? .zero
      let wait = due - now
      now = due
      fires(&machine, at: now)
      #expect(machine.nextTry == nil)
      machine.failed(at: now, random: random)
      return wait
    }
  }

  @Test("The waits are 0, 1, 2, 4 ... 30 s")
  func schedule() {
    #expect(waits(9, random: 0.5) == [0, 1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
  }

  @Test(
    "Jitter makes a wait longer or shorter by up to a fifth",
    arguments: [(0.0, 0.8), (1.0, 1.2), (7.0, 1.2), (-3.0, 0.8)])
  func jitter(random: Double, factor: Double) {
    #expect(waits(7, random: random) == [0, 1, 2, 4, 8, 16, 30].map { .clamped(seconds: $0 * factor) })
  }

  @Test("A thousand failures neither overflow nor stretch the wait")
  func many() { #expect(waits(1000, random: 0.5).last == .seconds(30)) }

  @Test("A reappearance wakes the wait, but no sooner than a second after the last try")
  func sighted() {
    var machine = ReconnectStateMachine(lostAt: .zero)
    for _ in 0..<5 {
      let due = machine.nextTry ?? .zero
      fires(&machine, at: due)
      machine.failed(at: due, random: 0.5)
    }
    #expect(machine.nextTry == .seconds(1 + 2 + 4 + 8 + 16))
    machine.sighted(at: .seconds(15.2))
    #expect(machine.nextTry == .seconds(16))
    machine.sighted(at: .seconds(15.9))
    #expect(machine.nextTry == .seconds(16))
    fires(&machine, at: .seconds(15.9), false)
    fires(&machine, at: .seconds(16))
  }

  @Test("A reappearance during a try that fails shortens the wait after it")
  func sightedWhileTrying() {
    var machine = ReconnectStateMachine(lostAt: .zero)
    for now in [0, 1, 3, 7] {
      fires(&machine, at: .seconds(now))
      if now == 7 { machine.sighted(at: .seconds(8)) }
      machine.failed(at: .seconds(now), random: 0.5)
    }
    #expect(machine.nextTry == .seconds(8) && machine.failedTries == 4)
  }

  @Test("A call too early, or of a try that is over, changes nothing")
  func early() {
    var machine = ReconnectStateMachine(lostAt: .seconds(5))
    machine.failed(at: .seconds(5), random: 0.5)
    fires(&machine, at: .seconds(4.9), false)
    #expect(machine.nextTry == .seconds(5) && machine.failedTries == 0)
  }
}
