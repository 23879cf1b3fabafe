package import CastReceiver
import CastProtocol
import CastTransport
package import ScenarioLanguage
package import DeviceControl
import RunReporting

/// What a virtual receiver answers to when a plan asks for a device: whatever it asks (docs/design.md 10.1).
package enum VirtualDevice {
  /// UUIDs of virtual receivers are made in this namespace, so that a name always gives the same one.
  private static let namespace: [UInt8] = Array("showcaller virtual receiver:".utf8)

  /// The device id of a virtual receiver called `name`.
  package static func id(forName name: String) -> String {
    Digest.uuid(name: name, namespace: namespace) ?? "00000000-0000-5000-8000-000000000000"
  }

  /// A device that fits `selector`; its address is for the caller to set.
  package static func answering(_ selector: Plan.DeviceSelector) -> FoundDevice {
    let standard = ReceiverConfiguration(id: "")
    let liked = selector.nameLike.map(plain).flatMap { $0.isEmpty ? nil : $0 }
    let name = selector.name ?? liked ?? selector.host?.host ?? standard.name
    return FoundDevice(
      name: name, id: selector.id ?? id(forName: name),
      model: selector.model ?? selector.modelLike.map(plain) ?? standard.model,
      address: selector.host ?? HostAndPort(host: "127.0.0.1"), via: .virtual)
  }

  /// What the receiver behind `device` claims to be; it launches every app that is needed of any device.
  package static func configuration(
    for device: FoundDevice, needs: VirtualDeviceNeeds, seed: UInt64
  ) -> ReceiverConfiguration {
    var configuration = ReceiverConfiguration(id: device.id ?? id(forName: device.name))
    configuration.name = device.name
    configuration.model = device.model ?? configuration.model
    for app in needs.apps {
      configuration.appIDs.insert(app.id)
      // The real app's answers are not known: ours offers the namespaces of the plan, and sends messages back.
      configuration.customNamespaces[app.id, default: []] += app.namespaces
    }
    configuration.appIDs.formUnion(needs.pages.keys)
    configuration.pageAddresses = needs.pages
    // Devices of one run must not look alike where they look random: mix-ups would go unseen.
    configuration.seed = seed.mixed(with: configuration.id)
    configuration.latency = needs.latency
    if let faults = needs.faults { configuration.apply(faults) }
    return configuration
  }

  /// A name that fits a glob: its stars taken out, its question marks read as letters.
  private static func plain(_ glob: String) -> String {
    String(glob.filter { $0 != "*" }.map { $0 == "?" ? "x" : $0 })
  }
}
