import NIOCore
import NIOPosix

/// Runs a ``TLSEngine`` on a socket: the last handler of its pipeline, and the other half of ``TLSByteChannel``.
///
/// Everything here happens on the channel's event loop.
final class TLSHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// How long an orderly close may take to send what is left, and then for the peer to close its side.
  private static let closingLimit = TimeAmount.seconds(2)
  private static let lingerLimit = TimeAmount.seconds(1)
  /// How much may come before ``startDelivery(_:)``, in bytes, before we stop reading.
  private static let undeliveredLimit = 256 * 1024

  /// An event of the pipeline that asks for what ``ByteChannel/close()`` does, in any phase.
  struct CloseRequest {}

  private enum Phase {
    case handshaking
    case open
    /// Our last bytes are on their way; what comes is not read any more.
    case closing
    /// `closed` has been said.
    case finished
  }

  private var engine: TLSEngine
  private var phase = Phase.handshaking
  private var context: ChannelHandlerContext?
  private var timer: Scheduled<Void>?
  private let handshakeLimit: Duration
  private var onHandshake: ((Result<TLSByteChannel, TransportError>) -> Void)?
  /// Holds this handler as well; let go of at the end.
  private var byteChannel: TLSByteChannel?
  private var receiver: (@Sendable (ByteChannelEvent) -> Void)?
  private var isStarted = false
  private var undelivered: [ByteChannelEvent] = []
  private var undeliveredByteCount = 0

  /// - Parameters:
  ///   - handshakeLimit: From when the handler is added to an active channel.
  ///   - onHandshake: Called once, on the event loop.
  init(
    engine: consuming TLSEngine, handshakeLimit: Duration,
    onHandshake: @escaping (Result<TLSByteChannel, TransportError>) -> Void
  ) {
    self.engine = engine
    self.handshakeLimit = handshakeLimit
    self.onHandshake = onHandshake
  }

  // MARK: the channel

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    if context.channel.isActive { begin(context) }
  }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelActive(context: ChannelHandlerContext) {
    begin(context)
    context.fireChannelActive()
  }

  private func begin(_ context: ChannelHandlerContext) {
    guard timer == nil, phase == .handshaking else { return }
    let limit = handshakeLimit
    schedule(context, in: TimeAmount(limit: limit)) { handler, context in
      handler.fail(TransportError(.tlsHandshakeFailed, "no TLS handshake in \(limit.forPeople)"), context)
    }
    do throws(TransportError) {
      try engine.start()
      flushCiphertext(context)
    } catch {
      fail(error, context)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard phase == .handshaking || phase == .open else { return }
    let buffer = unwrapInboundIn(data)
    let received = buffer.withUnsafeReadableBytes { engine.receive($0) }
    // An alert is sent by `fail`, after it has said what happened.
    if !received.isFailure { flushCiphertext(context) }
    // A write that fails ends the channel before it returns, and with it this handler.
    guard phase == .handshaking || phase == .open else { return }
    if received.handshakeCompleted { completeHandshake(context) }
    if !received.plaintext.isEmpty { deliver(.received(received.plaintext)) }
    switch received.end {
    case nil: break
    case .closeNotify: close(context)
    case .failure(let error): fail(error, context)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    performRequests()
    context.fireChannelReadComplete()
  }

  func channelInactive(context: ChannelHandlerContext) {
    if phase == .handshaking {
      fail(TransportError(.tlsHandshakeFailed, "the peer closed the connection during the TLS handshake"), context)
    } else {
      finish(nil)
    }
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard event is CloseRequest else { return context.fireUserInboundEventTriggered(event) }
    switch phase {
    case .handshaking: fail(TransportError(.tlsHandshakeFailed, "closed during the TLS handshake"), context)
    case .open:
      byteChannel?.close()
      performRequests()
    case .closing, .finished: break
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch phase {
    case .handshaking:
      let reason = TransportError.reason(of: error)
      fail(TransportError(.tlsHandshakeFailed, "the connection broke during the TLS handshake: \(reason)"), context)
    case .open: fail(.whileOpen(error), context)
    case .closing, .finished: context.close(promise: nil)
    }
  }

  // MARK: requests

  /// Begins delivery, with what has come so far.
  func startDelivery(_ receive: @escaping @Sendable (ByteChannelEvent) -> Void) {
    guard !isStarted else { return }
    isStarted = true
    byteChannel?.loopIsAwake()
    if phase != .finished { receiver = receive }
    let waiting = undelivered
    undelivered = []
    for event in waiting { receive(event) }
    if undeliveredByteCount > Self.undeliveredLimit { setReading(true) }
    undeliveredByteCount = 0
    performRequests()
  }

  /// Does what the users of the byte channel asked for since the last call.
  func performRequests() {
    guard let byteChannel, let context else { return }
    let outbox = byteChannel.takeOutbox()
    guard phase == .open else { return }
    if outbox.end == .abrupt { return abort(context) }
    if !outbox.messages.isEmpty {
      do throws(TransportError) {
        for message in outbox.messages { try engine.send(message) }
      } catch {
        return fail(error, context)
      }
      if outbox.end == .orderly { return close(context) }
      flushCiphertext(context)
      guard phase == .open else { return }
    } else if outbox.end == .orderly {
      return close(context)
    }
    if outbox.end == .backlogExceeded || bufferedByteCount(context) > TLSByteChannel.backlogLimit {
      fail(TransportError(.backlogExceeded, "the peer does not read: more than 1 MiB waits to be sent"), context)
    }
    engine.releaseBuffers()
  }

  // MARK: inside

  private func completeHandshake(_ context: ChannelHandlerContext) {
    guard phase == .handshaking else { return }
    timer?.cancel()
    timer = nil
    phase = .open
    let byteChannel = TLSByteChannel(
      handler: self, eventLoop: context.eventLoop, peerCertificate: engine.peerCertificate,
      ownCertificate: engine.ownCertificate, securityProtocol: engine.version)
    byteChannel.loopIsAwake()
    self.byteChannel = byteChannel
    onHandshake?(.success(byteChannel))
    onHandshake = nil
  }

  private func deliver(_ event: ByteChannelEvent) {
    if let receiver {
      byteChannel?.loopIsAwake()
      receiver(event)
      return
    }
    undelivered.append(event)
    if case .received(let bytes) = event {
      let before = undeliveredByteCount
      undeliveredByteCount += bytes.count
      if before <= Self.undeliveredLimit, undeliveredByteCount > Self.undeliveredLimit { setReading(false) }
    }
  }

  private func setReading(_ isReading: Bool) {
    try? context?.channel.syncOptions?.setOption(.autoRead, value: isReading)
  }

  /// Sends what the engine has ready.
  private func flushCiphertext(_ context: ChannelHandlerContext, promise: EventLoopPromise<Void>? = nil) {
    let count = engine.pendingCiphertextCount
    guard count > 0 else {
      promise?.succeed()
      return
    }
    var buffer = context.channel.allocator.buffer(capacity: count)
    buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { engine.takeCiphertext(into: $0) }
    context.writeAndFlush(wrapOutboundOut(buffer), promise: promise)
  }

  /// What the socket has not taken yet.
  private func bufferedByteCount(_ context: ChannelHandlerContext) -> Int {
    (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
  }

  /// Sends what is left and close_notify, ends our side, and gives the peer a moment to end its own: closing a socket
  /// with unread bytes would reset it, and with it what the peer has not read yet.
  private func close(_ context: ChannelHandlerContext) {
    guard phase == .open else { return }
    phase = .closing
    engine.sendCloseNotify()
    engine.releaseBuffers()
    let sent = context.eventLoop.makePromise(of: Void.self)
    flushCiphertext(context, promise: sent)
    // The write may have failed and ended the channel already.
    guard phase == .closing else { return }
    schedule(context, in: Self.closingLimit) { handler, context in
      handler.finish(TransportError(.backlogExceeded, "the peer did not read our last bytes"))
      context.close(promise: nil)
    }
    sent.futureResult.assumeIsolated().whenComplete { [self] _ in
      guard phase == .closing else { return }
      finish(nil)
      guard let context = self.context, context.channel.isActive else { return }
      schedule(context, in: Self.lingerLimit) { _, context in context.close(promise: nil) }
      context.close(mode: .output, promise: nil)
      setReading(true)
    }
  }

  private func abort(_ context: ChannelHandlerContext) {
    finish(nil)
    context.close(promise: nil)
  }

  private func fail(_ error: TransportError, _ context: ChannelHandlerContext) {
    guard phase != .finished else { return }
    // Said first: when the alert cannot be written the channel ends at once, as if that were all.
    finish(error)
    flushCiphertext(context)  // the alert, where there is one
    context.close(promise: nil)
  }

  /// Says that it is over, once.
  private func finish(_ error: TransportError?) {
    timer?.cancel()
    timer = nil
    guard phase != .finished else { return }
    phase = .finished
    if let onHandshake {
      self.onHandshake = nil
      if let error { onHandshake(.failure(error)) }
    } else {
      byteChannel?.discard()
      deliver(.closed(error))
    }
    byteChannel = nil
    receiver = nil
  }

  private func schedule(
    _ context: ChannelHandlerContext, in time: TimeAmount,
    _ body: @escaping (TLSHandler, ChannelHandlerContext) -> Void
  ) {
    timer?.cancel()
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in
      guard let self, let context = self.context else { return }
      body(self, context)
    }
  }
}
