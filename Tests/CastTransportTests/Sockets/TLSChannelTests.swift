import CastTransport
import Synchronization
import Testing

/// A clock that stands where a test puts it.
private final class SetClock: Sendable {
  private let now: Mutex<Int>
  init(_ now: Int) { self.now = Mutex(now) }
  var time: Int { now.withLock { $0 } }
  func set(_ time: Int) { now.withLock { $0 = time } }
}

@Suite(.timeLimit(.minutes(1))) struct TLSChannelTests {
  @Test("Bytes pass both ways over IPv4, IPv6 and a name", arguments: ["127.0.0.1", "::1", "localhost"])
  func bothWays(host: String) async throws {
    let pair = try await ChannelPair.connected(host: host)
    let (client, peer) = (EventCollector(pair.client), EventCollector(pair.peer))
    pair.client.send(Array("ping".utf8))
    #expect(await peer.bytes(atLeast: 4) == Array("ping".utf8))
    pair.peer.send(Array("pong".utf8))
    #expect(await client.bytes(atLeast: 4) == Array("pong".utf8))
    #expect(pair.client.securityProtocol == "TLSv1.3")
    await pair.server.close()
    #expect(await client.closed() == nil)
    #expect(await peer.closed() == nil)
  }

  @Test("The client sees the very certificate the server made; the server sees none")
  func certificate() async throws {
    let pair = try await ChannelPair.connected()
    #expect(pair.client.peerCertificateDER == pair.server.certificateDER)
    #expect(pair.server.certificateDER.count > 200)
    #expect(pair.peer.peerCertificateDER == nil)
    await pair.server.close()
  }

  @Test("A server shows a certificate of today, whenever a connection begins, and one for all connections of a day")
  func renewal() async throws {
    let begin = 1_795_000_000
    let day = 24 * 60 * 60
    let clock = SetClock(begin)
    let server = try await TLSServer.listen(host: "127.0.0.1", port: 0, now: { clock.time }) { $0.close() }
    let verifier = try DeviceAuthVerifier.forDevices()
    var seen: [[UInt8]] = []
    for time in [begin, begin + day - 1, begin + day + 1, begin + 7 * day, begin + 8 * day, begin - day] {
      clock.set(time)
      let client = try await TLSClient.connect(host: "127.0.0.1", port: server.port)
      let der = try #require(client.peerCertificateDER)
      seen.append(der)
      // A sender that gets no proof still judges the certificate.
      let report = verifier.verify(.none, to: .init(nonce: [1], tlsCertificate: der), at: time)
      #expect(report.problems.map(\.code) == [.noReply], "\(time - begin)")
      client.close()
    }
    #expect(seen[0] == seen[1] && Set(seen).count == 5)
    await server.close()
  }

  @Test("Sockets that say nothing keep no sender out, however many they are")
  func silentSockets() async throws {
    let accepted = Arrival<any ByteChannel>()
    let server = try await TLSServer.listen(
      host: "127.0.0.1", port: 0, maximumConnections: 2, tlsTimeout: .seconds(50)
    ) { accepted($0) }
    let silent = (0..<6).map { _ in RawSocket.connected(to: server.port) }
    let first = try await TLSClient.connect(host: "127.0.0.1", port: server.port)
    let second = try await TLSClient.connect(host: "127.0.0.1", port: server.port)
    _ = await accepted.next()
    _ = await accepted.next()
    withExtendedLifetime((silent, first, second)) {}
    await server.close()
  }

  @Test("What was sent before close arrives, in order and whole, and both ends hear of the end once")
  func closeFlushes() async throws {
    let pair = try await ChannelPair.connected()
    let (client, peer) = (EventCollector(pair.client), EventCollector(pair.peer))
    var expected: [UInt8] = []
    for round in 0..<600 {
      let piece = [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: 1 + round * 5 % 1500)
      expected += piece
      pair.client.send(piece)
    }
    pair.client.close()
    pair.client.close()
    pair.client.send([1, 2, 3])
    #expect(await peer.closed() == nil)
    #expect(peer.bytes == expected)
    #expect(await client.closed() == nil)
    await pair.server.close()
    #expect(client.closings.count == 1 && peer.closings.count == 1)
  }

  @Test("What came before start is delivered then, even when the peer is gone by that time")
  func lateStart() async throws {
    let pair = try await ChannelPair.connected()
    let client = EventCollector(pair.client)
    pair.client.send(Array("early".utf8))
    pair.client.close()
    #expect(await client.closed() == nil)
    let peer = EventCollector(pair.peer)
    #expect(await peer.closed() == nil)
    #expect(peer.bytes == Array("early".utf8))
    await pair.server.close()
  }

  @Test("A peer that goes without close_notify is an orderly end too")
  func unannouncedEnd() async throws {
    let pair = try await ChannelPair.connected()
    let (client, peer) = (EventCollector(pair.client), EventCollector(pair.peer))
    pair.peer.send(Array("last words".utf8))
    #expect(await client.bytes(atLeast: 10) == Array("last words".utf8))
    pair.peer.abort()
    #expect(await client.closed() == nil)
    #expect(await peer.closed() == nil)
    await pair.server.close()
    #expect(client.closings.count == 1 && peer.closings.count == 1)
  }

  @Test("A peer that stops reading costs 1 MiB, then the connection")
  func backlog() async throws {
    // Never started, the peer stops reading when its own bounds are reached.
    let pair = try await ChannelPair.connected()
    let client = EventCollector(pair.client)
    // More than the kernel's buffers and ours can take.
    for _ in 0..<1024 { pair.client.send([UInt8](repeating: 7, count: 64 * 1024)) }
    #expect(await client.closed()?.code == .backlogExceeded)
    #expect(client.closings.count == 1)
    await pair.server.close()
  }

  @Test("What a peer says before start waits, within bounds, and comes whole")
  func boundedBeforeStart() async throws {
    let pair = try await ChannelPair.connected()
    let client = EventCollector(pair.client)
    let piece = [UInt8](repeating: 3, count: 50_000)
    for _ in 0..<20 { pair.client.send(piece) }
    pair.client.close()
    let peer = EventCollector(pair.peer)
    #expect(await peer.closed() == nil)
    #expect(peer.bytes.count == 1_000_000)
    #expect(await client.closed() == nil)
    await pair.server.close()
  }

  @Test("A server takes as many connections as it said, and again when one leaves")
  func maximumConnections() async throws {
    let accepted = Arrival<any ByteChannel>()
    let server = try await TLSServer.listen(host: "127.0.0.1", port: 0, maximumConnections: 2) { accepted($0) }
    let first = EventCollector(try await TLSClient.connect(host: "127.0.0.1", port: server.port))
    let second = try await TLSClient.connect(host: "127.0.0.1", port: server.port)
    let (one, two) = (await accepted.next(), await accepted.next())
    await #expect(throws: TransportError.self) { try await TLSClient.connect(host: "127.0.0.1", port: server.port) }
    one?.close()
    #expect(await first.closed() == nil)
    // The server counts the place free once the socket is closed, moments after.
    var third: (any ByteChannel)?
    for _ in 0..<200 where third == nil {
      third = try? await TLSClient.connect(host: "127.0.0.1", port: server.port)
    }
    #expect(third != nil)
    #expect(two != nil)
    second.close()
    await server.close()
  }

  @Test("A closed server frees its port and ends its connections, those still shaking hands too")
  func serverClose() async throws {
    let pair = try await ChannelPair.connected()
    let client = EventCollector(pair.client)
    let silent = RawSocket.connected(to: pair.server.port)
    let start = ContinuousClock.now
    await pair.server.close()
    #expect(ContinuousClock.now - start < .seconds(4))
    #expect(await client.closed() == nil)
    _ = await silent.readToEnd()
    let again = try await TLSServer.listen(host: "127.0.0.1", port: pair.server.port) { _ in }
    await again.close()
    await #expect(throws: TransportError.self) { try await TLSClient.connect(host: "127.0.0.1", port: again.port) }
  }

  @Test(
    "A server survives whatever a stranger says, and serves the next one",
    arguments: ["GET / HTTP/1.0\r\n\r\n", "\u{16}\u{3}", ""])
  func strangers(text: String) async throws {
    let server = try await TLSServer.listen(host: "127.0.0.1", port: 0, tlsTimeout: .milliseconds(300)) { channel in
      channel.start { event in if case .received(let bytes) = event { channel.send(bytes) } }
    }
    let stranger = RawSocket.connected(to: server.port)
    stranger.send(Array(text.utf8))
    #expect(await stranger.readToEnd().count < 100)
    let client = try await TLSClient.connect(host: "127.0.0.1", port: server.port)
    let echo = EventCollector(client)
    client.send([1, 2, 3])
    #expect(await echo.bytes(atLeast: 3) == [1, 2, 3])
    await server.close()
  }

  @Test("Many threads may send at once; every message arrives whole")
  func concurrentSenders() async throws {
    let pair = try await ChannelPair.connected()
    let peer = EventCollector(pair.peer)
    _ = EventCollector(pair.client)
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<8 as Range<UInt8> {
        group.addTask { for _ in 0..<200 { pair.client.send([UInt8](repeating: sender, count: 100)) } }
      }
    }
    let bytes = await peer.bytes(atLeast: 8 * 200 * 100)
    var counts = [Int](repeating: 0, count: 8)
    for start in stride(from: 0, to: bytes.count, by: 100) {
      let message = bytes[start..<start + 100]
      #expect(Set(message).count == 1)
      counts[Int(message.first ?? 0)] += 1
    }
    #expect(counts == [Int](repeating: 200, count: 8))
    await pair.server.close()
  }

  @Test("Event loops of one's own work like the shared ones, and shut down")
  func ownEventLoops() async throws {
    let loops = TransportEventLoops(threads: 2)
    let server = try await TLSServer.listen(host: "127.0.0.1", port: 0, eventLoops: loops) { channel in
      channel.start { event in if case .received(let bytes) = event { channel.send(bytes) } }
    }
    let client = try await TLSClient.connect(host: "127.0.0.1", port: server.port, eventLoops: loops)
    let echo = EventCollector(client)
    client.send([5])
    #expect(await echo.bytes(atLeast: 1) == [5])
    await loops.shutDown()
    #expect(await echo.closed() == nil)
  }
}
