import NIOCore
import Synchronization

/// What is connected to one server.
final class ServerConnections: Sendable {
  private struct Entry {
    let channel: any Channel
    /// Whether its handshake is done.
    var isEstablished = false
  }

  private struct State {
    var isClosed = false
    /// In the order they came.
    var open: [Entry] = []
  }

  private let maximum: Int
  private let state = Mutex(State())

  init(maximum: Int) { self.maximum = maximum }

  /// Counts `channel` in until it closes; false when there is no room. Who has not said enough yet to be a sender makes
  /// room, the first of them first: sockets that say nothing keep nobody out.
  func admit(_ channel: any Channel) -> Bool {
    let (isAdmitted, displaced) = state.withLock { state -> (Bool, (any Channel)?) in
      if state.isClosed { return (false, nil) }
      var displaced: (any Channel)?
      if state.open.count >= maximum {
        guard let index = state.open.firstIndex(where: { !$0.isEstablished }) else { return (false, nil) }
        displaced = state.open.remove(at: index).channel
      }
      state.open.append(Entry(channel: channel))
      return (true, displaced)
    }
    displaced?.close(promise: nil)
    if isAdmitted {
      channel.closeFuture.whenComplete { [self] _ in state.withLock { $0.open.removeAll { $0.channel === channel } } }
    }
    return isAdmitted
  }

  /// Notes that the handshake of `channel` is done.
  func establish(_ channel: any Channel) {
    state.withLock { state in
      if let index = state.open.firstIndex(where: { $0.channel === channel }) { state.open[index].isEstablished = true }
    }
  }

  /// Admits nothing more, and tells what is open.
  func closeAdmission() -> [any Channel] {
    state.withLock { state in
      state.isClosed = true
      return state.open.map(\.channel)
    }
  }
}
