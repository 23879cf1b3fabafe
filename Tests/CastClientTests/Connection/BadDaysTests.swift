import CastProtocol
import CastReceiver
import CastTransport
import Simulation
import Synchronization
import Testing

@testable import CastClient

/// What networks and devices do on bad days: over real sockets, and, where time matters, on the virtual clock.
@Suite(.serialized) struct BadDaysTests {
  private static let times = TimeSources(show: TimeSource(ContinuousClock()))

  private static func connector(_ configure: (inout ClientConfiguration) -> Void = { _ in }) -> DeviceConnector {
    var configuration = ClientConfiguration()
    configure(&configuration)
    return DeviceConnector(times: times, configuration: configuration)
  }

  private static func receiver() -> VirtualReceiver {
    VirtualReceiver(configuration: ReceiverConfiguration(id: "a"), times: times)
  }

  /// Waits for the end of a connection, 20 s at most.
  private static func loss(of connection: CastConnection) async -> ClientError? {
    var number = 0
    let end = times.show.now + .seconds(20)
    while times.show.now < end {
      let news = await connection.nextObservations(after: number, until: end)
      if let loss = news.compactMap(\.loss).last { return loss }
      guard let last = news.last else { return nil }
      number = last.number
    }
    return nil
  }

  @Test(
    "Ten thousand messages a second end the connection as device.flood; until then PINGs are answered, memory is flat")
  func flood() async throws {
    let pongs = Mutex(0)
    let server = try await TLSServer.listen(host: "127.0.0.1", port: 0) { channel in
      let machine = Mutex(ChannelStateMachine(role: .receiver, now: .zero, tellsHeartbeat: true))
      let status: JSONObject = [
        "type": "RECEIVER_STATUS", "requestId": 0, "status": ["volume": ["level": 0.5, "muted": false]],
      ]
      let push = CastMessage(source: .receiver, destination: .everyone, namespace: .receiver, json: .object(status))
      let ping = CastMessage(source: .receiver, destination: .sender, namespace: .heartbeat, json: ["type": "PING"])
      let isEnded = Mutex(false)
      channel.start { event in
        guard case .received(let bytes) = event else { return isEnded.withLock { $0 = true } }
        for effect in machine.withLock({ $0.receive(bytes, at: .zero) }) {
          if case .heartbeat(let message) = effect, case .text(let text) = message.payload, text.contains("PONG") {
            pongs.withLock { $0 += 1 }
          }
          guard case .deliver(let message) = effect, case .text(let text) = message.payload else { continue }
          guard text.contains("GET_STATUS"), let json = try? JSONValue(parsing: text) else { continue }
          var reply = status
          reply["requestId"] = json["requestId"]
          let answer = CastMessage(
            source: .receiver, destination: .everyone, namespace: .receiver, json: .object(reply))
          channel.send((try? ChannelStateMachine.encode([answer])) ?? [])
          // Ten writes of a hundred messages each tenth of a second, with a PING in each.
          Self.times.show.spawn {
            for _ in 0..<300 where !isEnded.withLock({ $0 }) {
              let batch = [ping] + [CastMessage](repeating: push, count: 100)
              channel.send((try? ChannelStateMachine.encode(batch)) ?? [])
              try? await Self.times.show.sleep(for: .milliseconds(10))
            }
          }
        }
      }
    }
    let address = HostAndPort(host: "127.0.0.1", port: server.port)
    let connection = try await Self.connector().connect(to: address).connection
    let start = Self.times.show.now
    let loss = try #require(await Self.loss(of: connection))
    #expect(loss.class == .protocol && loss.message.hasPrefix("device.flood"))
    #expect(Self.times.show.now - start < .seconds(5))
    #expect(pongs.withLock { $0 } > 0)
    #expect(await connection.observations(after: 0).count <= ClientConfiguration().historyLimit)
    await connection.disconnect()
    await server.close()
  }

  @Test("Replies for ids that nobody asked with are heard, change nothing, and leave nothing behind")
  func strangeReplies() throws {
    var machine = ConnectionStateMachine(
      configuration: ClientConfiguration(), at: .init(network: .zero, show: .zero))
    machine.open(token: 1)
    var now = Duration.zero
    func hear(_ json: JSONValue, in namespace: Namespace = .receiver) throws {
      let message = CastMessage(source: .receiver, destination: .everyone, namespace: namespace, json: json)
      machine.noteTime(.init(network: now, show: now))
      machine.receive(try ChannelStateMachine.encode([message]))
      _ = machine.takeEffects()
    }
    let status: JSONValue = ["volume": ["level": 0.5, "muted": false]]
    try hear(["type": "RECEIVER_STATUS", "requestId": 1, "status": status])
    #expect(machine.operations.isEmpty && machine.requests.pending.isEmpty)
    let before = machine.snapshot.receiver
    // An hour of 500 a second would be no other than twelve seconds of them.
    for number in 2..<6_000 {
      now += .milliseconds(2)
      switch number % 5 {
      case 0: try hear(["type": "RECEIVER_STATUS", "requestId": .int(number), "status": status])
      case 1: try hear(["type": "LAUNCH_ERROR", "requestId": .int(number), "reason": "CANCELLED"])
      case 2: try hear(["type": "INVALID_REQUEST", "requestId": .int(-number)])
      case 3: try hear(["responseType": "GET_APP_AVAILABILITY", "requestId": .int(number), "availability": [:]])
      default: try hear(["type": "LAUNCH_STATUS", "launchRequestId": .int(number), "status": "USER_ALLOWED"])
      }
    }
    #expect(machine.isOpen && machine.snapshot.receiver == before)
    #expect(machine.operations.isEmpty && machine.requests.pending.isEmpty)
    #expect(machine.history.observations(after: 0).count == ClientConfiguration().historyLimit)
  }

  @Test("A device that is lost and found sixty times leaves no connection behind")
  func comesAndGoes() async throws {
    /// A connection, if anything still holds it.
    struct Weak { weak var connection: CastConnection? }
    let server = try await TLSServer.listen(host: "127.0.0.1", port: 0) { channel in
      let status: JSONObject = ["volume": ["level": 0.5, "muted": false]]
      let message = CastMessage(
        source: .receiver, destination: .everyone, namespace: .receiver,
        json: ["type": "RECEIVER_STATUS", "requestId": 1, "status": .object(status)])
      channel.start { event in
        guard case .received = event else { return }
        // Half of a frame, and gone.
        channel.send(((try? ChannelStateMachine.encode([message])) ?? []) + [0, 0, 1])
        channel.close()
      }
    }
    let connector = Self.connector()
    let address = HostAndPort(host: "127.0.0.1", port: server.port)
    var gone: [Weak] = []
    for _ in 0..<60 {
      do {
        let connection = try await connector.connect(to: address).connection
        #expect(await Self.loss(of: connection)?.class == .connectionLost)
        gone.append(Weak(connection: connection))
        await connection.disconnect()
      } catch {
        // The end may come before the status was taken in.
        #expect(error.class == .connectionLost)
      }
    }
    await server.close()
    // What ends on other threads may need a moment to let go.
    for _ in 0..<1_000_000 where gone.contains(where: { $0.connection != nil }) { await Task.yield() }
    #expect(!gone.contains { $0.connection != nil })
  }

  @Test("A device that comes back with a new certificate is connected to again")
  func newCertificate() async throws {
    let (first, second) = (Self.receiver(), Self.receiver())
    var server = try await TLSServer.listen(host: "127.0.0.1", port: 0, accept: first.accept)
    let port = server.port
    let before = server.certificateDER
    let connector = Self.connector()
    let address = HostAndPort(host: "127.0.0.1", port: port)
    let old = try await connector.connect(to: address).connection
    first.stop()
    await server.close()
    #expect(await Self.loss(of: old)?.class == .connectionLost)
    await old.disconnect(abruptly: true)
    server = try await TLSServer.listen(host: "127.0.0.1", port: port, accept: second.accept)
    #expect(server.certificateDER != before)
    let reconnection = Reconnection(times: Self.times, random: { 0.5 })
    let opened = try await reconnection.run(until: Self.times.show.now + .seconds(20)) { () throws(ClientError) in
      try await connector.connect(to: address)
    }
    #expect(await opened.connection.snapshot.receiver != nil)
    await opened.connection.disconnect()
    second.stop()
    await server.close()
  }

  @Test("A device that moved to another port is found by what resolves it, after tries at the old one")
  func newAddress() async throws {
    let (first, second) = (Self.receiver(), Self.receiver())
    let old = try await TLSServer.listen(host: "127.0.0.1", port: 0, accept: first.accept)
    let connector = Self.connector()
    let oldAddress = HostAndPort(host: "127.0.0.1", port: old.port)
    let connection = try await connector.connect(to: oldAddress).connection
    first.stop()
    await old.close()
    #expect(await Self.loss(of: connection) != nil)
    let new = try await TLSServer.listen(host: "127.0.0.1", port: 0, accept: second.accept)
    let tries = Mutex(0)
    let reconnection = Reconnection(times: Self.times, random: { 0 })
    let opened = try await reconnection.run(until: Self.times.show.now + .seconds(20)) { () throws(ClientError) in
      let number = tries.withLock {
        $0 += 1
        return $0
      }
      let port = number < 3 ? oldAddress.port : new.port
      return try await connector.connect(to: HostAndPort(host: "127.0.0.1", port: port))
    }
    #expect(tries.withLock { $0 } == 3)
    await opened.connection.disconnect()
    second.stop()
    await new.close()
  }

  @Test("A whole show through a relay with 300 ms of latency and stalls of 3 s: slow, never wrong", arguments: 0..<20)
  func slowNetwork(seed: Int) throws {
    // What follows a write that is held up waits behind it, as on TCP.
    try Self.show(
      seed: UInt64(seed),
      over: LinkScript(
        delay: .milliseconds(150) ... .milliseconds(150), stalls: .init(oneIn: 12, for: .seconds(3))))
  }

  @Test("A stall longer than the heartbeat allows is a lost connection, told in time")
  func stalled() throws {
    let executor = SimulationExecutor()
    let script = LinkScript(
      delay: .milliseconds(150) ... .milliseconds(150), faults: [.init(.stall(.seconds(60)), at: .time(.seconds(2)))])
    let network = SimulatedNetwork(executor: executor, seed: 0, script: script)
    try executor.run { clock in
      let (sender, device, _) = network.connect()
      let receiver = VirtualReceiver(configuration: ReceiverConfiguration(id: "a"), times: network.times)
      receiver.accept(device)
      let connection = CastConnection(channel: sender, times: network.times, configuration: .init())
      try await connection.open()
      try await clock.sleep(for: .seconds(2) - clock.now.offset)
      let start = clock.now.offset
      var loss: ClientError?
      var number = 0
      while loss == nil {
        let news = await connection.nextObservations(after: number, until: start + .seconds(60))
        loss = news.compactMap(\.loss).last
        guard let last = news.last else { break }
        number = last.number
      }
      #expect(loss?.class == .connectionLost && clock.now.offset - start <= .seconds(11))
      await connection.disconnect()
      receiver.stop()
      try await clock.sleep(for: .seconds(120))
    }
  }

  @Test("After a sleep of the computer the loss comes first: no wait ends as if its time had passed")
  func slept() {
    var machine = ConnectionStateMachine(
      configuration: ClientConfiguration(), at: .init(network: .zero, show: .zero))
    machine.open(token: 1)
    _ = machine.takeEffects()
    machine.watch(after: machine.history.lastNumber, until: .seconds(30), token: 2)
    // Ten minutes later, and nothing in between.
    machine.noteTime(.init(network: .seconds(600), show: .seconds(600)))
    machine.timerFired()
    let observed = machine.takeEffects().compactMap { effect -> [Observation]? in
      if case .observed(2, let observations) = effect { observations } else { nil }
    }
    #expect(observed.count == 1)
    #expect(observed.first?.last?.loss?.class == .connectionLost)
  }

  /// Launch, load, pause, seek, play, volume and stop over a link.
  private static func show(seed: UInt64, over script: LinkScript) throws {
    let executor = SimulationExecutor(seed: seed)
    let network = SimulatedNetwork(executor: executor, seed: seed, script: script)
    try executor.run { clock in
      let (sender, device, _) = network.connect()
      let receiver = VirtualReceiver(configuration: ReceiverConfiguration(id: "a"), times: network.times)
      receiver.accept(device)
      // A reply may take two stalls.
      var configuration = ClientConfiguration()
      configuration.replyTimeout = .seconds(15)
      configuration.connectTimeout = .seconds(15)
      configuration.deadAfter = .seconds(20)
      let connection = CastConnection(channel: sender, times: network.times, configuration: configuration)
      func until() -> Duration { clock.now.offset + .seconds(60) }
      try await connection.open()
      let app = try await connection.launch("CC1AD845", join: .auto, until: until())
      var media = MediaInformation(content: "https://cdn.example.com/film.mp4")
      media.contentType = "video/mp4"
      media.duration = 600
      let id = try await connection.load(LoadRequest(media: media), in: app, until: until())
      try await connection.command(MediaRequest(.pause, session: id), in: app, until: until())
      #expect(await connection.snapshot.media?.playerState == .paused)
      try await connection.command(MediaRequest(.play, session: id), in: app, until: until())
      try await connection.setVolume(level: 0.4, muted: nil, until: until())
      try await connection.command(MediaRequest(.stop, session: id), in: app, until: until())
      try await connection.stopApp(app, until: until())
      await connection.disconnect()
      receiver.stop()
      try await clock.sleep(for: .seconds(20))
    }
  }
}
