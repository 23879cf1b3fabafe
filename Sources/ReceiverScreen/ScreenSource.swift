package import CastReceiver
import Synchronization

/// A receiver whose screen is shown; the one who runs it gives it.
package struct ScreenSource: Sendable {
  package var name: String
  package var snapshot: @Sendable () -> ScreenSnapshot
  /// Takes what comes of the page that plays.
  package var player: @Sendable (PlayerInput) -> Void
  /// Told that the browser of a page may not play by itself.
  package var blocked: @Sendable () -> Void
  package let signal: ScreenSignal

  package init(
    name: String, signal: ScreenSignal, snapshot: @escaping @Sendable () -> ScreenSnapshot,
    player: @escaping @Sendable (PlayerInput) -> Void, blocked: @escaping @Sendable () -> Void = {}
  ) {
    self.name = name
    self.signal = signal
    self.snapshot = snapshot
    self.player = player
    self.blocked = blocked
  }
}

/// Says to all who follow that something may have changed; of quick changes once.
package final class ScreenSignal: Sendable {
  private struct State {
    var streams: [Int: AsyncStream<Void>.Continuation] = [:]
    var last = 0
  }

  private let state = Mutex(State())

  package init() {}

  package func send() {
    for stream in state.withLock({ $0.streams.isEmpty ? [] : Array($0.streams.values) }) { stream.yield() }
  }

  package func changes() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.last += 1
      state.streams[state.last] = continuation
      return state.last
    }
    continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.streams[number] = nil } }
    return stream
  }
}
