package import CastProtocol
package import CastTransport
package import RunReporting
import ScenarioLanguage

/// A device as `discover` shows it.
package struct ListedDevice: Hashable, Sendable {
  package var name: String
  package var id: String?
  package var model: String?
  package var address: HostAndPort
  /// All that are known, the best one first.
  package var addresses: [String]
  /// `nil` where nobody said.
  package var capabilities: DeviceCapabilities?
  /// What it shows: the app, or the app's words; empty when idle, `nil` where nobody said.
  package var shows: String?
  /// The id of the app, where the device was asked.
  package var appID: String?
  package var via: AddressOrigin

  package var isGroup: Bool { capabilities?.contains(.multizoneGroup) ?? (model == "Google Cast Group") }

  /// By friendly name as people read it, then id, then address.
  package static func sorted(_ devices: [ListedDevice]) -> [ListedDevice] {
    devices.sorted { left, right in
      (left.name.lowercased(), left.name, left.id ?? "", left.address.text)
        < (right.name.lowercased(), right.name, right.id ?? "", right.address.text)
    }
  }

  package init(_ record: DeviceRecord) {
    name = record.name
    id = record.id.description
    model = record.model.isEmpty ? nil : record.model
    address = HostAndPort(host: record.preferredHost, port: record.port)
    addresses = record.addresses
    capabilities = record.capabilities
    shows = record.statusText.isEmpty && record.isAppRunning ? "an app" : record.statusText
    via = .mdns
  }

  /// A device of which only the address is known.
  package init(_ device: FoundDevice) {
    name = device.name
    id = device.id
    model = device.model
    address = device.address
    addresses = [device.address.host]
    via = device.via
  }

  /// What a connection to it needs to know.
  package var found: FoundDevice {
    var device = FoundDevice(name: name, id: id, model: model, address: address, via: via)
    device.otherHosts = Array(addresses.dropFirst())
    return device
  }

  package var capabilityWords: [String] {
    guard let capabilities else { return isGroup ? ["group"] : [] }
    return CapabilityWord.allCases.filter { capabilities.contains($0.bit) }.map(\.rawValue)
  }

  package func can(_ words: [CapabilityWord]) -> Bool {
    words.allSatisfy { word in capabilities?.contains(word.bit) ?? (word == .group && isGroup) }
  }

  package var json: JSONValue {
    var object: JSONObject = ["name": .string(name)]
    object["id"] = id.map(JSONValue.string)
    object["model"] = model.map(JSONValue.string)
    object["host"] = .string(address.host)
    object["addresses"] = .array(addresses.map(JSONValue.string))
    object["port"] = .int(address.port)
    if capabilities != nil || isGroup { object["can"] = .array(capabilityWords.map(JSONValue.string)) }
    object["ca"] = capabilities.flatMap { Int(exactly: $0.rawValue) }.map(JSONValue.int)
    object["group"] = .bool(isGroup)
    object["shows"] = shows.map(JSONValue.string)
    object["app"] = appID.map(JSONValue.string)
    object["via"] = .string(via.rawValue)
    return .object(object)
  }
}

/// What `--can` asks for, and what a list shows a device can do: bits of `ca` (docs/protocol.md 7.1).
package enum CapabilityWord: String, CaseIterable, Sendable {
  case video, audio
  case videoIn = "video_in"
  case audioIn = "audio_in"
  case group, developer

  package var bit: DeviceCapabilities {
    switch self {
    case .video: .videoOut
    case .audio: .audioOut
    case .videoIn: .videoIn
    case .audioIn: .audioIn
    case .group: .multizoneGroup
    case .developer: .developerMode
    }
  }
}
