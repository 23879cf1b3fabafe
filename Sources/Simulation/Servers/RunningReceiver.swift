package import CastReceiver
import CastTransport
package import CastProtocol
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
  private let advertiser: DeviceAdvertiser?

  /// Starts it.
  /// - Parameter host: The address that it listens on; `nil`: loopback, or all where it is announced.
  package static func start(
    _ configuration: ReceiverConfiguration, host: String?, port: Int, advertises: Bool, times: TimeSources
  ) async throws(ReceiverServerError) -> RunningReceiver {
    let listener = ReceiverListener(times: times)
    var configuration = configuration
    configuration.restarted = { listener.restart($0) }
    let receiver = VirtualReceiver(configuration: configuration, times: times)
    let hosts = host.map { [$0] } ?? (advertises ? ["::", "0.0.0.0"] : ["127.0.0.1"])
    let (server, bound) = try await listen(on: hosts, port: port, accept: receiver.accept)
    listener.begin(server, host: bound, accept: receiver.accept)
    var advertiser: DeviceAdvertiser?
    if advertises {
      do {
        advertiser = try await announce(configuration, port: server.port)
      } catch {
        receiver.stop()
        await server.close()
        throw ReceiverServerError(
          .noDevice, "cannot announce \(configuration.name): \(error.message)",
          help: error.code == .discoveryUnavailable
            ? "install and start avahi-daemon, or leave out --advertise and give senders the address" : error.help)
      }
    }
    let shown = bound.contains(":") ? "[\(bound)]" : bound
    return RunningReceiver(
      address: "\(shown):\(server.port)", host: bound, receiver: receiver, listener: listener, advertiser: advertiser)
  }

  private static func announce(
    _ configuration: ReceiverConfiguration, port: Int
  ) async throws(TransportError) -> DeviceAdvertiser? {
    guard let id = DeviceID(configuration.id) else { return nil }
    return try await DeviceAdvertiser.advertise(
      DeviceAdvertisement(
        id: id, name: configuration.name, model: configuration.model,
        capabilities: DeviceCapabilities(rawValue: UInt64(configuration.capabilities)), port: port))
  }

  /// Listens on the first of `hosts` that this computer has.
  private static func listen(
    on hosts: [String], port: Int, accept: @escaping @Sendable (any ByteChannel) -> Void
  ) async throws(ReceiverServerError) -> (TLSServer, host: String) {
    var last: TransportError?
    for host in hosts {
      do {
        return (try await TLSServer.listen(host: host, port: port, accept: accept), host)
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

  package func stop() async {
    await advertiser?.close()
    receiver.stop()
    await listener.stop()
  }
}
