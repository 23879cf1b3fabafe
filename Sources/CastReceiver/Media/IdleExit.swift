/// An app that ends itself when nothing plays in it for long, as the receiver SDK does (docs/protocol.md 6.1).
struct IdleExit: Hashable, Sendable {
  /// Why nothing plays.
  enum Cause: Hashable, Sendable {
    case empty, paused
  }

  private let limit: Duration?
  private var cause: Cause?
  private var since = Duration.zero

  /// - Parameter limit: For an app without media; paused media keep it four times as long. `nil`: it stays.
  init(after limit: Duration?) { self.limit = limit }

  /// When the app ends unless something plays.
  var deadline: Duration? {
    guard let limit, let cause else { return nil }
    switch cause {
    case .empty: return since + limit
    case .paused: return since + limit * 4
    }
  }

  /// Takes what is so since `now`, unless it was so before.
  mutating func note(_ cause: Cause?, at now: Duration) {
    if cause == self.cause { return }
    self.cause = cause
    since = now
  }
}
