package import CastClient
package import CastProtocol
import ScenarioLanguage
package import RunReporting

/// A device as discovery, the command line or the simulation found it.
package struct FoundDevice: Hashable, Sendable {
  package typealias Via = AddressOrigin
  package var name: String
  package var id: String?
  package var model: String?
  package var address: HostAndPort
  package var via: Via
  /// How it has to prove itself when it is connected to; `nil`: as all do.
  package var authentication: AuthenticationMode?
  /// Whether old TLS will do (`tls: legacy`).
  package var allowsLegacyTLS = false
  /// Whether it says that it shows video; `nil` where it was not asked.
  package var hasVideoOutput: Bool?
  /// How long each stage of connecting may take, and a reply; `nil`: as long as usual.
  package var connectTimeout: Duration?
  package var replyTimeout: Duration?
  /// More addresses with the same port, to try when the first does not answer.
  package var otherHosts: [String] = []

  /// Whether it is several speakers that play as one.
  package var isGroup: Bool { Plan.DeviceSelector.Kind(model: model) == .group }

  /// `Living Room TV (Chromecast Ultra, 192.0.2.14)`; the port only where it is not the usual one.
  package var text: String { "\(name) (\(model.map { "\($0), " } ?? "")\(address.shortText))" }

  /// Whether it has no name but its address.
  package var isUnnamed: Bool { name == address.host || name == address.shortText }

  package init(name: String, id: String? = nil, model: String? = nil, address: HostAndPort, via: Via) {
    self.name = name
    self.id = id
    self.model = model
    self.address = address
    self.via = via
  }
}

extension FoundDevice {
  /// Whether both are one device: of the same id, or of the same address where one has none.
  package func isSame(as other: FoundDevice) -> Bool {
    guard let id, let otherID = other.id else { return address == other.address }
    return id == otherID
  }
}
