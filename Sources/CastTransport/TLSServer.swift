import Glibc
import NIOCore
import NIOPosix

/// A listening TLS socket of a virtual receiver.
package final class TLSServer: Sendable {
  /// The port in use; of interest when 0 was asked for.
  package let port: Int
  /// The certificate the next connection is served with, in DER: what device authentication signs.
  package var certificateDER: [UInt8] { identity.certificateDER }

  private let listener: any Channel
  private let identity: ServerIdentity
  private let connections: ServerConnections

  /// Listens on `host`:`port` with the certificate of `identity`, or with one of its own.
  ///
  /// `accept` gets each connection after its handshake, on an event loop's thread: it must not block. At most
  /// `maximumConnections` are open at once: one more takes the place of the oldest whose handshake is not done, or is
  /// refused. `now` tells Unix time.
  /// - Throws: ``TransportError/Code/addressInUse``, ``TransportError/Code/addressNotAvailable``,
  ///   ``TransportError/Code/unknownHost`` or ``TransportError/Code/setupFailed``.
  package static func listen(
    host: String, port: Int, maximumConnections: Int = 64, commonName: String = "Showcaller (virtual)",
    identity: ServerIdentity? = nil, tlsTimeout: Duration = .seconds(5), eventLoops: TransportEventLoops = .shared,
    now: @escaping @Sendable () -> Int = { time(nil) },
    accept: @escaping @Sendable (any ByteChannel) -> Void
  ) async throws(TransportError) -> TLSServer {
    let text = HostAddress.text(host, port: port)
    guard (0...65535).contains(port) else {
      throw TransportError(.addressNotAvailable, "cannot listen at \(text): a port is a number from 0 to 65535")
    }
    let identity = if let identity { identity } else { try ServerIdentity(commonName: commonName, now: now) }
    // One loop for all that connects: who came first makes room first, and several loops would not know who that was.
    let loop = eventLoops.group.next()
    let address = try await address(host, port: port, on: loop)
    let connections = ServerConnections(maximum: maximumConnections)
    let bootstrap = ServerBootstrap(group: loop)
      .serverChannelOption(.backlog, value: 128)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { channel in
        channel.closeOnExec()
        return channel.eventLoop.makeSucceededVoidFuture()
      }
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.recvAllocator, value: PassingReadBuffers())
      .childChannelOption(.maxMessagesPerRead, value: PassingReadBuffers.readsAtOnce)
      .childChannelInitializer { channel in
        channel.closeOnExec()
        return channel.eventLoop.makeCompletedFuture {
          guard connections.admit(channel) else { throw ChannelError.ioOnClosedChannel }
          let handler = TLSHandler(engine: try TLSEngine(identity.context()), handshakeLimit: tlsTimeout) { result in
            guard case .success(let byteChannel) = result else { return }
            connections.establish(channel)
            accept(byteChannel)
          }
          try channel.pipeline.syncOperations.addHandler(handler)
        }
      }
    do {
      let listener = try await bootstrap.bind(to: address).get()
      return TLSServer(listener: listener, identity: identity, connections: connections)
    } catch {
      throw .listening(at: text, error)
    }
  }

  private init(listener: any Channel, identity: ServerIdentity, connections: ServerConnections) {
    self.listener = listener
    self.identity = identity
    self.connections = connections
    port = listener.localAddress?.port ?? 0
  }

  /// Stops listening and closes what is open, in the orderly way; returns when all of it is closed, after 3 s at most.
  package func close() async {
    try? await listener.close().get()
    let open = connections.closeAdmission()
    for channel in open { channel.pipeline.fireUserInboundEventTriggered(TLSHandler.CloseRequest()) }
    for channel in open { try? await channel.closeFuture.get() }
  }

  /// Takes no more connections; those that are open stay until ``close()``.
  package func stopListening() async { try? await listener.close().get() }

  private static func address(
    _ host: String, port: Int, on eventLoop: any EventLoop
  ) async throws(TransportError) -> SocketAddress {
    if let literal = HostAddress.literal(host, port: port) { return literal }
    do {
      let found = try await HostNameResolver(eventLoop: eventLoop).lookUp(host, port: port, family: AF_UNSPEC).get()
      if let first = found.first { return first }
    } catch {
      throw error as? TransportError ?? TransportError(.setupFailed, "cannot look up '\(host)': \(error)")
    }
    throw HostNameResolver.unknownHost(host, reason: "the resolver found none")
  }
}
