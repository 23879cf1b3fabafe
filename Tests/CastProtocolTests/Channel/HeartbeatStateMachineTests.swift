import CastProtocol
import Testing

@Suite struct HeartbeatStateMachineTests {
  @Test("After 5 s of silence a ping is due, after 10 s the peer is gone")
  func silence() {
    var machine = HeartbeatStateMachine(now: .seconds(100))
    #expect(machine.nextDeadline == .seconds(105))
    #expect(machine.timerFired(at: .seconds(104.9)) == nil)
    #expect(machine.timerFired(at: .seconds(105)) == .ping)
    #expect(machine.nextDeadline == .seconds(110))
    #expect(machine.timerFired(at: .seconds(109.9)) == nil)
    #expect(machine.timerFired(at: .seconds(110)) == .peerSilent(.seconds(10)))
  }

  @Test("Anything received starts both times again")
  func signOfLife() {
    var machine = HeartbeatStateMachine(now: .zero)
    #expect(machine.timerFired(at: .seconds(5)) == .ping)
    machine.heard(at: .seconds(9))
    #expect(machine.nextDeadline == .seconds(14))
    #expect(machine.timerFired(at: .seconds(10)) == nil)
    #expect(machine.timerFired(at: .seconds(14)) == .ping)
    #expect(machine.timerFired(at: .seconds(19)) == .peerSilent(.seconds(10)))
  }

  @Test("A short ping interval pings again and again until the peer is given up")
  func shortInterval() {
    var machine = HeartbeatStateMachine(pingAfter: .seconds(2), deadAfter: .seconds(7), now: .zero)
    var effects: [HeartbeatStateMachine.Effect] = []
    while effects.count < 10, effects.last != .peerSilent(.seconds(7)) {
      effects += machine.timerFired(at: machine.nextDeadline).map { [$0] } ?? []
    }
    #expect(effects == [.ping, .ping, .ping, .peerSilent(.seconds(7))])
  }
}
