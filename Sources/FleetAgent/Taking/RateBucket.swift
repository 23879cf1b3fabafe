import CastProtocol

/// How much may come: some at once, and then so many a second.
struct RateBucket: Sendable {
  let most: Double
  let perSecond: Double
  private var level: Double
  private var last: Duration

  init(most: Double, perSecond: Double, at time: Duration) {
    (self.most, self.perSecond) = (most, perSecond)
    (level, last) = (most, time)
  }

  /// - Returns: Whether one more may come.
  mutating func take(at time: Duration) -> Bool {
    level = min(most, level + max(0, (time - last).seconds) * perSecond)
    last = max(last, time)
    guard level >= 1 else { return false }
    level -= 1
    return true
  }
}
