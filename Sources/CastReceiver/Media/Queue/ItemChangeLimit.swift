/// Stops a queue that runs away: items of no length that repeat would follow each other for ever.
struct ItemChangeLimit: Hashable, Sendable {
  private var since = Duration.zero
  private var count = 0

  /// Counts an item that follows another by itself.
  /// - Returns: False when that were too many within a second.
  mutating func admit(at now: Duration) -> Bool {
    if now >= since + .seconds(1) {
      since = now
      count = 0
    }
    count += 1
    return count <= ReceiverLimits.itemChangesPerSecond
  }
}
