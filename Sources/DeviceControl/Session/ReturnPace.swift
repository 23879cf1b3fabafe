/// Keeps from connecting again and again without a pause to a device that ends each connection at once.
package struct ReturnPace: Sendable {
  /// A connection that lasts so long is a good one: where it breaks every few seconds, pauses would cost more than they
  /// spare.
  private static let goodTime = Duration.seconds(2)
  private static let longestWait = Duration.seconds(30)

  /// `nil`: not connected since the loss that was counted last.
  private var connectedAt: Duration?
  private var brokenInARow = 0

  package init() {}

  /// The device is connected, for the first time or again.
  package mutating func connected(at time: Duration) { connectedAt = time }

  /// The connection is lost.
  /// - Parameter time: When it was lost, on the clock of ``connected(at:)``; not when that was found out.
  /// - Returns: How long to wait before it is made again: not at all after one that lasted 2 s or the first that did not,
  ///   then 1 s and twice as long each time, at most 30 s. `nil`: not at all.
  package mutating func wait(afterLossAt time: Duration) -> Duration? {
    guard let connectedAt else { return nil }
    self.connectedAt = nil
    guard time - connectedAt < Self.goodTime else {
      brokenInARow = 0
      return nil
    }
    brokenInARow += 1
    if brokenInARow == 1 { return nil }
    return min(Self.longestWait, .seconds(1 << min(5, brokenInARow - 2)))
  }
}
