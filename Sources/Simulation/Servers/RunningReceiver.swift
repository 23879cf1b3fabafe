import CastProtocol
package import CastReceiver
import CastTransport
import RunReporting

/// One virtual receiver on the network.
package struct RunningReceiver: Sendable {
  /// `127.0.0.1:8009`.
  package let address: String
  /// Where it listens.
  package let host: String
  package var port: Int { listener.port }
  package let receiver: VirtualReceiver
  private let listener: ReceiverListener

  /// Starts it.
  /// - Parameters:
  ///   - hosts: It listens on the first of them that this computer has.
  ///   - port: 0: any free one.
  ///   - identity: What it shares with others; `nil`: a certificate of its own.
  static func start(
    _ configuration: ReceiverConfiguration, hosts: [String], port: Int, identity: ServerIdentity? = nil,
    times: TimeSources
  ) async throws(ReceiverServerError) -> RunningReceiver {
    let listener = ReceiverListener(times: times)
    var configuration = configuration
    configuration.restarted = { listener.restart($0) }
    let receiver = VirtualReceiver(configuration: configuration, times: times)
    let (server, bound) = try await listen(on: hosts, port: port, identity: identity, accept: receiver.accept)
    listener.begin(server, host: bound, accept: receiver.accept)
    let shown = bound.contains(":") ? "[\(bound)]" : bound
    return RunningReceiver(
      address: "\(shown):\(server.port)", host: bound, receiver: receiver, listener: listener)
  }

  /// Listens on the first of `hosts` that this computer has.
  private static func listen(
    on hosts: [String], port: Int, identity: ServerIdentity?, accept: @escaping @Sendable (any ByteChannel) -> Void
  ) async throws(ReceiverServerError) -> (TLSServer, host: String) {
    var last: TransportError?
    for host in hosts {
      do {
        return (try await TLSServer.listen(host: host, port: port, identity: identity, accept: accept), host)
      } catch {
        last = error
        if error.code == .addressInUse { break }
      }
    }
    let isBusy = last?.code == .addressInUse
    throw ReceiverServerError(
      isBusy ? .busy : .commandLineWrong, last?.message ?? "cannot listen",
      help: isBusy ? "another receiver runs there; choose another with --port, or --port 0 for a free one" : last?.help)
  }

  func stop() async {
    receiver.stop()
    await listener.stop()
  }
}
