import CastProtocol
import CastTransport
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

extension KnownDevices {
  /// Those of the person who runs this process.
  static let process = KnownDevices(.process)

  /// As a resolver asks for them.
  var remembered: [DeviceResolver.Remembered] {
    read().compactMap { known in
      guard let age = age(of: known) else { return nil }
      let device = FoundDevice(
        name: known.name, id: known.id.isEmpty ? nil : known.id, model: known.model.isEmpty ? nil : known.model,
        address: HostAndPort(host: known.host, port: known.port), via: .cache)
      return DeviceResolver.Remembered(device: device, age: age)
    }
  }
}

extension KnownDevices.Device {
  /// What is remembered of a device that discovery has just seen.
  init(_ device: FoundDevice) {
    self.init(
      name: device.name, id: device.id ?? "", model: device.model ?? "", host: device.address.host,
      port: device.address.port, seen: device.isGroup ? nil : KnownDevices.process.now)
  }

  /// What is remembered of a device that has just answered to mDNS.
  init(_ record: DeviceRecord) {
    self.init(
      name: record.name, id: record.id.description, model: record.model, host: record.preferredHost, port: record.port,
      seen: record.capabilities.contains(.multizoneGroup) ? nil : KnownDevices.process.now)
  }
}
