import CastClient
import CastProtocol
import CastTransport
import ScenarioLanguage
import ScenarioRunner

/// The devices of the real network, as a run reaches them.
enum LiveDevices {
  /// How long others of the same name may take once one has answered; the daemon has most in its cache.
  private static let settlingTime = Duration.milliseconds(500)

  /// Finds by mDNS unless an address is given, connects by TLS.
  static func access(times: TimeSources, configuration: ClientConfiguration) -> DeviceAccess {
    DeviceAccess(
      find: { selector, listenFor throws(RunError) in try await find(selector, for: listenFor) },
      connect: { device, wireTap throws(ClientError) in
        try await connect(to: device, times: times, configuration: configuration, wireTap: wireTap)
      })
  }

  static func connect(
    to device: FoundDevice, times: TimeSources, configuration: ClientConfiguration,
    wireTap: (@Sendable (WireRecord) -> Void)?
  ) async throws(ClientError) -> OpenedDevice {
    let connector = DeviceConnector(times: times, configuration: configuration)
    let opened = try await connector.connect(to: device.address, wireTap: wireTap)
    return OpenedDevice(connection: opened.connection, tls: opened.tls, latency: opened.latency)
  }

  private static func find(_ selector: Plan.DeviceSelector, for listenFor: Duration) async throws(RunError)
    -> [FoundDevice]
  {
    if let host = selector.host {
      return [FoundDevice(name: selector.name ?? host.host, id: selector.id, address: host, via: .host)]
    }
    var records: [DeviceRecord]
    do throws(TransportError) {
      records = try await DeviceBrowser.discover(for: listenFor) { seen in
        seen.contains { selector.matches($0.asDiscovered) }
      }
      // An id is certain; a name may be another device's, too, so the others get a moment to answer.
      if selector.id == nil, records.contains(where: { selector.matches($0.asDiscovered) }) {
        records = try await DeviceBrowser.discover(for: min(listenFor, settlingTime)) { _ in false }
      }
    } catch {
      throw RunError(errorClass: "not_found", message: error.message, help: error.help)
    }
    let fitting = records.filter { selector.matches($0.asDiscovered) }
    if fitting.isEmpty {
      throw RunError(
        errorClass: "not_found", message: "no device fits", candidates: records.map { FoundDevice($0) })
    }
    return fitting.map { FoundDevice($0) }
  }
}

extension DeviceRecord {
  /// What the language compares selectors with.
  fileprivate var asDiscovered: DiscoveredDevice {
    DiscoveredDevice(
      name: name, id: id.description, model: model, address: HostAndPort(host: preferredHost, port: port))
  }
}

extension FoundDevice {
  /// A device that answered to mDNS.
  init(_ record: DeviceRecord) {
    self.init(
      name: record.name, id: record.id.description, model: record.model,
      address: HostAndPort(host: record.preferredHost, port: record.port), via: .mdns)
  }
}
