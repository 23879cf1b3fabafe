import NIOCore
import Synchronization

/// How many connections a server has open at most, in all and from one address (docs/security.md 4c M3, 4d W6).
final class ConnectionCounter: Sendable {
  private let limits: WebServer.Limits
  private let open = Mutex<[String: Int]>([:])

  init(_ limits: WebServer.Limits) { self.limits = limits }

  /// - Returns: Whether there is room for one more.
  func admit(_ peer: String) -> Bool {
    open.withLock { open in
      let all = open.values.reduce(0, +)
      guard all < limits.connections, open[peer, default: 0] < limits.connectionsPerPeer else { return false }
      open[peer, default: 0] += 1
      return true
    }
  }

  func release(_ peer: String) {
    open.withLock { open in
      guard let count = open[peer] else { return }
      open[peer] = count > 1 ? count - 1 : nil
    }
  }
}

/// Closes a connection at once where there are too many.
final class AdmissionHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = Any

  private let counter: ConnectionCounter
  private var admitted: String?

  init(_ counter: ConnectionCounter) { self.counter = counter }

  func handlerAdded(context: ChannelHandlerContext) {
    let peer = context.remoteAddress?.ipAddress ?? ""
    if counter.admit(peer) { admitted = peer } else { context.close(promise: nil) }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    if let admitted { counter.release(admitted) }
    admitted = nil
  }
}
