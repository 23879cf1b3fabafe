import Synchronization

/// What is known of all screens of a process, for whoever looks at them; no screen waits for it.
package final class ScreenBoard: Sendable {
  /// Which screen of which playlist.
  package struct Key: Hashable, Sendable, Comparable {
    package var playlist: String
    package var screen: String

    package init(playlist: String, screen: String) {
      self.playlist = playlist
      self.screen = screen
    }

    package static func < (left: Key, right: Key) -> Bool {
      (left.playlist, left.screen) < (right.playlist, right.screen)
    }
  }

  private struct State {
    var screens: [Key: ScreenState] = [:]
    var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    var next = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// All screens that have told anything, by playlist and name.
  package var screens: [(key: Key, state: ScreenState)] {
    state.withLock { $0.screens.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
  }

  /// A screen told something.
  package func take(_ event: ScreenEvent, of key: Key, at time: Double) {
    let listeners = state.withLock { state in
      state.screens[key, default: ScreenState(key.screen, at: time)].take(event, at: time)
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.yield() }
  }

  /// A screen's receiver has sent a status.
  package func hear(_ key: Key, at time: Double) {
    let listeners = state.withLock { state in
      state.screens[key, default: ScreenState(key.screen, at: time)].hear(at: time)
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.yield() }
  }

  /// The screens of a playlist are served no more.
  package func forget(playlist: String) {
    state.withLock { state in state.screens = state.screens.filter { $0.key.playlist != playlist } }
    ring()
  }

  /// Something else that people see has changed.
  package func ring() { for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield() } }

  /// An element after changes; several that come before it is read are one.
  package func changes() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.next += 1
      state.listeners[state.next] = continuation
      return state.next
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
    }
    return stream
  }
}
