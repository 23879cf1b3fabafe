import CastClient
import CastProtocol
import CastReceiver
import CastTransport
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Simulation
import Workspace

/// The virtual receivers of `run --virtual`: in this process, on loopback, behind real TLS (docs/design.md 10.1).
struct VirtualLab: Sendable {
  private let receivers: [VirtualReceiver]
  private let servers: [TLSServer]
  private let devices: VirtualDevices
  /// Where they really listen, by the address that the document says.
  private let addresses: [HostAndPort: HostAndPort]

  /// The root of the receivers' credentials, in PEM; none where they have none.
  let roots: [[UInt8]]

  /// Starts a receiver for each device that any row of the document speaks of.
  /// - Parameter hasCredentials: Whether they can prove themselves to who trusts ``roots``; making keys takes a moment.
  static func start(
    for document: RunnableDocument, times: TimeSources, seed: UInt64, hasCredentials: Bool = false
  ) async throws(CommandFailure) -> VirtualLab {
    var lab = VirtualDevices(for: document)
    var receivers: [VirtualReceiver] = []
    var servers: [TLSServer] = []
    let authority = LazyDeviceAuthAuthority { Int(Surroundings.process.unixTime()) }
    var addresses: [HostAndPort: HostAndPort] = [:]
    do {
      for (index, device) in lab.devices.enumerated() {
        var configuration = VirtualDevice.configuration(for: device, in: document, seed: seed)
        if hasCredentials {
          configuration.credentials = DeviceCredentials(name: device.name, authority: authority)
        }
        let receiver = VirtualReceiver(configuration: configuration, times: times)
        let server = try await TLSServer.listen(host: "127.0.0.1", port: 0, accept: receiver.accept)
        let address = HostAndPort(host: "127.0.0.1", port: server.port)
        addresses[device.address] = address
        lab.devices[index].address = address
        receivers.append(receiver)
        servers.append(server)
      }
      let roots = hasCredentials ? [try authority.get().rootPEM] : []
      return VirtualLab(receivers: receivers, servers: servers, devices: lab, addresses: addresses, roots: roots)
    } catch {
      for server in servers { await server.close() }
      throw CommandFailure(.noDevice, "the virtual receiver could not start: \(error.message)", help: error.help)
    }
  }

  /// How a run reaches the receivers: by the same TLS client that reaches real devices.
  func access(times: TimeSources, configuration: ClientConfiguration) -> DeviceAccess {
    DeviceAccess(
      find: { [devices, addresses] selector, _ in
        // Where a device listens is the lab's business.
        var selector = selector
        if let host = selector.host { selector.host = addresses[host] ?? host }
        return devices.fitting(selector)
      },
      connect: { device, wireTap throws(ClientError) in
        try await LiveDevices.connect(to: device, times: times, configuration: configuration, wireTap: wireTap)
      })
  }

  func stop() async {
    for receiver in receivers { receiver.stop() }
    for server in servers { await server.close() }
  }
}
