/// What a device says about itself by mDNS: a hint where to connect, no proof of who answers there.
package struct DeviceRecord: Hashable, Sendable {
  /// The name of its service; opaque, unique on the network.
  package var instanceName: String
  package var id: DeviceID
  /// The friendly name that its owner gave it; never empty.
  package var name: String
  /// Such as `Chromecast`, or `Google Cast Group`; empty where it says none.
  package var model: String
  package var capabilities: DeviceCapabilities
  /// What the running app says it shows; empty when idle.
  package var statusText: String
  /// Whether an app runs; may be stale (docs/protocol.md 7.1).
  package var isAppRunning: Bool
  /// The host name in the `.local` domain, without the last dot.
  package var host: String
  /// 1 to 65535; a group has another than its leading member.
  package var port: Int
  /// As text, IPv4 first, then routable IPv6, then link-local IPv6 with its scope; at most 16.
  package var addresses: [String]

  /// What to connect to: the best address, or the name where none is known.
  package var preferredHost: String { addresses.first ?? host }

  /// Reads what resolving the service `instanceName` brought.
  /// - Parameters:
  ///   - host: In DNS presentation form.
  ///   - txt: The TXT record as it came.
  /// - Returns: `nil` where a limit of docs/security.md S10 is exceeded, or the record is no Cast device's: an id and a
  ///   friendly name are needed, and a protocol version, if given, of 2 to 99.
  package init?(instanceName: String, host: String, port: Int, txt: [UInt8], addresses: [String] = []) {
    guard (1...65535).contains(port), let host = DNSName.validated(host), let txt = TXTRecord(txt),
      let id = txt.text("id").flatMap({ DeviceID($0) }), let name = txt.text("fn"), !name.isEmpty
    else { return nil }
    if let version = txt.text("ve") {
      guard let number = Int(version), (2...99).contains(number) else { return nil }
    }
    self.instanceName = instanceName
    self.id = id
    self.name = name
    self.host = host
    self.port = port
    self.addresses = addresses
    model = txt.text("md") ?? ""
    capabilities = DeviceCapabilities(rawValue: txt.text("ca").flatMap { UInt64($0) } ?? 0)
    statusText = txt.text("rs") ?? ""
    isAppRunning = txt.text("st") == "1"
  }
}

/// The bits of the `ca` key (docs/protocol.md 7.1); unknown ones are kept.
package struct DeviceCapabilities: OptionSet, Hashable, Sendable {
  package var rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  package static let videoOut = Self(rawValue: 1)
  package static let videoIn = Self(rawValue: 2)
  package static let audioOut = Self(rawValue: 4)
  package static let audioIn = Self(rawValue: 8)
  package static let developerMode = Self(rawValue: 16)
  /// A group of devices that plays as one.
  package static let multizoneGroup = Self(rawValue: 32)
}
