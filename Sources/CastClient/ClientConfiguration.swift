package import CastProtocol

/// Limits and habits of one connection. The limits are real time (``TimeSources/network``).
package struct ClientConfiguration: Sendable {
  /// The first RECEIVER_STATUS after CONNECT must come within this.
  package var connectTimeout: Duration = .seconds(5)
  /// One request's reply.
  package var replyTimeout: Duration = .seconds(5)
  /// A PING is sent when nothing was received for this long.
  package var pingAfter: Duration = .seconds(5)
  /// The peer is dead when nothing was received for this long.
  package var deadAfter: Duration = .seconds(10)
  /// A frame must be complete this long after its first byte.
  package var frameTimeout: Duration = .seconds(5)
  /// A peer that sends more messages per second for a while is cut off; replies to our requests do not count.
  package var messagesPerSecond = 1000
  /// A peer that sends more bytes per second for a while is cut off, too.
  package var bytesPerSecond = ChannelStateMachine.Limits().bytesPerSecond
  /// How long an app that was launched is left alone before CONNECT; some need about a second (docs/protocol.md Q33).
  package var appConnectDelay: Duration = .zero
  /// How many observations are kept for looking back; the oldest go first. Each may hold a message of its own, so that
  /// only who looks far back asks for more: those are kept for good, the usual few for ``historyAge``.
  package var historyLimit = usualHistoryLimit
  package static let usualHistoryLimit = 16
  /// How long an observation is kept where nobody asked for more of them.
  package static let historyAge = Duration.seconds(2)
  /// What a run keeps: it looks back to where its last action began.
  package static let runHistoryLimit = 4096
  /// What a one-line command and a screen keep: they never look back, but may be busy while a device tells much.
  package static let commandHistoryLimit = 256
  /// The first request id; random per connection in production so that other senders' ids do not collide.
  package var firstRequestID = 1
  /// How the device has to prove itself; `nil`: nothing is asked.
  package var authentication: AuthenticationRules?
  /// Told before the loss where the device closed the connection while a proof that is only reported was awaited.
  var closedWhenAsked: (@Sendable () -> Void)?
  /// What the device says of itself by mDNS; `nil`: nobody asked.
  package var hasVideoOutput: Bool?
  /// Told of each message sent and received; `nil` costs nothing.
  package var wireTap: WireTap?
  /// Whether ``wireTap`` is told of PING and PONG, too.
  package var tapsHeartbeat = false
  /// What logs call the peer: an address or a name.
  package var peer = ""

  package init() {}
}

/// A reader of the messages of a connection.
package enum WireTap: Sendable {
  /// Told in order, on a task of its own behind a bounded queue, before the caller gets the answer.
  case told(@Sendable (WireRecord) -> Void)
  /// Called on the thread of the connection, which waits for it: it may keep a message and do nothing else.
  case kept(@Sendable (WireRecord) -> Void)
}

/// One message as it passed, or one request as it ended, for `--wire` and the event stream.
package struct WireRecord: Sendable {
  package enum Content: Sendable {
    case sent(CastMessage)
    case received(CastMessage)
    case finished(RequestRecord)
  }

  /// On the show clock.
  package var at: Duration
  package var content: Content
  private let knownJSON: JSONValue?

  /// - Parameter json: What a message says, where that is known already.
  package init(_ content: Content, json: JSONValue? = nil, at: Duration) {
    self.content = content
    self.at = at
    knownJSON = json
  }

  /// What a message says, parsed; `nil` where that is no JSON.
  package var json: JSONValue? {
    if let knownJSON { return knownJSON }
    guard case .text(let text)? = message?.payload else { return nil }
    return try? JSONValue(parsing: text)
  }

  /// The message, where this is one.
  package var message: CastMessage? {
    switch content {
    case .sent(let message), .received(let message): message
    case .finished: nil
    }
  }
}
