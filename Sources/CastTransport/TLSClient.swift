import Logging
import NIOCore
import NIOPosix
import Synchronization

/// Opens TLS connections to devices.
package enum TLSClient {
  /// Connects by TCP and TLS, each within its own limit; TCP_NODELAY is set. Does not verify the certificate (see
  /// docs/security.md 1.2: a device proves itself by device authentication, not by TLS).
  ///
  /// A cancelled task gives up at once.
  /// - Parameters:
  ///   - host: A name, or an address without brackets, with its scope where it needs one (`fe80::1%eth0`).
  ///   - isLegacy: Whether TLS 1.0, short keys and SHA-1 will do, for one old device that knows nothing better. Nobody
  ///     is tried again like that by itself (docs/security.md 3.1).
  ///   - tcpTimeout: Includes finding the address of a name.
  /// - Throws: ``TransportError/Code/unreachable``, ``TransportError/Code/unknownHost`` or
  ///   ``TransportError/Code/tlsHandshakeFailed``.
  package static func connect(
    host: String, port: Int, isLegacy: Bool = false, tcpTimeout: Duration = .seconds(5),
    tlsTimeout: Duration = .seconds(5), eventLoops: TransportEventLoops = .shared
  ) async throws(TransportError) -> any ByteChannel {
    let peer = HostAddress.text(host, port: port)
    guard (1...65535).contains(port) else { throw .unreachable(peer, "a port is a number from 1 to 65535") }
    let context = try TLSContext.forClients(isLegacy: isLegacy)
    let attempt = ConnectionAttempt(peer: peer, eventLoop: eventLoops.group.next())
    // Names only: SNI takes no address (docs/security.md 3.1), and no trailing dot.
    let isName = HostAddress.literal(host, port: port) == nil
    let serverName = isName ? (host.hasSuffix(".") ? String(host.dropLast()) : host) : nil
    // On the loop from the start: where the connection is there before anybody waits for it, its first bytes would be
    // read before there is a TLS handler.
    attempt.eventLoop.execute {
      attempt.begin(host: host, port: port, limit: tcpTimeout) { channel in
        attempt.handshake(on: channel, context: context, serverName: serverName, limit: tlsTimeout)
      }
    }
    let log = TransportLog.tls.logger
    log.trace("connecting to \(peer)")
    do throws(TransportError) {
      let channel = try await attempt.result()
      log.debug("connected to \(peer) by \(channel.securityProtocol ?? "TLS")")
      return channel
    } catch {
      log.info("\(error.message)")
      throw error
    }
  }
}

/// One call of ``TLSClient/connect(host:port:tcpTimeout:tlsTimeout:eventLoops:)`` under way.
private final class ConnectionAttempt: Sendable {
  let eventLoop: any EventLoop
  private let peer: String
  private let promise: EventLoopPromise<TLSByteChannel>
  private let state = Mutex(State())

  private struct State {
    var isFinished = false
    /// What must be closed if we give up; more than one where a name has several addresses.
    var channels: [any Channel] = []
  }

  init(peer: String, eventLoop: any EventLoop) {
    self.peer = peer
    self.eventLoop = eventLoop
    promise = eventLoop.makePromise()
  }

  /// Connects by TCP, within `limit`. To be called on the event loop, on which `body` follows at once.
  func begin(host: String, port: Int, limit: Duration, then body: @escaping @Sendable (any Channel) -> Void) {
    let bootstrap = ClientBootstrap(group: eventLoop)
      .connectTimeout(TimeAmount(limit: limit))
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(.recvAllocator, value: PassingReadBuffers())
      .channelOption(.maxMessagesPerRead, value: PassingReadBuffers.readsAtOnce)
      .resolver(HostNameResolver(eventLoop: eventLoop))
      .channelInitializer { [self] channel in
        opened(channel)
        channel.closeOnExec()
        return channel.eventLoop.makeSucceededVoidFuture()
      }
    let address = HostAddress.literal(host, port: port)
    let connected = address.map { bootstrap.connect(to: $0) } ?? bootstrap.connect(host: host, port: port)
    connected.whenComplete { [self] result in
      switch result {
      case .success(let channel): body(channel)
      case .failure(let error): finish(.failure(.connecting(to: peer, error, limit: limit)))
      }
    }
  }

  /// Keeps `channel` in view; closes it if the attempt is over already.
  private func opened(_ channel: any Channel) {
    let isTooLate = state.withLock { state in
      if !state.isFinished { state.channels.append(channel) }
      return state.isFinished
    }
    if isTooLate { channel.close(promise: nil) }
  }

  /// Continues with TLS. On the event loop, before anything can have been read.
  func handshake(on channel: any Channel, context: TLSContext, serverName: String?, limit: Duration) {
    do {
      let handler = TLSHandler(
        engine: try TLSEngine(context, serverName: serverName), handshakeLimit: limit,
        onHandshake: { [self] result in
          finish(
            result.mapError { error in
              TransportError(error.code, "\(peer): \(error.message)", help: error.help)
            })
        })
      try channel.pipeline.syncOperations.addHandler(handler)
    } catch {
      channel.close(promise: nil)
      finish(.failure(.connecting(to: peer, error, limit: limit)))
    }
  }

  /// Ends the attempt; the first call counts.
  func finish(_ result: Result<TLSByteChannel, TransportError>) {
    let isFirst = state.withLock { state in
      defer {
        state.isFinished = true
        state.channels = []
      }
      return !state.isFinished
    }
    if isFirst {
      promise.completeWith(result.mapError { $0 as any Error })
    } else if case .success(let channel) = result {
      channel.abort()
    }
  }

  private func cancel() {
    let channels = state.withLock { $0.channels }
    finish(.failure(.unreachable(peer, "cancelled")))
    for channel in channels { channel.close(promise: nil) }
  }

  /// Waits for the end.
  func result() async throws(TransportError) -> TLSByteChannel {
    do {
      return try await withTaskCancellationHandler {
        try await promise.futureResult.get()
      } onCancel: {
        cancel()
      }
    } catch {
      throw error as? TransportError ?? .unreachable(peer, "\(error)")
    }
  }
}
