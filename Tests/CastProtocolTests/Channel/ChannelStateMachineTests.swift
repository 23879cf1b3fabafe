import CastProtocol
import Testing

@Suite struct ChannelStateMachineTests {
  typealias Machine = ChannelStateMachine

  static func heartbeat(_ type: String, from source: EndpointID, to destination: EndpointID) -> CastMessage {
    CastMessage(
      source: source, destination: destination, namespace: .heartbeat, payload: .text(#"{"type":"\#(type)"}"#))
  }

  static let status = CastMessage(
    source: .receiver, destination: .everyone, namespace: .receiver, json: ["type": "RECEIVER_STATUS"])

  static let pings: [(ping: CastMessage, role: Machine.Role, pong: CastMessage)] = [
    (heartbeat("PING", from: .receiver, to: .sender), .sender, heartbeat("PONG", from: .sender, to: .receiver)),
    (
      heartbeat("PING", from: "Tr@n$p0rt-0", to: "sender-7"), .sender,
      heartbeat("PONG", from: "sender-7", to: "Tr@n$p0rt-0")
    ),
    (heartbeat("PING", from: .receiver, to: .everyone), .sender, heartbeat("PONG", from: .sender, to: .receiver)),
    (heartbeat("PING", from: .sender, to: .everyone), .receiver, heartbeat("PONG", from: .receiver, to: .sender)),
  ]
  @Test("A ping is answered to the one who pinged, and goes no further", arguments: pings)
  func ping(ping: CastMessage, role: Machine.Role, pong: CastMessage) throws {
    var machine = Machine(role: role, now: .zero)
    #expect(try machine.receive(Machine.encode([ping]), at: .seconds(1)) == [.send(Machine.encode([pong]))])
  }

  @Test(
    "Pongs and other heartbeat messages are swallowed",
    arguments: [#"{"type":"PONG"}"#, #"{"type":"X"}"#, "{}", "[]", "not json", "", #"{"type":5}"#])
  func swallowed(text: String) throws {
    var machine = Machine(now: .zero)
    let message = CastMessage(source: .receiver, destination: .sender, namespace: .heartbeat, payload: .text(text))
    #expect(try machine.receive(Machine.encode([message]), at: .zero) == [])
  }

  @Test("Messages of one read are dealt with in order")
  func order() throws {
    var machine = Machine(now: .zero)
    let ping = Self.heartbeat("PING", from: .receiver, to: .sender)
    let pong = Self.heartbeat("PONG", from: .sender, to: .receiver)
    let effects = try machine.receive(Machine.encode([Self.status, ping, Self.status]), at: .zero)
    #expect(effects == [.deliver(Self.status), .send(try Machine.encode([pong])), .deliver(Self.status)])
  }

  @Test("In silence the platform pings the other platform, then gives up", arguments: [Machine.Role.sender, .receiver])
  func silence(role: Machine.Role) throws {
    var machine = Machine(role: role, now: .zero)
    #expect(machine.nextDeadline == .seconds(5))
    #expect(machine.timerFired(at: .seconds(4)) == [])
    let ping = Self.heartbeat("PING", from: role.platform, to: role.peerPlatform)
    #expect(machine.timerFired(at: .seconds(5)) == [.send(try Machine.encode([ping]))])
    #expect(machine.nextDeadline == .seconds(10))
    #expect(machine.timerFired(at: .seconds(10)) == [.close(.peerSilent(.seconds(10)))])
    #expect(machine.timerFired(at: .seconds(20)) == [])
    #expect(try machine.receive(Machine.encode([Self.status]), at: .seconds(21)) == [])
    #expect(machine.nextDeadline > .seconds(1_000_000_000))
  }

  @Test("A frame must be complete 5 s after its first byte, however the bytes drip")
  func slowFrame() throws {
    var machine = Machine(now: .zero)
    let frame = try Machine.encode([Self.status])
    var time = Duration.seconds(1)
    var deadline = machine.nextDeadline
    for byte in frame.prefix(5) {
      #expect(machine.receive([byte], at: time) == [])
      #expect(machine.nextDeadline >= deadline)
      deadline = machine.nextDeadline
      time += .seconds(1)
    }
    #expect(machine.nextDeadline == .seconds(6))
    #expect(machine.timerFired(at: .seconds(5.9)) == [])
    #expect(machine.timerFired(at: .seconds(6)) == [.close(.frameStalled)])
  }

  @Test("The time of a frame starts with its own first byte, not with that of the frame before")
  func nextFrame() throws {
    var machine = Machine(now: .zero)
    let frame = try Machine.encode([Self.status])
    #expect(machine.receive(Array(frame.dropLast()), at: .zero) == [])
    #expect(machine.receive([frame[frame.count - 1]] + frame.prefix(1), at: .seconds(4)) == [.deliver(Self.status)])
    #expect(machine.timerFired(at: .seconds(8.9)) == [])
    #expect(machine.receive(Array(frame.dropFirst()), at: .seconds(8.9)) == [.deliver(Self.status)])
    #expect(machine.nextDeadline == .seconds(13.9))
  }

  @Test("A peer that breaks the protocol is closed after what came before is delivered")
  func broken() throws {
    for (bytes, error) in [
      ([0, 0, 0, 0], ProtocolError.frameEmpty), ([0, 1, 0, 1], .frameTooLong(declared: 65_537, limit: 65_536)),
      ([0, 0, 0, 1, 0xFF], .malformedMessage("not a cast message")),
    ] as [([UInt8], ProtocolError)] {
      var machine = Machine(now: .zero)
      let effects = try machine.receive(Machine.encode([Self.status]) + bytes, at: .zero)
      #expect(effects == [.deliver(Self.status), .close(.protocolBroken(error))])
      #expect(machine.receive(bytes, at: .zero) == [])
    }
  }

  @Test("1000 messages a second are borne for good, more are a flood")
  func flood() throws {
    let frame = try Machine.encode([Self.status])
    for (perTenth, isFlood) in [(100, false), (110, true)] {
      var machine = Machine(now: .zero)
      var effects: [Machine.Effect] = []
      for tenth in 0..<300 where effects.last != .close(.flood) {
        let burst = Array(repeating: frame, count: perTenth).flatMap { $0 }
        effects = machine.receive(burst, at: .milliseconds(100 * tenth))
      }
      #expect((effects.last == .close(.flood)) == isFlood)
    }
  }

  @Test("A burst of one second's worth is no flood, one message more is")
  func burst() throws {
    let frame = try Machine.encode([Self.status])
    var machine = Machine(now: .zero)
    #expect(machine.receive(Array(repeating: frame, count: 1000).flatMap { $0 }, at: .zero).count == 1000)
    #expect(machine.receive(frame, at: .zero) == [.close(.flood)])
  }

  @Test("4 MiB a second are borne for good, more are a flood of their own, and replies to requests do not count")
  func byteFlood() throws {
    let long = CastMessage(
      source: .receiver, destination: .everyone, namespace: .media,
      payload: .text(String(repeating: "x", count: 57_000)))
    let frame = try Machine.encode([long])
    let flood = Machine.Effect.close(.byteFlood(limit: 4 << 20))
    for (perTenth, credits, isFlood) in [(7, 0, false), (9, 0, true), (9, 3, false), (100, 0, true)] {
      var machine = Machine(now: .zero)
      var effects: [Machine.Effect] = []
      var frames: [UInt8] = []
      for _ in 0..<perTenth { frames += frame }
      // What is a little too much is told within ten seconds: what goes well for so long goes well for good.
      for tenth in 0..<100 where effects.last != flood {
        for _ in 0..<credits { machine.creditReply() }
        effects = machine.receive(frames, at: .milliseconds(100 * tenth))
      }
      #expect((effects.last == flood) == isFlood, "\(perTenth)")
    }
  }

  @Test("Required fields that are left out are told once")
  func leftOut() {
    let body = CastMessageTests.ids + CastMessageTests.field(6, "{}")
    let frame = [0, 0, 0, UInt8(body.count)] + body
    var machine = Machine(now: .zero)
    let message = CastMessage(
      source: .sender, destination: .receiver, namespace: Namespace(rawValue: "urn:x-cast:test"), payload: .text("{}"))
    #expect(
      machine.receive(frame + frame, at: .zero)
        == [.oddity(.fieldsLeftOut), .deliver(message), .deliver(message)])
    #expect(machine.receive(frame, at: .zero) == [.deliver(message)])
  }

  @Test("Who wants to see the heartbeat sees it, and nothing else changes", arguments: 0..<50)
  func watchedHeartbeat(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var silent = Machine(now: .zero)
    var watched = Machine(now: .zero, tellsHeartbeat: true)
    let messages = [
      Self.status, Self.heartbeat("PING", from: .receiver, to: .sender),
      Self.heartbeat("PONG", from: .receiver, to: .sender), Self.heartbeat("X", from: "a", to: .everyone),
    ]
    var now = Duration.zero
    for _ in 0..<200 {
      now += .milliseconds(Int.random(in: 0...4000, using: &generator))
      var seen: [Machine.Effect]
      let expected: [Machine.Effect]
      if Int.random(in: 0..<3, using: &generator) == 0 {
        (expected, seen) = (silent.timerFired(at: now), watched.timerFired(at: now))
      } else {
        var bytes = try Machine.encode([messages[Int.random(in: 0..<messages.count, using: &generator)]])
        if Int.random(in: 0..<100, using: &generator) == 0 { bytes[3] ^= 1 }
        (expected, seen) = (silent.receive(bytes, at: now), watched.receive(bytes, at: now))
      }
      seen.removeAll { if case .heartbeat = $0 { true } else { false } }
      #expect(seen == expected && watched.nextDeadline == silent.nextDeadline)
    }
  }

  @Test("A frame must be complete in time, also where that is shorter than the time to the next ping")
  func shortFrameTimeout() throws {
    var limits = Machine.Limits()
    limits.frameTimeout = .seconds(1)
    var machine = Machine(limits: limits, now: .zero)
    #expect(machine.nextDeadline == .seconds(5) && !machine.hasUnfinishedFrame)
    #expect(try machine.receive(Array(Machine.encode([Self.status]).dropLast()), at: .seconds(2)) == [])
    #expect(machine.nextDeadline == .seconds(3) && machine.hasUnfinishedFrame)
    #expect(machine.timerFired(at: .seconds(3)) == [.close(.frameStalled)])
  }

  @Test("A message over 64 KiB is refused and nothing of its batch is framed")
  func tooLong() {
    let long = CastMessage(
      source: .sender, destination: .receiver, namespace: .media, payload: .binary(Array(repeating: 0, count: 65_536)))
    let error = #expect(throws: ProtocolError.self) { try Machine.encode([Self.status, long]) }
    guard case .frameTooLong(let declared, limit: 65_536) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(declared > 65_536)
  }
}
