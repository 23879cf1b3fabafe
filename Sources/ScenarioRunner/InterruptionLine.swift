import Synchronization

/// What asks a process to end, for whoever listens at the time.
package final class InterruptionLine: Sendable {
  private struct State {
    var all: [Runner.Interruption] = []
    var listeners: [AsyncStream<Runner.Interruption>.Continuation] = []
  }

  /// How something ended that a signal may end.
  package enum Ending<T: Sendable>: Sendable {
    case done(T)
    case interrupted(Runner.Interruption)
  }

  private let state = Mutex(State())

  package init() {}

  /// What came so far, and what comes.
  package func stream() -> AsyncStream<Runner.Interruption> {
    let (stream, continuation) = AsyncStream<Runner.Interruption>.makeStream(bufferingPolicy: .bufferingNewest(4))
    state.withLock { state in
      for interruption in state.all.suffix(4) { continuation.yield(interruption) }
      state.listeners.append(continuation)
    }
    return stream
  }

  /// Waits until the process is asked to end.
  package func first() async {
    for await _ in stream() { return }
  }

  /// Tells all who listen, and who will.
  package func send(_ interruption: Runner.Interruption) {
    state.withLock { state in
      state.all.append(interruption)
      for listener in state.listeners { listener.yield(interruption) }
    }
  }

  /// Does `body` to its end, or until the first signal, which cancels it; it must end soon then.
  package func cancelling<T: Sendable>(_ body: @escaping @Sendable () async -> T) async -> Ending<T> {
    let stream = stream()
    return await withTaskGroup(of: Ending<T>?.self) { group in
      group.addTask { .done(await body()) }
      group.addTask {
        for await interruption in stream { return .interrupted(interruption) }
        return nil
      }
      var ending: Ending<T>?
      for await next in group {
        // The first counts: what is done after a signal is not wanted any more.
        ending = ending ?? next
        group.cancelAll()
      }
      return ending ?? .interrupted(.terminate)
    }
  }
}
