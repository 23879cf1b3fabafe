import Synchronization

/// By when each screen of a process must have had its next turn: one that hangs is seen by it.
package final class ScreenTurns: Sendable {
  /// No screen waits longer for anything before it looks at the clock again, unless it says so: a search for a lost device
  /// takes two minutes.
  package static let longest = Duration.seconds(300)

  private let due = Mutex<[String: Duration]>([:])

  package init() {}

  /// A screen has its turn, and will have the next one by then, on the show clock.
  package func note(_ screen: String, nextBy time: Duration) { due.withLock { $0[screen] = time } }

  /// A screen waits for something that may take any time, or is served no more.
  package func rest(_ screen: String) { _ = due.withLock { $0.removeValue(forKey: screen) } }

  /// The screens whose turn has not come in time.
  package func late(at time: Duration) -> [String] {
    due.withLock { due in due.filter { $0.value < time }.keys.sorted() }
  }
}
