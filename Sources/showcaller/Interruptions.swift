import ScenarioRunner
import UnixSignals

/// Ctrl-C and SIGTERM as values: the first ends the running step, a second skips the cleanup.
enum Interruptions {
  /// Runs `body` with the signals of this process handed to it.
  static func watching<T: Sendable>(_ body: (AsyncStream<Runner.Interruption>) async -> T) async -> T {
    let (stream, continuation) = AsyncStream<Runner.Interruption>.makeStream(bufferingPolicy: .bufferingNewest(4))
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    // Unstructured so that a body that has ended never waits for a signal that will not come.
    let watcher = Task {
      for await signal in signals { continuation.yield(signal == .sigterm ? .terminate : .interrupt) }
    }
    defer { watcher.cancel() }
    return await body(stream)
  }

  /// Waits until this process is asked to end.
  static func first() async {
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    for await _ in signals { return }
  }
}
