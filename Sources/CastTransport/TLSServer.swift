import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// A listening TLS socket of a virtual receiver.
package final class TLSServer: Sendable {
  /// The port in use; of interest when 0 was asked for.
  package let port: Int
  /// The certificate every connection is served with, in DER: what device authentication signs.
  package let certificateDER: [UInt8]

  private let listener: any Channel
  private let connections: Connections

  /// Listens on `host`:`port` with a certificate made for this call (P-256, self-signed, 3 days).
  ///
  /// `accept` gets each connection after its handshake, on an event loop's thread: it must not block. At most
  /// `maximumConnections` are open at once, the rest are refused.
  /// - Throws: ``TransportError/Code/addressInUse``, ``TransportError/Code/addressNotAvailable``,
  ///   ``TransportError/Code/unknownHost`` or ``TransportError/Code/setupFailed``.
  package static func listen(
    host: String, port: Int, maximumConnections: Int = 64, commonName: String = "Showcaller (virtual)",
    tlsTimeout: Duration = .seconds(5), eventLoops: TransportEventLoops = .shared,
    accept: @escaping @Sendable (any ByteChannel) -> Void
  ) async throws(TransportError) -> TLSServer {
    let text = HostAddress.text(host, port: port)
    guard (0...65535).contains(port) else {
      throw TransportError(.addressNotAvailable, "cannot listen at \(text): a port is a number from 0 to 65535")
    }
    let certificate = try Certificate(commonName: commonName)
    let context = try TLSContext.forServer(certificate)
    let address = try await address(host, port: port, on: eventLoops.group.next())
    let connections = Connections(maximum: maximumConnections)
    let bootstrap = ServerBootstrap(group: eventLoops.group)
      .serverChannelOption(.backlog, value: 128)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { channel in
        channel.closeOnExec()
        return channel.eventLoop.makeSucceededVoidFuture()
      }
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.closeOnExec()
        return channel.eventLoop.makeCompletedFuture {
          guard connections.admit(channel) else { throw ChannelError.ioOnClosedChannel }
          let handler = TLSHandler(engine: try TLSEngine(context), handshakeLimit: tlsTimeout) { result in
            if case .success(let byteChannel) = result { accept(byteChannel) }
          }
          try channel.pipeline.syncOperations.addHandler(handler)
        }
      }
    do {
      let listener = try await bootstrap.bind(to: address).get()
      return TLSServer(listener: listener, certificateDER: certificate.der, connections: connections)
    } catch {
      throw .listening(at: text, error)
    }
  }

  private init(listener: any Channel, certificateDER: [UInt8], connections: Connections) {
    self.listener = listener
    self.certificateDER = certificateDER
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

/// What is connected to one server.
private final class Connections: Sendable {
  private let maximum: Int
  private let state = Mutex(State())

  private struct State {
    var isClosed = false
    /// In the order they came.
    var open: [any Channel] = []
  }

  init(maximum: Int) { self.maximum = maximum }

  /// Counts `channel` in until it closes; false when there is no room.
  func admit(_ channel: any Channel) -> Bool {
    let isAdmitted = state.withLock { state in
      guard !state.isClosed, state.open.count < maximum else { return false }
      state.open.append(channel)
      return true
    }
    if isAdmitted {
      channel.closeFuture.whenComplete { [self] _ in state.withLock { $0.open.removeAll { $0 === channel } } }
    }
    return isAdmitted
  }

  /// Admits nothing more, and tells what is open.
  func closeAdmission() -> [any Channel] {
    state.withLock { state in
      state.isClosed = true
      return state.open
    }
  }
}
