/// Tells a flood from a burst: a bucket that holds what one second may bring and fills at the sustained rate.
///
/// Source: docs/security.md S7.
struct RateLimiter: Hashable, Sendable {
  private let perSecond: Double
  private var tokens: Double
  private var filledAt: Duration

  init(perSecond: Int, now: Duration) {
    self.perSecond = Double(max(1, perSecond))
    tokens = self.perSecond
    filledAt = now
  }

  /// Counts what came; false when it is too much.
  mutating func admit(_ count: Int = 1, at now: Duration) -> Bool {
    if now > filledAt {
      tokens = min(perSecond, tokens + (now - filledAt).seconds * perSecond)
      filledAt = now
    }
    if tokens < Double(count) { return false }
    tokens -= Double(count)
    return true
  }

  /// Makes room for more than the rate allows, because it was asked for.
  mutating func credit(_ count: Int = 1) { tokens = min(perSecond, tokens + Double(count)) }
}
