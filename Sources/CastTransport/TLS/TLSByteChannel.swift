import NIOCore
import Synchronization

/// A TLS connection after its handshake.
///
/// Calls may come from any thread: they leave their wish in the outbox and wake the event loop, once however many
/// come before it looks. Everything else happens in ``TLSHandler``, on the loop.
final class TLSByteChannel: ByteChannel {
  /// How much may wait for a peer that does not read, in bytes.
  static let backlogLimit = 1 << 20

  var peerCertificateDER: [UInt8]? { peerCertificate?.der }
  var ownCertificateDER: [UInt8]? { ownCertificate?.der }
  private let peerCertificate: CertificateReference?
  private let ownCertificate: CertificateReference?
  let securityProtocol: String?
  private let eventLoop: any EventLoop
  private let handler: NIOLoopBound<TLSHandler>
  private let outbox = Mutex(Outbox())

  /// What callers want done.
  struct Outbox {
    /// In the order of the calls. One tick's messages share a packet, but no record (``ByteChannel/send(_:)``).
    var messages: [[UInt8]] = []
    fileprivate var byteCount = 0
    /// Set once nothing more is taken.
    var end: End?
    /// The loop will look; nobody needs to wake it.
    fileprivate var isLoopAwake = false

    fileprivate mutating func empty() {
      messages = []
      byteCount = 0
    }
  }

  /// How the outbox was closed.
  enum End { case orderly, abrupt, backlogExceeded }

  /// To be called on the handler's event loop.
  init(
    handler: TLSHandler, eventLoop: any EventLoop, peerCertificate: CertificateReference?,
    ownCertificate: CertificateReference?, securityProtocol: String
  ) {
    self.handler = NIOLoopBound(handler, eventLoop: eventLoop)
    self.eventLoop = eventLoop
    self.peerCertificate = peerCertificate
    self.ownCertificate = ownCertificate
    self.securityProtocol = securityProtocol
  }

  var executor: (any TaskExecutor)? { EventLoopTaskExecutor(eventLoop) }

  func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
    guard let scheduled = try? eventLoop.scheduleCallback(in: TimeAmount(limit: delay), handler: Callback(body: body))
    else { return nil }
    return { scheduled.cancel() }
  }

  /// What is called back: without the promise of a scheduled task, which nobody here waits for.
  private struct Callback: NIOScheduledCallbackHandler, Sendable {
    let body: @Sendable () -> Void

    func handleScheduledCallback(eventLoop: some EventLoop) { body() }
  }

  func start(_ receive: @escaping @Sendable (ByteChannelEvent) -> Void) {
    let handler = handler
    if eventLoop.inEventLoop {
      handler.value.startDelivery(receive)
    } else {
      eventLoop.execute { handler.value.startDelivery(receive) }
    }
  }

  func send(_ messages: [[UInt8]]) {
    request { outbox in
      for message in messages where !message.isEmpty {
        outbox.messages.append(message)
        outbox.byteCount += message.count
      }
      if outbox.byteCount > Self.backlogLimit { outbox.end = .backlogExceeded }
    }
  }

  func close() { request { $0.end = .orderly } }

  func abort() {
    request(evenWhenClosing: true) { outbox in
      outbox.empty()
      outbox.end = .abrupt
    }
  }

  private func request(evenWhenClosing: Bool = false, _ change: (inout Outbox) -> Void) {
    let mustWake = outbox.withLock { outbox in
      guard outbox.end == nil || evenWhenClosing else { return false }
      change(&outbox)
      defer { outbox.isLoopAwake = true }
      return !outbox.isLoopAwake
    }
    guard mustWake else { return }
    let handler = handler
    eventLoop.execute { handler.value.performRequests() }
  }

  // MARK: for the handler

  /// The loop is about to deliver and will call ``takeOutbox()`` right after: answers given meanwhile wake nobody.
  func loopIsAwake() { outbox.withLock { $0.isLoopAwake = true } }

  /// Takes what callers left.
  func takeOutbox() -> Outbox {
    outbox.withLock { outbox in
      outbox.isLoopAwake = false
      let taken = outbox
      outbox.empty()
      return taken
    }
  }

  /// The connection is over; whatever is still handed over is dropped.
  func discard() {
    outbox.withLock { outbox in
      outbox.empty()
      if outbox.end == nil { outbox.end = .abrupt }
    }
  }
}
