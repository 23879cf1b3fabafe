/// Decides when to ping and when to give the peer up. Source: docs/protocol.md 2.4.
package struct HeartbeatStateMachine: Hashable, Sendable {
  package enum Effect: Hashable, Sendable {
    case ping
    /// Nothing came for this long.
    case peerSilent(Duration)
  }

  private let pingAfter: Duration
  private let deadAfter: Duration
  /// When anything was last received.
  private var lastHeard: Duration
  private var nextPing: Duration

  /// Starts as if something had just been received.
  package init(pingAfter: Duration = .seconds(5), deadAfter: Duration = .seconds(10), now: Duration) {
    self.pingAfter = pingAfter
    self.deadAfter = deadAfter
    lastHeard = now
    nextPing = now + pingAfter
  }

  /// Notes a sign of life: any byte counts.
  package mutating func heard(at now: Duration) {
    if now < lastHeard { return }
    lastHeard = now
    nextPing = now + pingAfter
  }

  /// What is due; `nil` when it is too early for anything.
  package mutating func timerFired(at now: Duration) -> Effect? {
    if now >= lastHeard + deadAfter { return .peerSilent(now - lastHeard) }
    if now < nextPing { return nil }
    nextPing = now + pingAfter
    return .ping
  }

  /// When ``timerFired(at:)`` has something to say next.
  package var nextDeadline: Duration { min(nextPing, lastHeard + deadAfter) }
}
