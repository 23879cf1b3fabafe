/// One end of a virtual connection: `sender-0`, `receiver-0`, a transport id, or `*`.
package struct EndpointID: RawRepresentable, Hashable, Sendable {
  package var rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }
  package init(_ rawValue: String) { self.rawValue = rawValue }

  /// The sender's platform.
  package static let sender = EndpointID("sender-0")
  /// The device's platform.
  package static let receiver = EndpointID("receiver-0")
  /// Every endpoint on a channel; only ever a destination.
  package static let everyone = EndpointID("*")
}
