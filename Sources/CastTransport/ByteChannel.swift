/// A reliable, ordered stream of bytes to one peer: a TLS connection, or its in-memory twin.
///
/// Not a queue: writing never waits, so a machine's effects can be performed where they arise.
package protocol ByteChannel: AnyObject, Sendable {
  /// Begins delivery. Call once; events come in order, one at a time, from a thread of the channel's choosing.
  ///
  /// Nothing received before the call is lost. `closed` comes exactly once, last, also after our own ``close()``.
  func start(_ receive: @escaping @Sendable (ByteChannelEvent) -> Void)
  /// Hands messages over, in the order of the calls: as one write, but each in a TLS record of its own, as devices do. A
  /// peer that waits for its socket alone (pychromecast) would not see the second message of a record before the next
  /// one comes. A channel whose peer does not read closes itself with ``TransportError/Code/backlogExceeded`` once 1 MiB
  /// waits; what is for a closed channel is dropped.
  func send(_ messages: [[UInt8]])
  /// Sends what was handed over, then closes. Safe to call more than once.
  func close()
  /// Closes without the courtesies (no close_notify), as a cut cable or a killed process would.
  func abort()
  /// The peer's certificate in DER as it was received; `nil` where there is none.
  var peerCertificateDER: [UInt8]? { get }
  /// The certificate that this end has shown, in DER; `nil` where there is none.
  var ownCertificateDER: [UInt8]? { get }
  /// The protocol in force, such as `TLSv1.3`; `nil` in memory.
  var securityProtocol: String? { get }
  /// Where tasks run on the thread that delivers; `nil` where there is no such thread.
  var executor: (any TaskExecutor)? { get }
  /// Calls back after a time on the thread that delivers, and returns what calls that off; `nil` where it cannot.
  func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)?
}

extension ByteChannel {
  /// Hands one message over.
  package func send(_ bytes: [UInt8]) { send([bytes]) }
  package var ownCertificateDER: [UInt8]? { nil }
  package var executor: (any TaskExecutor)? { nil }
  package func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
    nil
  }
}

/// What a channel delivers.
package enum ByteChannelEvent: Sendable {
  /// Never empty.
  case received([UInt8])
  /// `nil`: the peer or we closed in an orderly way, or the peer's end was a plain EOF.
  case closed(TransportError?)
}
