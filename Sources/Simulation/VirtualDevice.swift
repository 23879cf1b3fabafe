package import CastReceiver
package import CastProtocol
import CastTransport
package import ScenarioLanguage
package import ScenarioRunner

/// What a virtual receiver answers to when a plan asks for a device: whatever it asks (design.md 10).
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
    let name = selector.name ?? selector.nameLike.map(plain) ?? selector.host?.host ?? standard.name
    return FoundDevice(
      name: name, id: selector.id ?? id(forName: name),
      model: selector.model ?? selector.modelLike.map(plain) ?? standard.model,
      address: selector.host ?? HostAndPort(host: "127.0.0.1"), via: .virtual)
  }

  /// A device for each that `plan` speaks of: its own or those of its roles, as many as `devices` asks for, and those
  /// that something is transferred to. Their names and ids differ.
  package static func all(for plan: Plan) -> [FoundDevice] {
    var selectors = plan.roles.map(\.device)
    if let set = plan.devices {
      for selector in set.selectors {
        let parts = selector.tagged.isEmpty ? [selector] : selector.tagged
        selectors += parts
        let missing = (set.atLeast ?? 1) - parts.count
        if missing > 0, let last = parts.last { selectors += Array(repeating: last, count: min(missing, 1000)) }
      }
    } else if plan.roles.isEmpty {
      selectors.append(plan.device)
    }
    for step in plan.allSteps {
      if case .transfer(let transfer) = step.action, case .device(let selector) = transfer.target {
        selectors.append(selector)
      }
    }
    var devices: [FoundDevice] = []
    for (index, selector) in selectors.enumerated() {
      var device = answering(selector)
      let isTaken = { (name: String) in devices.contains { $0.name == name } }
      if isTaken(device.name) {
        // What is asked for by name is one device, whoever asks.
        if selector.name != nil || selector.id != nil || selector.host != nil { continue }
        let name = device.name
        device.name = (2...1002).lazy.map { "\(name) \($0)" }.first { !isTaken($0) } ?? name
        device.id = id(forName: device.name)
      }
      if selector.host == nil { device.address = HostAndPort(host: "127.0.0.1", port: 8009 + index) }
      devices.append(device)
    }
    return devices
  }

  /// Those of `devices` that fit a selector; a plan of one device gets that one, whatever it asks.
  package static func fitting(_ selector: Plan.DeviceSelector, among devices: [FoundDevice]) -> [FoundDevice] {
    if devices.count == 1 { return devices }
    let fitting = devices.filter { device in
      selector.matches(
        DiscoveredDevice(name: device.name, id: device.id, model: device.model, address: device.address))
    }
    if fitting.count > 1, let exact = fitting.first(where: { $0.name == selector.name }) { return [exact] }
    return fitting
  }

  /// What the receiver behind `device` claims to be; it launches every app that one of the plans does.
  package static func configuration(for device: FoundDevice, plans: [Plan], seed: UInt64) -> ReceiverConfiguration {
    var configuration = ReceiverConfiguration(id: device.id ?? id(forName: device.name))
    configuration.name = device.name
    configuration.model = device.model ?? configuration.model
    for plan in plans {
      configuration.appIDs.formUnion(plan.launchedAppIDs)
      // Nobody knows what the real app would answer; ours offers what the plan speaks, and sends it back.
      for id in plan.launchedAppIDs { configuration.customNamespaces[id, default: []] += plan.spokenNamespaces }
    }
    configuration.seed = seed
    return configuration
  }

  /// A name that fits a glob: its stars taken out, its question marks read as letters.
  private static func plain(_ glob: String) -> String {
    String(glob.filter { $0 != "*" }.map { $0 == "?" ? "x" : $0 })
  }
}

extension Plan {
  /// The namespaces of apps' own on which a step sends or expects a message, each once, in the order of the document.
  package var spokenNamespaces: [Namespace] {
    var names: [Namespace] = []
    for step in allSteps {
      switch step.action {
      case .send(let send) where send.destination == .app: names.append(Namespace(rawValue: send.namespace))
      case .expectMessage(let message): names.append(Namespace(rawValue: message.namespace))
      default: continue
      }
    }
    var seen: Set<Namespace> = []
    return names.filter { !$0.isOfPlatform && seen.insert($0).inserted }
  }

  /// The ids of every app that a step may launch, each once, in the order of the document.
  package var launchedAppIDs: [String] {
    var ids: [String] = []
    for step in allSteps {
      switch step.action {
      case .launch(let launch): ids.append(launch.appID)
      case .load(let load): ids += [load.appID ?? load.defaultAppID]
      case .queue(let queue): ids += [queue.appID ?? queue.defaultAppID]
      default: continue
      }
    }
    var seen: Set<String> = []
    return ids.filter { seen.insert($0).inserted }
  }
}
