/// Whether a broker sends more messages than anybody should, over some seconds.
package struct MessageRate: Sendable {
  /// How many seconds' worth of messages may come at once: what is retained comes right after a subscription.
  package static let burst = 5

  private let limit: Double
  private var level = 0.0
  private var time: Duration

  /// - Parameter limit: Messages a second.
  package init(limit: Int, at time: Duration) {
    self.limit = Double(max(1, limit))
    self.time = time
  }

  /// - Returns: False where `count` more messages are too many.
  package mutating func admits(_ count: Int, at now: Duration) -> Bool {
    level = max(0, level - limit * ((now - time) / .seconds(1)))
    time = max(time, now)
    level += Double(count)
    return level <= limit * Double(Self.burst)
  }
}
