import CastProtocol

/// When to try to reach a lost device again: after 0, 1, 2, 4 ... 30 s, each wait longer or shorter by up to 20%
/// (docs/design.md 4). Times are network time.
package struct ReconnectStateMachine: Hashable, Sendable {
  package static let usualLongestWait = Duration.seconds(30)
  private static let jitter = 0.2
  /// A device that is announced again and again is still tried no more often than this.
  static let shortestWait = Duration.seconds(1)

  private enum Phase: Hashable, Sendable {
    case waiting(until: Duration)
    case trying
  }

  private var phase: Phase
  /// Before the jitter.
  private let longestWait: Duration
  private var failures = 0
  private var lastFailure: Duration?
  /// Discovery saw the device while it was being tried.
  private var wasSighted = false

  /// The device was lost; the first try is due at once.
  /// - Parameter longestWait: What the waits grow to.
  package init(lostAt now: Duration, longestWait: Duration = usualLongestWait) {
    phase = .waiting(until: now)
    self.longestWait = longestWait
  }

  /// How many tries have failed.
  package var failedTries: Int { failures }

  /// When the next try is due; `nil` while one is under way.
  package var nextTry: Duration? { if case .waiting(let time) = phase { time } else { nil } }

  /// Whether to try now; the caller then tells how it ended.
  package mutating func timerFired(at now: Duration) -> Bool {
    guard case .waiting(let time) = phase, time <= now else { return false }
    phase = .trying
    wasSighted = false
    return true
  }

  /// A try ended without a connection.
  /// - Parameter random: From 0 to 1, for the jitter.
  package mutating func failed(at now: Duration, random: Double) {
    guard case .trying = phase else { return }
    let wait = min(longestWait, .seconds(1 << min(failures, 10)))
    failures += 1
    lastFailure = now
    let offset = Self.jitter * (2 * max(0, min(1, random)) - 1)
    phase = .waiting(until: now + (wasSighted ? Self.shortestWait : .clamped(seconds: wait.seconds * (1 + offset))))
  }

  /// Discovery saw the device: it is worth a try, whatever the wait.
  package mutating func sighted(at now: Duration) {
    guard case .waiting(let time) = phase else {
      wasSighted = true
      return
    }
    phase = .waiting(until: min(time, max(now, (lastFailure ?? now - Self.shortestWait) + Self.shortestWait)))
  }
}
