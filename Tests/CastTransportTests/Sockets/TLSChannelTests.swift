import CastTransport
import Testing

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
}
