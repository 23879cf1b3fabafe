/// A Cast namespace: what a message is about. Starts with `urn:x-cast:`.
package struct Namespace: RawRepresentable, Hashable, Sendable {
  package var rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  /// Whether it belongs to the connection, the platform or its media player rather than to an app.
  package var isOfPlatform: Bool { rawValue.hasPrefix("urn:x-cast:com.google.cast.") }

  /// The namespace of this name, without a copy of its own of a name that most apps list.
  static func listed(as name: String) -> Namespace {
    oftenListed.first { $0.rawValue == name } ?? Namespace(rawValue: name)
  }
  private static let oftenListed = [
    media, Namespace(rawValue: "urn:x-cast:com.google.cast.cac"),
    Namespace(rawValue: "urn:x-cast:com.google.cast.debugoverlay"),
    Namespace(rawValue: "urn:x-cast:com.google.cast.broadcast"),
  ]

  package static let connection = Namespace(rawValue: "urn:x-cast:com.google.cast.tp.connection")
  package static let heartbeat = Namespace(rawValue: "urn:x-cast:com.google.cast.tp.heartbeat")
  package static let deviceAuth = Namespace(rawValue: "urn:x-cast:com.google.cast.tp.deviceauth")
  package static let receiver = Namespace(rawValue: "urn:x-cast:com.google.cast.receiver")
  package static let multizone = Namespace(rawValue: "urn:x-cast:com.google.cast.multizone")
  package static let deviceDiscovery = Namespace(rawValue: "urn:x-cast:com.google.cast.receiver.discovery")
  package static let media = Namespace(rawValue: "urn:x-cast:com.google.cast.media")
}
