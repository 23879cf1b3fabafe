import NIOCore
import Synchronization

/// How many connections a server has open at most, in all and from one address (docs/security.md M3, W6).
///
/// Whoever is not known has a few places of its own, so that it can be told so, and takes none from those who are.
final class ConnectionCounter: Sendable {
  private let limits: WebServer.Limits
  private let knows: @Sendable (String) -> Bool
  private let state = Mutex(State())

  private struct State {
    var open: [String: Int] = [:]
    var strangers = 0
  }

  /// A place that was given.
  enum Place: Sendable {
    case known(String)
    case stranger
  }

  init(_ limits: WebServer.Limits, knows: @escaping @Sendable (String) -> Bool) {
    self.limits = limits
    self.knows = knows
  }

  /// - Returns: The place for one more; `nil`: there is none.
  func admit(_ peer: String) -> Place? {
    let isKnown = knows(peer)
    return state.withLock { state in
      guard isKnown else {
        guard state.strangers < limits.strangers else { return nil }
        state.strangers += 1
        return .stranger
      }
      let all = state.open.values.reduce(0, +)
      guard all < limits.connections, state.open[peer, default: 0] < limits.connectionsPerPeer else { return nil }
      state.open[peer, default: 0] += 1
      return .known(peer)
    }
  }

  func release(_ place: Place) {
    state.withLock { state in
      switch place {
      case .stranger: state.strangers -= 1
      case .known(let peer):
        guard let count = state.open[peer] else { return }
        state.open[peer] = count > 1 ? count - 1 : nil
      }
    }
  }
}

/// Closes a connection at once where there are too many.
final class AdmissionHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = Any

  private let counter: ConnectionCounter
  private var place: ConnectionCounter.Place?

  init(_ counter: ConnectionCounter) { self.counter = counter }

  func handlerAdded(context: ChannelHandlerContext) {
    place = counter.admit(context.remoteAddress?.ipAddress ?? "")
    if place == nil { context.close(promise: nil) }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    if let place { counter.release(place) }
    place = nil
  }
}
