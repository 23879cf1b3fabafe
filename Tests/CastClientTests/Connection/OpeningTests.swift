import CastProtocol
import CastTransport
import Simulation
import Synchronization
import TestSupport
import Testing

@testable import CastClient

@Suite struct OpeningTests {
  @Test("CONNECT and the first GET_STATUS leave in one write (quirk 29)")
  func oneWrite() throws {
    try onStage { stage in
      #expect(stage.peer.requests.map(\.type) == ["CONNECT", "GET_STATUS"])
      #expect(stage.peer.batches == [2])
      let connect = try #require(stage.peer.requests.first)
      #expect(connect.namespace == .connection && connect.destination == .receiver && connect.source == .sender)
      let snapshot = await stage.connection.snapshot
      #expect(snapshot.isConnected && snapshot.receiver?.volume.level == 0.5)
    }
  }

  @Test("A reply to everybody with our id is our reply (quirk 1)")
  func broadcastReply() throws {
    try onStage { stage in
      try await stage.connection.refreshReceiver()
      let last = try #require(await stage.connection.observations(after: 0).last)
      #expect(last.source == .polled && last.scope == .receiver)
    }
  }

  @Test("A device that says nothing after CONNECT is a timeout after five seconds")
  func silent() throws {
    let (error, at) = try onStage(opens: false, { _, _ in }) { stage in
      let error = await failure { () throws(ClientError) in try await stage.connection.open() }
      return (error, stage.now)
    }
    #expect(error?.class == .timeout && at == .seconds(5))
  }

  @Test("The first request id is the configured one and counts up")
  func requestIDs() throws {
    var configuration = ClientConfiguration()
    configuration.firstRequestID = 1_234_567
    let ids = try onStage(configuration: configuration) { stage in
      try await stage.connection.refreshReceiver()
      return stage.peer.requests("GET_STATUS").map(\.id)
    }
    #expect(ids == [1_234_567, 1_234_568])
  }

  @Test("A connection opens once")
  func twice() throws {
    try onStage { stage in
      let error = await failure { () throws(ClientError) in try await stage.connection.open() }
      #expect(error?.class == .invalidState)
    }
  }

  @Test("Nothing is sent on a connection that is not open")
  func unopened() throws {
    try onStage(opens: false) { stage in
      let error = await failure { () throws(ClientError) in try await stage.connection.refreshReceiver() }
      #expect(error?.class == .invalidState && stage.peer.requests.isEmpty)
    }
  }

  private static func type(_ message: CastMessage) -> String {
    guard case .text(let text) = message.payload, let json = try? JSONValue(parsing: text) else { return "" }
    return json["type"]?.string ?? ""
  }

  @Test("PING and PONG are told to a tap that asks for them, to no other", arguments: [false, true])
  func heartbeat(asks: Bool) throws {
    let seen = Mutex<[String]>([])
    var configuration = ClientConfiguration()
    configuration.tapsHeartbeat = asks
    configuration.wireTap = .told { record in
      guard let message = record.message, message.namespace == .heartbeat else { return }
      let isSent = if case .sent = record.content { true } else { false }
      seen.withLock { $0.append("\(isSent ? "sent" : "received") \(Self.type(message))") }
    }
    try onStage(configuration: configuration) { stage in
      try await stage.wait(.seconds(6))
      stage.peer.send(["type": "PING"], in: .heartbeat)
      try await stage.wait(.milliseconds(1))
    }
    #expect(seen.withLock { $0 } == (asks ? ["sent PING", "received PONG", "received PING", "sent PONG"] : []))
  }

  @Test("A tap that keeps messages has each before its answer is known to whoever asked, and no task tells it")
  func keeper() throws {
    let seen = Mutex<[String]>([])
    var configuration = ClientConfiguration()
    configuration.wireTap = .kept { record in
      if let message = record.message { seen.withLock { $0.append(Self.type(message)) } }
    }
    try onStage(configuration: configuration) { stage in
      // Opening has just returned.
      #expect(seen.withLock { $0 } == ["CONNECT", "GET_STATUS", "RECEIVER_STATUS"])
    }
    #expect(seen.withLock { $0.last } == "CLOSE")
  }

  @Test("The wire tap sees each message once, in order, with its direction")
  func wireTap() throws {
    let seen = Mutex<[String]>([])
    var configuration = ClientConfiguration()
    configuration.wireTap = .told { record in
      let line: String
      switch record.content {
      case .sent(let message): line = "sent \(Self.type(message))"
      case .received(let message): line = "received \(Self.type(message))"
      case .finished: return
      }
      seen.withLock { $0.append(line) }
    }
    try onStage(configuration: configuration) { _ in }
    #expect(
      seen.withLock { $0 } == [
        "sent CONNECT", "sent GET_STATUS", "received RECEIVER_STATUS", "sent CLOSE",
      ])
  }
}

@Suite struct EndingTests {
  /// Ways a device ends or breaks a connection, and the class that follows.
  static let ends: [(name: String, act: @Sendable (Stage) -> Void, expected: ClientError.Class, after: Duration)] = [
    ("EOF", { $0.peer.close() }, .connectionLost, .zero),
    ("70 KiB frame", { $0.peer.send(raw: [0, 1, 0x18, 0]) }, .protocol, .zero),
    ("empty frame", { $0.peer.send(raw: [0, 0, 0, 0]) }, .protocol, .zero),
    ("garbage", { $0.peer.send(raw: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)) }, .protocol, .zero),
    ("a frame that is no message", { $0.peer.send(raw: [0, 0, 0, 3, 0xFF, 0xFF, 0xFF]) }, .protocol, .zero),
    ("a frame that never ends", { $0.peer.send(raw: [0, 0, 0, 9, 1]) }, .protocol, .seconds(5)),
    ("CLOSE from the platform", { $0.peer.send(["type": "CLOSE"], in: .connection) }, .connectionLost, .zero),
    ("a severed link", { $0.link.sever() }, .connectionLost, .seconds(10)),
    ("a device that stops answering", { $0.peer.mute() }, .connectionLost, .seconds(10)),
  ]
  @Test("Every end of a connection reaches pending calls and watchers in time, with its class", arguments: ends)
  func ending(name: String, act: @escaping @Sendable (Stage) -> Void, expected: ClientError.Class, after: Duration)
    throws
  {
    try onStage(
      ScriptedPeer.healthy { _, request in request.type == "LOAD" }
    ) { stage in
      let app = try await stage.launch()
      async let load = failure { () throws(ClientError) in try await stage.load(in: app) }
      try await stage.wait(.milliseconds(1))
      let number = await stage.connection.lastObservation
      async let watched = stage.connection.nextObservations(after: number, until: .seconds(1000))
      try await stage.wait(.milliseconds(1))
      let start = stage.now
      act(stage)
      let error = await load
      #expect(error?.class == expected, "\(name): \(error?.message ?? "no error")")
      #expect(stage.now - start <= after && stage.now - start >= after - .seconds(1))
      let last = try #require(await watched.last)
      #expect(last.scope == .connection && !last.snapshot.isConnected)
      // From now on everything ends at once.
      let ended = stage.now
      #expect(await stage.connection.nextObservations(after: last.number, until: .seconds(9999)).isEmpty)
      #expect(await stage.connection.nextObservations(after: 0, until: .seconds(9999)).count == last.number)
      let later = await failure { () throws(ClientError) in try await stage.connection.refreshReceiver() }
      #expect(later?.class == expected && stage.now == ended)
    }
  }

  @Test("A flood closes the connection; what we asked for is no flood")
  func flood() throws {
    try onStage { stage in
      for _ in 0..<1500 { try await stage.connection.refreshReceiver() }
      for _ in 0..<3000 { stage.peer.status(nil) }
      let error = await failure { () throws(ClientError) in
        try await stage.connection.launch("CC1AD845", join: .auto, until: stage.now + .seconds(5))
      }
      #expect(error?.class == .protocol)
      #expect(await stage.connection.lastObservation < 2700)
    }
  }

  @Test("Disconnecting says CLOSE to app and platform in one write and ends what is pending")
  func disconnect() throws {
    try onStage(ScriptedPeer.healthy { _, request in request.type == "LOAD" }) { stage in
      let app = try await stage.launch()
      async let load = failure { () throws(ClientError) in try await stage.load(in: app) }
      try await stage.wait(.milliseconds(1))
      await stage.connection.disconnect()
      let error = await load
      #expect(error?.class == .connectionLost)
      try await stage.wait(.milliseconds(1))
      let closes = stage.peer.requests.suffix(2)
      #expect(closes.map(\.type) == ["CLOSE", "CLOSE"] && stage.peer.batches.last == 2)
      #expect(closes.map(\.destination) == [EndpointID("t-1"), .receiver])
      #expect(stage.peer.isClosed)
      await stage.connection.disconnect()
    }
  }

  @Test("An abrupt disconnect says nothing")
  func abrupt() throws {
    try onStage { stage in
      await stage.connection.disconnect(abruptly: true)
      try await stage.wait(.milliseconds(1))
      #expect(stage.peer.requests("CLOSE").isEmpty && stage.peer.isClosed)
    }
  }

  @Test("Disconnecting over a dead link ends all the same")
  func severed() throws {
    try onStage { stage in
      stage.link.sever()
      await stage.connection.disconnect()
      #expect(stage.now <= .seconds(1))
    }
  }

  @Test("A connection that is dropped without a word leaves nothing behind")
  func dropped() throws {
    let executor = SimulationExecutor()
    let network = SimulatedNetwork(executor: executor, seed: 0)
    try executor.run { _ in
      let (sender, receiver, _) = network.connect()
      let peer = ScriptedPeer(receiver, script: ScriptedPeer.healthy)
      do {
        let connection = CastConnection(channel: sender, times: network.times, configuration: ClientConfiguration())
        try await connection.open()
      }
      try await network.times.show.sleep(for: .milliseconds(1))
      #expect(peer.isClosed)
    }
  }
}

@Suite struct HeartbeatTests {
  @Test("An idle connection stays open for an hour on PING and PONG alone")
  func idle() throws {
    try onStage { stage in
      try await stage.wait(.seconds(3600))
      #expect(await stage.connection.snapshot.isConnected)
    }
  }

  /// Addresses seen on PINGs (quirk 28).
  static let addresses: [(String, String)] = [
    ("receiver-0", "sender-0"), ("receiver-0", "*"), ("sender-0", "receiver-0"), ("Tr@n$p0rt-0", "Tr@n$p0rt-0"),
  ]
  @Test(
    "A PING is answered whatever its addresses, also while a request is pending (quirks 27, 28)", arguments: addresses)
  func answer(source: String, destination: String) throws {
    let pongs = Mutex(0)
    let executor = SimulationExecutor()
    let network = SimulatedNetwork(executor: executor, seed: 0)
    try executor.run { clock in
      let (sender, receiver, _) = network.connect()
      let connection = CastConnection(channel: sender, times: network.times, configuration: ClientConfiguration())
      let decoder = Mutex(FrameDecoder())
      receiver.start { event in
        guard case .received(let bytes) = event else { return }
        let bodies = decoder.withLock { decoder in
          decoder.append(bytes)
          var bodies: [[UInt8]] = []
          while let body = try? decoder.next() { bodies.append(body) }
          return bodies
        }
        for body in bodies {
          if let message = try? CastMessage(decoding: body), message.payload == .text(#"{"type":"PONG"}"#) {
            pongs.withLock { $0 += 1 }
          }
        }
      }
      async let opening = failure { () throws(ClientError) in try await connection.open() }
      try await clock.sleep(for: .seconds(1))
      let ping = CastMessage(
        source: EndpointID(source), destination: EndpointID(destination), namespace: .heartbeat,
        json: ["type": "PING"])
      receiver.send(try ChannelStateMachine.encode([ping]))
      try await clock.sleep(for: .seconds(1))
      #expect(pongs.withLock { $0 } == 1)
      receiver.close()
      #expect(await opening?.class == .connectionLost)
      await connection.disconnect()
    }
  }
}
