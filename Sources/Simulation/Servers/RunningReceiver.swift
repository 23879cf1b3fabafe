import CastProtocol
package import CastReceiver
import CastTransport
import RunReporting

/// One virtual receiver on the network.
package struct RunningReceiver: Sendable {
  /// `127.0.0.1:8009`.
  package var address: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
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
  ///   - moved: Told when a fault has it start at another port, or not at all.
  static func start(
    _ configuration: ReceiverConfiguration, hosts: [String], port: Int, identity: ServerIdentity? = nil,
    times: TimeSources, moved: @escaping @Sendable (ReceiverMove) -> Void = { _ in }
  ) async throws(ReceiverServerError) -> RunningReceiver {
    let listener = ReceiverListener(times: times, moved: moved)
    var configuration = configuration
    configuration.restarted = { listener.restart($0) }
    let receiver = VirtualReceiver(configuration: configuration, times: times)
    let (server, bound) = try await listen(on: hosts, port: port, identity: identity, accept: receiver.accept)
    listener.begin(server, host: bound, identity: identity, accept: receiver.accept)
    return RunningReceiver(host: bound, receiver: receiver, listener: listener)
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

  /// Pulls its plug: what is connected hears no more, and nobody answers at its address.
  func unplug() async throws(PersonRefusal) {
    try await listener.unplug()
    receiver.unplug()
  }

  /// Puts the plug in again: it listens where it did, and remembers nothing.
  func plug() async throws(PersonRefusal) {
    // Where its port is taken it stays without power.
    try await listener.plug()
    receiver.plug()
  }

  func stop() async {
    receiver.stop()
    await listener.stop()
  }
}
