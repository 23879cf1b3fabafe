import Synchronization

/// Where a report writes to in a test.
final class WrittenText: Sendable {
  private let parts = Mutex<[String]>([])
  func write(_ text: String) { parts.withLock { $0.append(text) } }
  var text: String { parts.withLock { $0.joined() } }
}
