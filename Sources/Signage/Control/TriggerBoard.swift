import Synchronization

/// Which triggers of a playlist are fired, and since when: the sources set it, the screens read it.
package final class TriggerBoard: Sendable {
  private struct State {
    var fired: [String: Double] = [:]
    var observers: [@Sendable () -> Void] = []
  }
  private let state = Mutex(State())

  package init() {}

  /// Since which Unix time a trigger is fired; `nil`: it is not.
  package func since(_ name: String) -> Double? { state.withLock { $0.fired[name] } }

  /// All that are fired, with the Unix time since which.
  package var fired: [String: Double] { state.withLock { $0.fired } }

  /// - Returns: Whether that is news.
  @discardableResult
  package func fire(_ name: String, at time: Double) -> Bool {
    change { fired in
      if fired[name] != nil { return false }
      fired[name] = time
      return true
    }
  }

  /// - Returns: Whether that is news.
  @discardableResult
  package func clear(_ name: String) -> Bool { change { $0.removeValue(forKey: name) != nil } }

  /// Calls `observer` after each change, until the board is gone; it must return at once.
  package func observe(_ observer: @escaping @Sendable () -> Void) { state.withLock { $0.observers.append(observer) } }

  /// - Returns: Whether `body` says that something changed.
  private func change(_ body: (inout [String: Double]) -> Bool) -> Bool {
    let observers = state.withLock { body(&$0.fired) ? $0.observers : nil }
    observers?.forEach { $0() }
    return observers != nil
  }
}
