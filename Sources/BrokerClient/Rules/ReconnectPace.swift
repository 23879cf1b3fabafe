/// How long a link waits before it connects again.
package struct ReconnectPace: Sendable {
  /// A connection that lasted so long was a good one. One that a broker ends at once is none: two processes of the same
  /// name would take it from each other without a pause.
  package static let goodTime = Duration.seconds(30)
  package static let longestWait = Duration.seconds(60)

  private var connectedAt: Duration?
  private var failures = 0

  package init() {}

  package mutating func connected(at time: Duration) { connectedAt = time }

  /// A connection has ended, or could not be made.
  /// - Parameter draw: From 0 to 1. Thousands of sites that lose the same broker do not come back at the same moment.
  /// - Returns: Between half and all of 1 s, 2 s, 4 s and so on, 60 s at most.
  package mutating func wait(afterEndAt time: Duration, draw: Double) -> Duration {
    if let connectedAt, time - connectedAt >= Self.goodTime { failures = 0 }
    connectedAt = nil
    let whole = min(Self.longestWait, .seconds(1 << min(failures, 6)))
    failures += 1
    return whole * ((1 + min(1, max(0, draw))) / 2)
  }
}
