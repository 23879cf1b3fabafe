/// The rules of one socket, for either side: frames in and out, heartbeat, limits. Holds no clock and no socket.
///
/// Times are real time. Feed it every byte; perform the effects in order; call ``timerFired(at:)`` at ``nextDeadline``.
package struct ChannelStateMachine: Sendable {
  /// The limits of docs/design.md 4 and docs/security.md S2, S7.
  package struct Limits: Hashable, Sendable {
    package var pingAfter: Duration = .seconds(5)
    package var deadAfter: Duration = .seconds(10)
    package var frameTimeout: Duration = .seconds(5)
    /// Sustained messages per second before the peer counts as flooding.
    package var messagesPerSecond = 1000
    /// Sustained bytes per second before the peer counts as flooding: some hundred times what a busy device says.
    package var bytesPerSecond = 4 << 20

    package init() {}
  }

  package enum Effect: Hashable, Sendable {
    /// A message for the layer above; never one of the heartbeat, which is dealt with here.
    case deliver(CastMessage)
    /// A PING or PONG came: for those who want to see them, and nobody else.
    case heartbeat(CastMessage)
    /// The peer departs from the protocol where nothing depends on it; told once.
    case oddity(Oddity)
    /// Bytes for the socket, as one write.
    case send([UInt8])
    /// The peer is gone or broke the protocol: close the socket, nothing more will come.
    case close(Failure)
  }

  /// A departure from the protocol that is taken as it was meant.
  package enum Oddity: Hashable, Sendable {
    /// A message lacks required fields, which are taken as 0.
    case fieldsLeftOut
  }

  /// Why the machine gives the peer up.
  package enum Failure: Hashable, Sendable {
    /// Nothing came for ``Limits/deadAfter``.
    case peerSilent(Duration)
    /// A frame stayed unfinished for ``Limits/frameTimeout``.
    case frameStalled
    case flood
    /// The peer sends more bytes per second than ``Limits/bytesPerSecond``, which it names.
    case byteFlood(limit: Int)
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
  private let tellsHeartbeat: Bool
  private var decoder = FrameDecoder()
  private var heartbeat: HeartbeatStateMachine
  private var rate: RateLimiter
  private var byteRate: RateLimiter
  private var toldOddities: Set<Oddity> = []
  /// When the first byte of the frame now unfinished came.
  private var frameStartedAt: Duration?
  private var isClosed = false

  /// - Parameter tellsHeartbeat: Whether ``Effect/heartbeat(_:)`` is of interest to anybody.
  package init(role: Role = .sender, limits: Limits = Limits(), now: Duration, tellsHeartbeat: Bool = false) {
    self.role = role
    self.tellsHeartbeat = tellsHeartbeat
    self.limits = limits
    heartbeat = HeartbeatStateMachine(pingAfter: limits.pingAfter, deadAfter: limits.deadAfter, now: now)
    rate = RateLimiter(perSecond: limits.messagesPerSecond, now: now)
    byteRate = RateLimiter(perSecond: limits.bytesPerSecond, now: now)
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
        guard byteRate.admit(body.count, at: now) else {
          close(.byteFlood(limit: limits.bytesPerSecond), &effects)
          return effects
        }
        let (message, isWhole) = try CastMessage.decode(body)
        if !isWhole, toldOddities.insert(.fieldsLeftOut).inserted { effects.append(.oddity(.fieldsLeftOut)) }
        receive(message, &effects)
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
  package mutating func creditReply() {
    rate.credit()
    byteRate.credit(FrameDecoder.maximumBodyLength)
  }

  /// Whether some but not all bytes of a frame have come.
  package var hasUnfinishedFrame: Bool { decoder.hasUnfinishedFrame }

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

  /// When ``timerFired(at:)`` wants to be called next. It moves earlier only when a frame begins and
  /// ``Limits/frameTimeout`` is shorter than ``Limits/pingAfter``; after a close it is out of reach.
  package var nextDeadline: Duration {
    if isClosed { return .clamped(seconds: .greatestFiniteMagnitude) }
    guard let frameStartedAt else { return heartbeat.nextDeadline }
    return min(heartbeat.nextDeadline, frameStartedAt + limits.frameTimeout)
  }

  /// Frames `messages` as one buffer, so that CONNECT and the request behind it leave in one write.
  /// - Throws: ``ProtocolError/frameTooLong(declared:limit:)`` for a message over 64 KiB; nothing is sent then.
  package static func encode(_ messages: [CastMessage]) throws(ProtocolError) -> [UInt8] {
    var bytes: [UInt8] = []
    for message in messages { try FrameEncoder.append(message, to: &bytes) }
    return bytes
  }

  /// Delivers a message, or deals with it here when it is part of the heartbeat.
  private func receive(_ message: CastMessage, _ effects: inout [Effect]) {
    guard message.namespace == .heartbeat else { return effects.append(.deliver(message)) }
    if tellsHeartbeat { effects.append(.heartbeat(message)) }
    if HeartbeatMessage(message) == .ping {
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
