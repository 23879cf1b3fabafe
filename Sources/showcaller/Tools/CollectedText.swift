import Synchronization

/// Keeps what a report writes, up to a limit.
final class CollectedText: Sendable {
  private static let limit = 1 << 20
  private let kept = Mutex("")

  func add(_ text: String) {
    kept.withLock { if $0.utf8.count < Self.limit { $0 += text } }
  }

  var text: String { kept.withLock { $0 } }
}
