/// Tells a flood from a burst: a bucket that holds one second's messages and fills at the sustained rate.
///
/// Source: security.md S7.
struct MessageRateLimiter: Hashable, Sendable {
  private let perSecond: Double
  private var tokens: Double
  private var filledAt: Duration

  init(messagesPerSecond: Int, now: Duration) {
    perSecond = Double(max(1, messagesPerSecond))
    tokens = perSecond
    filledAt = now
  }

  /// Counts one message; false when it is one too many.
  mutating func admit(at now: Duration) -> Bool {
    if now > filledAt {
      tokens = min(perSecond, tokens + (now - filledAt).seconds * perSecond)
      filledAt = now
    }
    if tokens < 1 { return false }
    tokens -= 1
    return true
  }

  /// Makes room for one message more than the rate allows, because it was asked for.
  mutating func credit() { tokens = min(perSecond, tokens + 1) }
}
