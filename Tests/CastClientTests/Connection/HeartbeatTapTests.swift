import CastProtocol
import CastTransport
import Simulation
import Testing

@testable import CastClient

/// Looking at the heartbeat changes nothing.
@Suite struct HeartbeatTapTests {
  private static func machine(_ exchange: AuthenticationExchange?, isTraced: Bool) -> ConnectionStateMachine {
    var machine = ConnectionStateMachine(
      configuration: ClientConfiguration(), at: .init(network: .zero, show: .zero), isTraced: isTraced,
      tracesHeartbeat: isTraced)
    machine.open(exchange, token: 1)
    return machine
  }

  /// What is to be done besides telling.
  private static func deeds(_ machine: inout ConnectionStateMachine) -> [String] {
    machine.takeEffects().compactMap { effect in if case .tap = effect { nil } else { "\(effect)" } }
  }

  private static func bytes(_ json: JSONValue, _ namespace: Namespace) throws -> [UInt8] {
    try ChannelStateMachine.encode([
      CastMessage(source: .receiver, destination: .sender, namespace: namespace, json: json)
    ])
  }

  @Test(
    "Whatever comes, with and without trace the same is done", arguments: 0..<60,
    [AuthenticationMode.none, .report, .require])
  func same(seed: Int, mode: AuthenticationMode) throws {
    let rules = AuthenticationRules(
      mode: mode, verifier: try DeviceAuthVerifier.forDevices(), makeNonce: { Array(1...16) },
      wallClock: { 1_795_000_000 })
    let exchange = AuthenticationExchange(rules, tlsCertificate: [1, 2, 3])
    var generator = SeededGenerator(seed: UInt64(seed))
    var (plain, traced) = (Self.machine(exchange, isTraced: false), Self.machine(exchange, isTraced: true))
    #expect(Self.deeds(&plain) == Self.deeds(&traced))
    let words = [
      try Self.bytes(["type": "PING"], .heartbeat), try Self.bytes(["type": "PING"], .heartbeat),
      try Self.bytes(["type": "PONG"], .heartbeat),
      try Self.bytes(["type": "RECEIVER_STATUS", "requestId": 1, "status": [:]], .receiver),
    ]
    var now = Duration.zero
    for _ in 0..<30 {
      now += .milliseconds(Int.random(in: 0...2500, using: &generator))
      let moment = ConnectionStateMachine.Moment(network: now, show: now)
      plain.noteTime(moment)
      traced.noteTime(moment)
      if Bool.random(using: &generator) {
        let word = words[Int.random(in: 0..<words.count, using: &generator)]
        plain.receive(word)
        traced.receive(word)
      } else {
        plain.timerFired()
        traced.timerFired()
      }
      #expect(Self.deeds(&plain) == Self.deeds(&traced))
      #expect(plain.nextNetworkDeadline == traced.nextNetworkDeadline)
    }
  }
}
