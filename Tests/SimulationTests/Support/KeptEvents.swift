import RunReporting
import Synchronization

/// Keeps the events of a run in order.
final class KeptEvents: EventSink {
  private let events = Mutex<[Event]>([])
  func record(_ event: Event) { events.withLock { $0.append(event) } }
  var all: [Event] { events.withLock { $0 } }
}
