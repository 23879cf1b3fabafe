/// Asks for one refresh when nothing was pushed for a while (language.md 2.8, rule 5).
struct SilenceTimer: Sendable {
  /// How long nothing may come.
  let patience: Duration
  private var lastHeard: Duration
  private var hasAsked = false

  init(patience: Duration, from start: Duration) {
    self.patience = patience
    lastHeard = start
  }

  /// When to ask; `nil` once asked, until a push is heard.
  var due: Duration? { hasAsked ? nil : lastHeard + patience }

  mutating func heard(at time: Duration) {
    lastHeard = max(lastHeard, time)
    hasAsked = false
  }

  /// Whether to ask now; says so once.
  mutating func asks(at now: Duration) -> Bool {
    guard let due, now >= due else { return false }
    hasAsked = true
    return true
  }
}
