package import RunReporting
import Synchronization

/// Takes what goes wrong with virtual receivers, as a library says, to all who listen: runs, and the command.
package final class FaultWatch: Sendable {
  private struct State {
    var listeners: [(number: Int, tell: @Sendable (EventKind.FaultNote) -> Void)] = []
    var lastNumber = 0
  }

  /// One that listens.
  package struct Listening: Hashable, Sendable {
    fileprivate let number: Int
  }

  private let state = Mutex(State())

  package init() {}

  /// A fault has come. Told to nobody where nobody listens.
  package func came(_ note: EventKind.FaultNote) {
    // Under the lock, so that nothing is told to one that has stopped to listen.
    state.withLock { state in
      for listener in state.listeners { listener.tell(note) }
    }
  }

  /// Has faults told to a function, which must not wait.
  @discardableResult
  package func listen(_ listener: @escaping @Sendable (EventKind.FaultNote) -> Void) -> Listening {
    state.withLock { state in
      state.lastNumber += 1
      state.listeners.append((state.lastNumber, listener))
      return Listening(number: state.lastNumber)
    }
  }

  /// When this returns, the function is called no more.
  package func stop(_ listening: Listening) {
    state.withLock { $0.listeners.removeAll { $0.number == listening.number } }
  }
}
