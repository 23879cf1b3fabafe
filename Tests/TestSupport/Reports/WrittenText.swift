import Synchronization

/// Where a report writes to in a test.
package final class WrittenText: Sendable {
  private let parts = Mutex<[String]>([])

  package init() {}

  /// Adds to what was written.
  package func write(_ text: String) { parts.withLock { $0.append(text) } }
  /// Forgets what was written.
  package func clear() { parts.withLock { $0 = [] } }
  /// All that was written.
  package var text: String { parts.withLock { $0.joined() } }
}
