import Synchronization

@testable import RunReporting

/// Keeps events.
final class KeptEvents: EventSink {
  private let recorded = Mutex<[Event]>([])

  func record(_ event: Event) { recorded.withLock { $0.append(event) } }
  var events: [Event] { recorded.withLock { $0 } }
}
