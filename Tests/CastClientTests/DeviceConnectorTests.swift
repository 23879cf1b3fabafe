import CastProtocol
import CastReceiver
import CastTransport
import Synchronization
import Testing

@testable import CastClient

/// Real sockets on loopback; each test waits for events, none for time.
@Suite(.timeLimit(.minutes(1))) struct DeviceConnectorTests {
  private static let times = TimeSources(show: TimeSource(ContinuousClock()))
  private let connector = DeviceConnector(times: times, configuration: ClientConfiguration())

  @Test("A virtual receiver is connected to over TLS, launches, loads, and says good-bye")
  func connects() async throws {
    let receiver = VirtualReceiver(configuration: ReceiverConfiguration(id: "a"), times: Self.times)
    let server = try await TLSServer.listen(host: "127.0.0.1", port: 0) { receiver.accept($0) }
    let opened = try await connector.connect(to: HostAndPort(host: "127.0.0.1", port: server.port))
    #expect(opened.tls == "TLSv1.3" && opened.latency > .zero && opened.latency < .seconds(30))
    let until = Self.times.show.now + .seconds(30)
    let app = try await opened.connection.launch("CC1AD845", join: .auto, until: until)
    var media = MediaInformation(content: "https://cdn.example.com/film.mp4")
    media.contentType = "video/mp4"
    _ = try await opened.connection.load(LoadRequest(media: media), in: app, until: until)
    await opened.connection.disconnect()
    #expect(await opened.connection.snapshot.isConnected == false)
    receiver.stop()
    await server.close()
  }

  @Test("Nobody there is unreachable")
  func unreachable() async throws {
    let server = try await TLSServer.listen(host: "127.0.0.1", port: 0) { $0.close() }
    let port = server.port
    await server.close()
    let error = await failure { () throws(ClientError) in
      _ = try await connector.connect(to: HostAndPort(host: "127.0.0.1", port: port))
    }
    #expect(error?.class == .unreachable)
  }

  @Test("A device that ends the connection before its first status has lost it")
  func hangsUp() async throws {
    let server = try await TLSServer.listen(host: "127.0.0.1", port: 0) { $0.close() }
    let error = await failure { () throws(ClientError) in
      _ = try await connector.connect(to: HostAndPort(host: "127.0.0.1", port: server.port))
    }
    #expect(error?.class == .connectionLost)
    await server.close()
  }

  private final class Counter: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
  }

  /// A device that cannot bear to be asked for a proof; counts how often it was.
  /// - Parameter answers: Whether it answers GET_STATUS before it hangs up.
  private static func shyDevice(_ challenges: Counter, answers: Bool = false) async throws -> TLSServer {
    try await TLSServer.listen(host: "127.0.0.1", port: 0) { channel in
      let machine = Mutex(ChannelStateMachine(role: .receiver, now: .zero))
      channel.start { event in
        guard case .received(let bytes) = event else { return }
        for case .deliver(let message) in machine.withLock({ $0.receive(bytes, at: .zero) }) {
          guard case .text(let text) = message.payload else {
            challenges.add()
            if answers { continue }
            return channel.abort()
          }
          if text.contains("GET_APP_AVAILABILITY") { return channel.close() }
          guard text.contains("GET_STATUS"), let json = try? JSONValue(parsing: text) else { continue }
          let answer = CastMessage(
            source: .receiver, destination: .everyone, namespace: .receiver,
            json: [
              "type": "RECEIVER_STATUS", "requestId": json["requestId"] ?? 0, "status": ["volume": ["level": 0.5]],
            ])
          channel.send((try? ChannelStateMachine.encode([answer])) ?? [])
        }
      }
    }
  }

  /// Asks each device for a proof, only to report it, and remembers none yet.
  private static func askingConnector() throws -> DeviceConnector {
    var configuration = ClientConfiguration()
    configuration.authentication = AuthenticationRules(
      mode: .report, verifier: try DeviceAuthVerifier.forDevices(), makeNonce: { Array(1...16) },
      wallClock: { 1_795_000_000 })
    return DeviceConnector(times: times, configuration: configuration, memory: ChallengeMemory())
  }

  @Test("A device that hangs up when it is asked for a proof is connected to without, which is told and remembered")
  func hangsUpWhenAsked() async throws {
    let challenges = Counter()
    let server = try await Self.shyDevice(challenges)
    let address = HostAndPort(host: "127.0.0.1", port: server.port)
    let connector = try Self.askingConnector()
    for _ in 0..<2 {
      let opened = try await connector.connect(to: address)
      #expect(opened.authentication == .closesWhenAsked && opened.authentication.verdict == .noProof)
      #expect(opened.authentication.problem != nil && !opened.authentication.hasNoProof)
      #expect(challenges.count == 1)
      await opened.connection.disconnect()
    }
    let error = await failure { () throws(ClientError) in
      _ = try await connector.connect(to: address, authentication: .require)
    }
    #expect(error?.class == .connectionLost && challenges.count == 2)
    await server.close()
  }

  @Test("A device that hangs up twice while its proof is awaited is not asked any more; once may have been the network")
  func hangsUpAfterStatus() async throws {
    let challenges = Counter()
    let server = try await Self.shyDevice(challenges, answers: true)
    let address = HostAndPort(host: "127.0.0.1", port: server.port)
    let connector = try Self.askingConnector()
    for _ in 0..<2 {
      let asked = try await connector.connect(to: address)
      #expect(asked.authentication.isPending)
      let error = await failure { () throws(ClientError) in
        _ = try await asked.connection.availableApps(of: ["CC1AD845"])
      }
      #expect(error?.class == .connectionLost && error?.message.contains("after it was asked for a proof") == true)
      #expect(error?.help?.contains("`auth: none`") == true)
    }
    let spared = try await connector.connect(to: address)
    #expect(spared.authentication == .closesWhenAsked && challenges.count == 2)
    await spared.connection.disconnect()
    // Who asked for none blames nothing on it.
    let unasked = try await self.connector.connect(to: address)
    let loss = await failure { () throws(ClientError) in
      _ = try await unasked.connection.availableApps(of: ["CC1AD845"])
    }
    #expect(loss?.class == .connectionLost && loss?.message.contains("proof") == false)
    await server.close()
  }

  @Test("A process remembers 4096 devices that hang up, and those it knows also when it is full")
  func memoryIsBounded() {
    let memory = ChallengeMemory()
    for port in 1...4096 { memory.noteLaterLoss(of: HostAndPort(host: "192.0.2.1", port: port)) }
    memory.noteLaterLoss(of: HostAndPort(host: "192.0.2.1", port: 4096))
    memory.note(HostAndPort(host: "192.0.2.2", port: 1))
    #expect(memory.closes(HostAndPort(host: "192.0.2.1", port: 4096)))
    #expect(!memory.closes(HostAndPort(host: "192.0.2.1", port: 1)))
    #expect(!memory.closes(HostAndPort(host: "192.0.2.2", port: 1)))
  }

  @Test("Connecting takes as long as the configuration allows, at each of its stages")
  func limits() async throws {
    var configuration = ClientConfiguration()
    configuration.connectTimeout = .milliseconds(900)
    let hurried = DeviceConnector(times: Self.times, configuration: configuration)
    let silent = try await TLSServer.listen(host: "127.0.0.1", port: 0) { $0.start { _ in } }
    let error = await failure { () throws(ClientError) in
      _ = try await hurried.connect(to: HostAndPort(host: "127.0.0.1", port: silent.port))
    }
    #expect(error?.message.contains("0.9") == true, "\(error?.message ?? "")")
    await silent.close()
  }

  @Test("TLS but no Cast is a broken protocol")
  func noCast() async throws {
    let server = try await TLSServer.listen(host: "127.0.0.1", port: 0) { channel in
      channel.start { _ in }
      channel.send(Array("220 mail.example.com ESMTP\r\n".utf8))
    }
    let error = await failure { () throws(ClientError) in
      _ = try await connector.connect(to: HostAndPort(host: "127.0.0.1", port: server.port))
    }
    #expect(error?.class == .protocol)
    await server.close()
  }
}
