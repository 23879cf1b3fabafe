import Synchronization

@testable import RunReporting

/// Keeps events.
final class RecordingSink: EventSink {
  private let recorded = Mutex<[Event]>([])
  private let onEvent: (@Sendable (Event) -> Void)?

  /// - Parameter onEvent: Told of each event as it is recorded.
  init(_ onEvent: (@Sendable (Event) -> Void)? = nil) { self.onEvent = onEvent }

  func record(_ event: Event) {
    recorded.withLock { $0.append(event) }
    onEvent?(event)
  }
  var events: [Event] { recorded.withLock { $0 } }
}
