package import CastClient
package import CastProtocol
package import CastReceiver
import CastTransport
package import DeviceControl
import RunReporting
import ScenarioLanguage
package import ScenarioRunner

/// The virtual receivers of `run --virtual`: in this process, on loopback, behind real TLS (docs/design.md 10.1).
package struct VirtualDeviceServers: Sendable {
  /// In the order of ``devices``.
  private let receivers: [SwitchedReceiver]
  private let devices: VirtualDevices
  /// Where they really listen, by the address that the document says.
  private let addresses: [HostAndPort: HostAndPort]

  /// The root of the receivers' credentials, in PEM; none where they have none.
  package let roots: [[UInt8]]

  /// Starts a receiver for each device that is needed.
  /// - Parameters:
  ///   - needs: If a proof is needed, they can prove themselves to who trusts ``roots``; making keys takes a moment.
  ///   - unixTime: The wall's clock, for certificates.
  ///   - showPages: What shows the receiver pages of a receiver.
  ///   - faultWatch: Takes what goes wrong with them to the events of a run.
  package static func start(
    for needs: VirtualDeviceNeeds, times: TimeSources, seed: UInt64, unixTime: @escaping @Sendable () -> Double,
    showPages: (
      (_ receiver: String) -> @Sendable (PageOrder, _ tell: @escaping @Sendable (PageReport) -> Void) -> Void
    )? =
      nil, faultWatch: FaultWatch? = nil
  ) async throws(ReceiverServerError) -> VirtualDeviceServers {
    var devices = VirtualDevices(for: needs)
    var receivers: [SwitchedReceiver] = []
    let authority = LazyDeviceAuthAuthority { Int(unixTime()) }
    var addresses: [HostAndPort: HostAndPort] = [:]
    do throws(ReceiverServerError) {
      for (index, device) in devices.devices.enumerated() {
        var own = needs
        if let page = devices.pages[index] { own.show(page) }
        var configuration = VirtualDevice.configuration(for: device, needs: own, seed: seed)
        configuration.pages = showPages?(device.name)
        configuration.faultCame = faultWatch?.listener(of: device.name, needs.faults)
        if needs.needsProof {
          configuration.credentials = DeviceCredentials(name: device.name, authority: authority)
        }
        let receiver = try await SwitchedReceiver(configuration, times: times)
        let address = HostAndPort(host: "127.0.0.1", port: receiver.port)
        addresses[device.address] = address
        devices.devices[index].address = address
        receivers.append(receiver)
      }
      let roots = needs.needsProof ? [try root(of: authority)] : []
      return VirtualDeviceServers(receivers: receivers, devices: devices, addresses: addresses, roots: roots)
    } catch {
      for receiver in receivers { await receiver.switchOff() }
      throw error
    }
  }

  private static func root(of authority: LazyDeviceAuthAuthority) throws(ReceiverServerError) -> [UInt8] {
    do {
      return try authority.get().rootPEM
    } catch {
      throw ReceiverServerError(.noDevice, "the virtual receiver could not start: \(error.message)", help: error.help)
    }
  }

  /// Those that can be found, and where they listen.
  package var found: [FoundDevice] { devices.devices }

  /// Takes the power from a device: its connections close, and nobody answers at its address until it is restored.
  package func cut(_ device: FoundDevice) async { await receiver(of: device)?.switchOff() }

  /// Gives a device its power back: it answers at the same address, and remembers nothing.
  /// - Throws: Where something else listens there by now.
  package func restore(_ device: FoundDevice) async throws(ReceiverServerError) {
    try await receiver(of: device)?.switchOn()
  }

  private func receiver(of device: FoundDevice) -> SwitchedReceiver? {
    devices.devices.firstIndex { $0.isSame(as: device) }.map { receivers[$0] }
  }

  /// How a run reaches the receivers.
  /// - Parameter connect: Connects as to a real device, by TLS.
  package func access(
    connect:
      @escaping @Sendable (FoundDevice, WireTap?) async throws(ClientError) -> OpenedDevice
  ) -> DeviceAccess {
    var access = DeviceAccess(
      find: { [self] selector, _ in
        // Only we know where a device listens.
        var selector = selector
        if let host = selector.host { selector.host = addresses[host] ?? host }
        var found = devices.fitting(selector)
        for index in found.indices { found[index].address = await address(of: found[index]) }
        return found
      },
      connect: connect)
    access.resolve = { [self] device, _ throws(RunError) in await address(of: device) }
    return access
  }

  /// Where a device listens by now.
  private func address(of device: FoundDevice) async -> HostAndPort {
    guard let receiver = receiver(of: device) else { return device.address }
    return HostAndPort(host: device.address.host, port: await receiver.currentPort)
  }

  package func stop() async {
    for receiver in receivers { await receiver.switchOff() }
  }
}
