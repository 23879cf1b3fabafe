import CastProtocol
import CastReceiver
import CastTransport
import Synchronization

/// Where a virtual receiver listens: after a restart with another certificate, or at another port.
final class ReceiverListener: Sendable {
  private struct State {
    var server: TLSServer?
    var isStopped = false
    /// A restart that is under way: another one meanwhile changes nothing, as the device is away already.
    var isRestarting = false
    var accept: (@Sendable (any ByteChannel) -> Void)?
    var host = ""
  }

  private let times: TimeSources
  private let state = Mutex(State())

  init(times: TimeSources) { self.times = times }

  /// 0 where it does not listen.
  var port: Int { state.withLock { $0.server?.port ?? 0 } }

  func begin(_ server: TLSServer, host: String, accept: @escaping @Sendable (any ByteChannel) -> Void) {
    state.withLock { state in
      state.server = server
      state.host = host
      state.accept = accept
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
      // Somebody else may have taken the port meanwhile: the receiver is then away for good, as a device can be.
      guard let next = try? await TLSServer.listen(host: host, port: wanted, accept: accept) else { return }
      let isWanted = state.withLock { state in
        if !state.isStopped { state.server = next }
        return !state.isStopped
      }
      if !isWanted { await next.close() }
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
