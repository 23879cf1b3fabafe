import CastProtocol
import CastReceiver
import CastTransport
import Synchronization

/// What became of a receiver that started again.
package enum ReceiverMove: Hashable, Sendable {
  /// It listens at another port from now on.
  case listens(port: Int)
  /// It could not: nobody answers at its address until it ends.
  case staysAway(reason: String)
}

/// Where a virtual receiver listens: also after a restart with another certificate or at another port, or without power.
final class ReceiverListener: Sendable {
  private struct State {
    var server: TLSServer?
    var isStopped = false
    /// A restart that is under way: another one meanwhile changes nothing, as the device is away already.
    var isRestarting = false
    var accept: (@Sendable (any ByteChannel) -> Void)?
    var host = ""
    var identity: ServerIdentity?
  }

  private let times: TimeSources
  private let state = Mutex(State())
  private let moved: @Sendable (ReceiverMove) -> Void

  /// - Parameter moved: Told after a restart, unless all is as it was.
  init(times: TimeSources, moved: @escaping @Sendable (ReceiverMove) -> Void = { _ in }) {
    self.times = times
    self.moved = moved
  }

  /// 0 where it does not listen.
  var port: Int { state.withLock { $0.server?.port ?? 0 } }

  func begin(
    _ server: TLSServer, host: String, identity: ServerIdentity?, accept: @escaping @Sendable (any ByteChannel) -> Void
  ) {
    state.withLock { state in
      state.server = server
      state.host = host
      state.accept = accept
      state.identity = identity
    }
  }

  /// Starts again as a fault will have it, in the background: a receiver tells it on an event loop.
  func restart(_ restart: FaultPlan.Restart) {
    if restart.change == .nothing { return }
    let isFirst = state.withLock { state in
      defer { state.isRestarting = true }
      return !state.isRestarting
    }
    if !isFirst { return }
    _ = times.show.spawn { [self] in
      defer { state.withLock { $0.isRestarting = false } }
      let (server, host, accept) = state.withLock { ($0.server, $0.host, $0.accept) }
      guard let server, let accept else { return }
      let port = server.port
      await server.close()
      try? await times.show.sleep(for: restart.away)
      let wanted = restart.change == .port ? 0 : port
      let next: TLSServer
      do throws(TransportError) {
        next = try await TLSServer.listen(host: host, port: wanted, accept: accept)
      } catch {
        // Somebody else may have taken the port meanwhile: the receiver is then away for good, as a device can be.
        return moved(.staysAway(reason: error.message))
      }
      let isWanted = state.withLock { state in
        if !state.isStopped { state.server = next }
        return !state.isStopped
      }
      if !isWanted {
        await next.close()
      } else if next.port != port {
        moved(.listens(port: next.port))
      }
    }
  }

  /// Answers nobody any more; what is connected stays as it is.
  /// - Throws: Where it is about to start again.
  func unplug() async throws(PersonRefusal) {
    let server = try state.withLock { state throws(PersonRefusal) in
      if state.isRestarting {
        throw PersonRefusal(message: "it is about to start again", help: "try again in a moment")
      }
      return state.server
    }
    await server?.stopListening()
  }

  /// Listens again where it did, with the certificate that it had.
  func plug() async throws(PersonRefusal) {
    let (old, host, accept, identity) = state.withLock { ($0.server, $0.host, $0.accept, $0.identity) }
    guard let old, let accept else { return }
    let port = old.port
    await old.close()
    do {
      let next = try await TLSServer.listen(host: host, port: port, identity: identity, accept: accept)
      let isWanted = state.withLock { state in
        if !state.isStopped { state.server = next }
        return !state.isStopped
      }
      if !isWanted { await next.close() }
    } catch {
      throw PersonRefusal(message: "it cannot start again: \(error.message)", help: error.help)
    }
  }

  func stop() async {
    let server = state.withLock { state in
      state.isStopped = true
      return state.server
    }
    await server?.close()
  }
}
