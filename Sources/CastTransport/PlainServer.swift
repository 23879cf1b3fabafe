import NIOCore
import NIOPosix

/// A listening socket without TLS, for what devices say in the clear.
package final class PlainServer: Sendable {
  /// The port in use; of interest when 0 was asked for.
  package let port: Int
  private let listener: any Channel

  /// Listens on `host`, an address, and `port`. `accept` gets each connection on an event loop's thread: it must not
  /// block. At most `maximumConnections` are open at once: one more takes the place of the oldest.
  package static func listen(
    host: String, port: Int, maximumConnections: Int = 64, eventLoops: TransportEventLoops = .shared,
    accept: @escaping @Sendable (any ByteChannel) -> Void
  ) async throws(TransportError) -> PlainServer {
    let text = HostAddress.text(host, port: port)
    guard (0...65535).contains(port), let address = HostAddress.literal(host, port: port) else {
      throw TransportError(.addressNotAvailable, "cannot listen at \(text)")
    }
    do {
      return PlainServer(
        listener: try await listening(maximumConnections, on: eventLoops, accept: accept)
          .serverChannelOption(.socketOption(.so_reuseaddr), value: 1).bind(to: address).get())
    } catch {
      throw .listening(at: text, error)
    }
  }

  /// What takes connections, wherever it is bound to.
  /// - Parameter admits: Looks at each on its event loop before anything is read.
  static func listening(
    _ maximumConnections: Int, on eventLoops: TransportEventLoops,
    admits: @escaping @Sendable (any Channel) -> Bool = { _ in true },
    accept: @escaping @Sendable (any ByteChannel) -> Void
  ) -> ServerBootstrap {
    let connections = ServerConnections(maximum: maximumConnections)
    return ServerBootstrap(group: eventLoops.group)
      .serverChannelOption(.backlog, value: 128)
      .serverChannelInitializer { channel in
        channel.closeOnExec()
        return channel.eventLoop.makeSucceededVoidFuture()
      }
      // Some clients say by the end of their stream that the request is over, and wait for the answer.
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        channel.closeOnExec()
        return channel.eventLoop.makeCompletedFuture {
          guard admits(channel), connections.admit(channel) else { throw ChannelError.ioOnClosedChannel }
          let handler = PlainHandler()
          try channel.pipeline.syncOperations.addHandler(handler)
          accept(PlainByteChannel(channel, handler: handler))
        }
      }
  }

  init(listener: any Channel) {
    self.listener = listener
    port = listener.localAddress?.port ?? 0
  }

  /// Stops listening; what is open ends by itself.
  package func close() async { try? await listener.close().get() }
}

/// A plain connection. Only for a few bytes: what waits to be written is not bounded. Whoever serves it limits its time.
private final class PlainByteChannel: ByteChannel {
  let peerCertificateDER: [UInt8]? = nil
  let securityProtocol: String? = nil
  private let channel: any Channel
  private let handler: NIOLoopBound<PlainHandler>

  /// To be called on the event loop.
  init(_ channel: any Channel, handler: PlainHandler) {
    self.channel = channel
    self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
  }

  func start(_ receive: @escaping @Sendable (ByteChannelEvent) -> Void) {
    let handler = handler
    if channel.eventLoop.inEventLoop {
      handler.value.start(receive)
    } else {
      channel.eventLoop.execute { handler.value.start(receive) }
    }
  }

  func send(_ messages: [[UInt8]]) {
    var buffer = channel.allocator.buffer(capacity: messages.reduce(0) { $0 + $1.count })
    for message in messages { buffer.writeBytes(message) }
    channel.writeAndFlush(buffer, promise: nil)
  }

  func close() {
    // Behind all that was handed over: a socket takes only so much at once.
    channel.writeAndFlush(channel.allocator.buffer(capacity: 0)).whenComplete { [channel] _ in
      channel.close(promise: nil)
    }
  }

  func abort() { channel.close(promise: nil) }
}

/// Hands on what comes, from when somebody listens.
private final class PlainHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private var receive: (@Sendable (ByteChannelEvent) -> Void)?
  private var isClosed = false
  private var hasReceived = false

  func start(_ receive: @escaping @Sendable (ByteChannelEvent) -> Void) {
    if isClosed { receive(.closed(nil)) } else { self.receive = receive }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let buffer = unwrapInboundIn(data)
    hasReceived = true
    if buffer.readableBytes > 0 { receive?(.received(Array(buffer.readableBytesView))) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // The peer sends no more. Where it has asked nothing, it waits for nothing.
    if event as? ChannelEvent == .inputClosed, !hasReceived { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    isClosed = true
    receive?(.closed(nil))
    receive = nil
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
