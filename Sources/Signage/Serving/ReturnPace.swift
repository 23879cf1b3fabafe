/// Keeps a screen from connecting again without a pause to a device that ends each connection at once.
package struct ReturnPace: Sendable {
  /// A connection that lasts longer than this is a good one.
  private static let goodTime = Duration.seconds(10)
  private static let longestWait = Duration.seconds(30)

  private var connectedAt: Duration?
  private var brokenInARow = 0

  package init() {}

  /// The device is connected, for the first time or again.
  package mutating func connected(at time: Duration) { connectedAt = time }

  /// The connection is lost.
  /// - Returns: How long to wait before it is made again: not at all after a good one or the first that was not, then
  ///   1 s and twice as long each time, at most 30 s.
  package mutating func wait(afterLossAt time: Duration) -> Duration? {
    guard let connectedAt, time - connectedAt < Self.goodTime else {
      brokenInARow = 0
      return nil
    }
    brokenInARow += 1
    if brokenInARow == 1 { return nil }
    return min(Self.longestWait, .seconds(1 << min(5, brokenInARow - 2)))
  }
}
