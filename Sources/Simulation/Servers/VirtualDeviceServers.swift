package import CastClient
package import CastProtocol
import CastReceiver
import CastTransport
package import DeviceControl
import RunReporting
import ScenarioLanguage

/// The virtual receivers of `run --virtual`: in this process, on loopback, behind real TLS (docs/design.md 10.1).
package struct VirtualDeviceServers: Sendable {
  private let receivers: [VirtualReceiver]
  private let servers: [TLSServer]
  private let devices: VirtualDevices
  /// Where they really listen, by the address that the document says.
  private let addresses: [HostAndPort: HostAndPort]

  /// The root of the receivers' credentials, in PEM; none where they have none.
  package let roots: [[UInt8]]

  /// Starts a receiver for each device that is needed.
  /// - Parameters:
  ///   - needs: If a proof is needed, they can prove themselves to who trusts ``roots``; making keys takes a moment.
  ///   - unixTime: The wall's clock, for certificates.
  package static func start(
    for needs: VirtualDeviceNeeds, times: TimeSources, seed: UInt64, unixTime: @escaping @Sendable () -> Double
  ) async throws(ReceiverServerError) -> VirtualDeviceServers {
    var devices = VirtualDevices(for: needs)
    var receivers: [VirtualReceiver] = []
    var servers: [TLSServer] = []
    let authority = LazyDeviceAuthAuthority { Int(unixTime()) }
    var addresses: [HostAndPort: HostAndPort] = [:]
    do {
      for (index, device) in devices.devices.enumerated() {
        var configuration = VirtualDevice.configuration(for: device, needs: needs, seed: seed)
        if needs.needsProof {
          configuration.credentials = DeviceCredentials(name: device.name, authority: authority)
        }
        let receiver = VirtualReceiver(configuration: configuration, times: times)
        let server = try await TLSServer.listen(host: "127.0.0.1", port: 0, accept: receiver.accept)
        let address = HostAndPort(host: "127.0.0.1", port: server.port)
        addresses[device.address] = address
        devices.devices[index].address = address
        receivers.append(receiver)
        servers.append(server)
      }
      let roots = needs.needsProof ? [try authority.get().rootPEM] : []
      return VirtualDeviceServers(
        receivers: receivers, servers: servers, devices: devices, addresses: addresses, roots: roots)
    } catch {
      for server in servers { await server.close() }
      throw ReceiverServerError(.noDevice, "the virtual receiver could not start: \(error.message)", help: error.help)
    }
  }

  /// How a run reaches the receivers.
  /// - Parameter connect: Connects as to a real device, by TLS.
  package func access(
    connect:
      @escaping @Sendable (FoundDevice, (@Sendable (WireRecord) -> Void)?) async throws(ClientError) -> OpenedDevice
  ) -> DeviceAccess {
    DeviceAccess(
      find: { [devices, addresses] selector, _ in
        // Only we know where a device listens.
        var selector = selector
        if let host = selector.host { selector.host = addresses[host] ?? host }
        return devices.fitting(selector)
      },
      connect: connect)
  }

  package func stop() async {
    for receiver in receivers { receiver.stop() }
    for server in servers { await server.close() }
  }
}
