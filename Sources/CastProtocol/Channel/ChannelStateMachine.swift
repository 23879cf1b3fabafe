/// The rules of one socket, for either side: frames in and out, heartbeat, limits. Holds no clock and no socket.
///
/// Times are real time. Feed it every byte; perform the effects in order; call ``timerFired(at:)`` at ``nextDeadline``.
package struct ChannelStateMachine: Sendable {
  /// The limits of design.md 4 and security.md S2, S7.
  package struct Limits: Hashable, Sendable {
    package var pingAfter: Duration = .seconds(5)
    package var deadAfter: Duration = .seconds(10)
    package var frameTimeout: Duration = .seconds(5)
    /// Sustained messages per second before the peer counts as flooding.
    package var messagesPerSecond = 1000

    package init() {}
  }

  package enum Effect: Hashable, Sendable {
    /// A message for the layer above; PING and PONG are dealt with here.
    case deliver(CastMessage)
    /// Bytes for the socket, as one write.
    case send([UInt8])
    /// The peer is gone or broke the protocol: close the socket, nothing more will come.
    case close(Failure)
  }

  /// Why the machine gives the peer up.
  package enum Failure: Hashable, Sendable {
    /// Nothing came for ``Limits/deadAfter``.
    case peerSilent(Duration)
    /// A frame stayed unfinished for ``Limits/frameTimeout``.
    case frameStalled
    case flood
    case protocolBroken(ProtocolError)
  }

  package init(limits: Limits = Limits(), now: Duration) { preconditionFailure() }

  /// Takes bytes from the socket.
  package mutating func receive(_ bytes: [UInt8], at now: Duration) -> [Effect] { preconditionFailure() }
  /// What is due at `now`; a call that comes early does nothing.
  package mutating func timerFired(at now: Duration) -> [Effect] { preconditionFailure() }
  /// When ``timerFired(at:)`` wants to be called next; only ever moves later between two calls of it.
  package var nextDeadline: Duration { preconditionFailure() }

  /// Frames `messages` as one buffer, so that CONNECT and the request behind it leave in one write.
  /// - Throws: ``ProtocolError/frameTooLong(declared:limit:)`` for a message over 64 KiB; nothing is sent then.
  package static func encode(_ messages: [CastMessage]) throws(ProtocolError) -> [UInt8] { preconditionFailure() }
}
