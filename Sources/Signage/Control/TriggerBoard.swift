import Synchronization

/// Which triggers of a playlist are fired, and since when: the sources set it, the screens read it.
package final class TriggerBoard: Sendable {
  private let fired: Mutex<[String: Double]>

  package init() { fired = Mutex([:]) }

  /// Since which Unix time a trigger is fired; `nil`: it is not.
  package func since(_ name: String) -> Double? { fired.withLock { $0[name] } }

  /// - Returns: Whether that is news.
  @discardableResult
  package func fire(_ name: String, at time: Double) -> Bool {
    fired.withLock { fired in
      if fired[name] != nil { return false }
      fired[name] = time
      return true
    }
  }

  /// - Returns: Whether that is news.
  @discardableResult
  package func clear(_ name: String) -> Bool { fired.withLock { $0.removeValue(forKey: name) != nil } }
}
