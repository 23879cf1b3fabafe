import CastTransport

/// A server on a free port of this machine, and one connection to it, seen from both ends.
struct ChannelPair {
  var server: TLSServer
  var client: any ByteChannel
  var peer: any ByteChannel

  static func connected(host: String = "127.0.0.1") async throws -> ChannelPair {
    let accepted = Arrival<any ByteChannel>()
    let server = try await TLSServer.listen(host: host, port: 0) { accepted($0) }
    let client = try await TLSClient.connect(host: host, port: server.port)
    guard let peer = await accepted.next() else { throw TransportError(.setupFailed, "nothing was accepted") }
    return ChannelPair(server: server, client: client, peer: peer)
  }
}
