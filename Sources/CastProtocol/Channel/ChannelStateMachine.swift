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
    /// A message for the layer above; PING and PONG are answered here in any case.
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

  /// Which end of the socket this is; pings go from its platform to the other's.
  package enum Role: Hashable, Sendable {
    case sender, receiver

    /// The platform's id of this end.
    package var platform: EndpointID { self == .sender ? .sender : .receiver }
    /// The platform's id of the other end.
    package var peerPlatform: EndpointID { self == .sender ? .receiver : .sender }
  }

  private let role: Role
  private let limits: Limits
  private let deliversHeartbeat: Bool
  private var decoder = FrameDecoder()
  private var heartbeat: HeartbeatStateMachine
  private var rate: MessageRateLimiter
  /// When the first byte of the frame now unfinished came.
  private var frameStartedAt: Duration?
  private var isClosed = false

  /// - Parameter deliversHeartbeat: PING and PONG are delivered, too, for those who want to see them.
  package init(role: Role = .sender, limits: Limits = Limits(), now: Duration, deliversHeartbeat: Bool = false) {
    self.role = role
    self.deliversHeartbeat = deliversHeartbeat
    self.limits = limits
    heartbeat = HeartbeatStateMachine(pingAfter: limits.pingAfter, deadAfter: limits.deadAfter, now: now)
    rate = MessageRateLimiter(messagesPerSecond: limits.messagesPerSecond, now: now)
  }

  /// Takes bytes from the socket.
  package mutating func receive(_ bytes: [UInt8], at now: Duration) -> [Effect] {
    if isClosed || bytes.isEmpty { return [] }
    heartbeat.heard(at: now)
    decoder.append(bytes)
    var effects: [Effect] = []
    do {
      while let body = try decoder.next() {
        frameStartedAt = nil
        guard rate.admit(at: now) else {
          close(.flood, &effects)
          return effects
        }
        receive(try CastMessage(decoding: body), &effects)
      }
    } catch {
      close(.protocolBroken(error), &effects)
      return effects
    }
    if !decoder.hasUnfinishedFrame {
      frameStartedAt = nil
    } else if frameStartedAt == nil {
      frameStartedAt = now
    }
    return effects
  }

  /// Notes a request of ours: its reply does not count as part of a flood.
  package mutating func creditReply() { rate.credit() }

  /// What is due at `now`; a call that comes early does nothing.
  package mutating func timerFired(at now: Duration) -> [Effect] {
    if isClosed { return [] }
    var effects: [Effect] = []
    if let frameStartedAt, now >= frameStartedAt + limits.frameTimeout {
      close(.frameStalled, &effects)
      return effects
    }
    switch heartbeat.timerFired(at: now) {
    case .ping: send(.ping, from: role.platform, to: role.peerPlatform, &effects)
    case .peerSilent(let silence): close(.peerSilent(silence), &effects)
    case nil: break
    }
    return effects
  }

  /// When ``timerFired(at:)`` wants to be called next. As long as ``Limits/frameTimeout`` is not shorter than
  /// ``Limits/pingAfter``, it only ever moves later between two calls of it; after a close it is out of reach.
  package var nextDeadline: Duration {
    if isClosed { return .clamped(seconds: .greatestFiniteMagnitude) }
    guard let frameStartedAt else { return heartbeat.nextDeadline }
    return min(heartbeat.nextDeadline, frameStartedAt + limits.frameTimeout)
  }

  /// Frames `messages` as one buffer, so that CONNECT and the request behind it leave in one write.
  /// - Throws: ``ProtocolError/frameTooLong(declared:limit:)`` for a message over 64 KiB; nothing is sent then.
  package static func encode(_ messages: [CastMessage]) throws(ProtocolError) -> [UInt8] {
    var bytes: [UInt8] = []
    for message in messages { try FrameEncoder.append(message.encoded(), to: &bytes) }
    return bytes
  }

  /// Delivers a message, or deals with it here when it is part of the heartbeat.
  private func receive(_ message: CastMessage, _ effects: inout [Effect]) {
    if message.namespace != .heartbeat || deliversHeartbeat { effects.append(.deliver(message)) }
    if message.namespace == .heartbeat, HeartbeatMessage(message) == .ping {
      // A ping to everyone is answered in our platform's name: `*` is no source.
      let answerer = message.destination == .everyone ? role.platform : message.destination
      send(.pong, from: answerer, to: message.source, &effects)
    }
  }

  private func send(
    _ message: HeartbeatMessage, from source: EndpointID, to destination: EndpointID, _ effects: inout [Effect]
  ) {
    let message = CastMessage(source: source, destination: destination, namespace: .heartbeat, payload: message.payload)
    // Only ids of nearly 64 KiB make this fail; such a ping gets no answer.
    if let bytes = try? FrameEncoder.frame(message) { effects.append(.send(bytes)) }
  }

  private mutating func close(_ failure: Failure, _ effects: inout [Effect]) {
    isClosed = true
    decoder = FrameDecoder()
    effects.append(.close(failure))
  }
}

/// PING and PONG, which have a type and nothing else.
private enum HeartbeatMessage: String {
  case ping = "PING"
  case pong = "PONG"

  /// Reads a message of the heartbeat namespace; `nil` when it is something else.
  init?(_ message: CastMessage) {
    guard case .text(let text) = message.payload, let json = try? JSONValue(parsing: text) else { return nil }
    self.init(rawValue: json["type"]?.string ?? "")
  }

  var payload: CastMessage.Payload { .text(#"{"type":"\#(rawValue)"}"#) }
}
