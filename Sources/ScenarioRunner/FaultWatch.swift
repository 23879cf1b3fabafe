package import RunReporting
import Synchronization

/// Takes what goes wrong with the virtual receivers of a run, as a library says, to the run's events.
package final class FaultWatch: Sendable {
  private let tell = Mutex<(@Sendable (EventKind.FaultNote) -> Void)?>(nil)

  package init() {}

  /// A fault has come. Told to nobody where no run listens.
  package func came(_ note: EventKind.FaultNote) {
    // Under the lock, so that nothing is told once the run stopped listening.
    tell.withLock { $0?(note) }
  }

  /// Has faults told to a function, until that is `nil`; when this returns, the one before is called no more.
  func listen(_ listener: (@Sendable (EventKind.FaultNote) -> Void)?) { tell.withLock { $0 = listener } }
}
