import Dispatch
import Synchronization

/// Writes lines on a thread of its own: a reader who stops stops nobody else. What does not fit is dropped, and said.
final class LineWriter: Sendable {
  /// Lines that may wait.
  private static let limit = 4096
  /// How long the last lines may take at the end.
  private static let patience = DispatchTimeInterval.seconds(1)

  private struct State {
    var waiting = 0
    var dropped = 0
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "lines")

  /// Writes what `line` makes, which is called on the writer's thread, unless too much waits.
  func add(_ line: @escaping @Sendable () -> Void) {
    let isAdmitted = state.withLock { state in
      guard state.waiting < Self.limit else {
        state.dropped += 1
        return false
      }
      state.waiting += 1
      return true
    }
    guard isAdmitted else { return }
    queue.async { [self] in
      line()
      let dropped = state.withLock { state in
        state.waiting -= 1
        defer { state.dropped = 0 }
        return state.dropped
      }
      if dropped > 0 { Terminal.say("note: \(dropped) messages are not shown; they came faster than they were read") }
    }
  }

  /// Waits for what was added, though not for a reader who has stopped.
  func finish() {
    let group = DispatchGroup()
    queue.async(group: group) {}
    _ = group.wait(timeout: .now() + Self.patience)
  }
}
