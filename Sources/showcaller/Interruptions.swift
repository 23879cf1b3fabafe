import ScenarioRunner
import Synchronization
import UnixSignals

/// Ctrl-C and SIGTERM as values: the first ends the running step, a second skips the cleanup.
enum Interruptions {
  /// Runs `body` with the signals of this process handed to it.
  static func watching<T: Sendable>(_ body: (AsyncStream<Runner.Interruption>) async -> T) async -> T {
    await watchingInPhases { await body($0.stream()) }
  }

  /// Runs `body`, which listens to the signals of this process in one phase after the other.
  static func watchingInPhases<T: Sendable>(_ body: (InterruptionLine) async -> T) async -> T {
    let line = InterruptionLine()
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    // Unstructured so that a body that has ended never waits for a signal that will not come.
    let watcher = Task {
      for await signal in signals { line.send(signal == .sigterm ? .terminate : .interrupt) }
    }
    defer { watcher.cancel() }
    return await body(line)
  }

  /// Waits until this process is asked to end.
  static func first() async {
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    for await _ in signals { return }
  }
}

/// The signals of this process, for whoever listens at the time.
final class InterruptionLine: Sendable {
  private struct State {
    var all: [Runner.Interruption] = []
    var listeners: [AsyncStream<Runner.Interruption>.Continuation] = []
  }

  /// How something ended that a signal may end.
  enum Ending<T: Sendable>: Sendable {
    case done(T)
    case interrupted(Runner.Interruption)
  }

  private let state = Mutex(State())

  /// What came so far, and what comes.
  func stream() -> AsyncStream<Runner.Interruption> {
    let (stream, continuation) = AsyncStream<Runner.Interruption>.makeStream(bufferingPolicy: .bufferingNewest(4))
    state.withLock { state in
      for interruption in state.all.suffix(4) { continuation.yield(interruption) }
      state.listeners.append(continuation)
    }
    return stream
  }

  fileprivate func send(_ interruption: Runner.Interruption) {
    state.withLock { state in
      state.all.append(interruption)
      for listener in state.listeners { listener.yield(interruption) }
    }
  }

  /// Does `body` to its end, or until the first signal, which cancels it; it must end soon then.
  func cancelling<T: Sendable>(_ body: @escaping @Sendable () async -> T) async -> Ending<T> {
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
