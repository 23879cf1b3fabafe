package import NIOCore

/// TLS as browsers do it, within a pipeline: what goes below is ciphertext, what goes above plaintext. The chain is judged by
/// the roots of this computer, and told with ``Handshake``; who sits above decides whether to go on.
package final class WebTLSHandler: ChannelDuplexHandler {
  package typealias InboundIn = ByteBuffer
  package typealias InboundOut = ByteBuffer
  package typealias OutboundIn = ByteBuffer
  package typealias OutboundOut = ByteBuffer

  /// Fired as a user event when the handshake is done.
  package struct Handshake: Sendable { package let proof: WebProof? }

  private var engine: TLSEngine
  private var isOver = false

  /// - Parameters:
  ///   - host: A name or an address, which the certificate has to be for.
  ///   - roots: Further roots that are trusted, in DER.
  package init(host: String, isAddress: Bool, roots: [[UInt8]]) throws(TransportError) {
    let context = try roots.isEmpty ? TLSContext.forWeb() : TLSContext.forWeb(trusting: roots)
    engine = try TLSEngine(context, serverName: isAddress ? nil : host)
    engine.expect(host: host, isAddress: isAddress)
  }

  package func channelActive(context: ChannelHandlerContext) {
    do throws(TransportError) {
      try engine.start()
      flushCiphertext(context)
      context.fireChannelActive()
    } catch {
      fail(context, error)
    }
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let buffer = unwrapInboundIn(data)
    let received = buffer.withUnsafeReadableBytes { engine.receive($0) }
    flushCiphertext(context)
    if received.handshakeCompleted {
      context.fireUserInboundEventTriggered(Handshake(proof: engine.webProof))
    }
    if !received.plaintext.isEmpty {
      context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: received.plaintext)))
    }
    switch received.end {
    case .failure(let error)?: fail(context, error)
    case .closeNotify?: context.close(promise: nil)
    case nil: break
    }
  }

  package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    do throws(TransportError) {
      try engine.send(Array(unwrapOutboundIn(data).readableBytesView))
      promise?.succeed()
    } catch {
      promise?.fail(error)
    }
  }

  package func flush(context: ChannelHandlerContext) { flushCiphertext(context) }

  package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    engine.sendCloseNotify()
    flushCiphertext(context)
    context.close(mode: mode, promise: promise)
  }

  private func flushCiphertext(_ context: ChannelHandlerContext) {
    let count = engine.pendingCiphertextCount
    guard count > 0 else { return }
    var buffer = context.channel.allocator.buffer(capacity: count)
    _ = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { engine.takeCiphertext(into: $0) }
    context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
  }

  private func fail(_ context: ChannelHandlerContext, _ error: TransportError) {
    guard !isOver else { return }
    isOver = true
    context.fireErrorCaught(error)
    context.close(promise: nil)
  }
}
