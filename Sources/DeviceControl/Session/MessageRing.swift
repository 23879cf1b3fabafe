import CastClient
import CastProtocol

/// The last messages of a device's connections, kept for whoever asks what came before a failure.
struct MessageRing: Sendable {
  /// A message that was sent or received.
  struct Entry: Sendable {
    /// On the show clock.
    var time: Duration
    var isSent: Bool
    var message: CastMessage
  }

  /// How many messages are kept, and how many bytes of payload: one message may have 64 KiB.
  static let countLimit = 24
  static let byteLimit = 64 << 10

  private var entries: [Entry] = []
  private var bytes = 0
  /// How many came since the last ``take()`` and are not kept any more.
  private var passedOver = 0

  /// Keeps a message and lets the oldest go where there are too many. Heartbeats say nothing of the scenario.
  mutating func add(_ message: CastMessage, isSent: Bool, at time: Duration) {
    guard message.namespace != .heartbeat else { return }
    entries.append(Entry(time: time, isSent: isSent, message: message))
    bytes += message.payload.byteCount
    while entries.count > Self.countLimit || bytes > Self.byteLimit && entries.count > 1 {
      bytes -= entries.removeFirst().message.payload.byteCount
      passedOver += 1
    }
  }

  /// The kept messages, oldest first, and how many were dropped since the last call. Each message is given once.
  mutating func take() -> (entries: [Entry], passedOver: Int) {
    defer { self = MessageRing() }
    return (entries, passedOver)
  }
}
