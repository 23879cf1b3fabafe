/// Asks for one refresh when nothing was pushed for a while (docs/language/conditions.md "How they are judged").
package struct SilenceTimer: Sendable {
  /// How long nothing may come.
  package let patience: Duration
  private var lastHeard: Duration
  private var hasAsked = false

  package init(patience: Duration, from start: Duration) {
    self.patience = patience
    lastHeard = start
  }

  /// When to ask; `nil` once asked, until a push is heard.
  package var due: Duration? { hasAsked ? nil : lastHeard + patience }

  package mutating func heard(at time: Duration) {
    lastHeard = max(lastHeard, time)
    hasAsked = false
  }

  /// Whether to ask now; says so once.
  package mutating func asks(at now: Duration) -> Bool {
    guard let due, now >= due else { return false }
    hasAsked = true
    return true
  }
}
