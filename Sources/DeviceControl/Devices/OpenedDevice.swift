package import CastClient

/// An open connection and what was learned while opening it.
package struct OpenedDevice: Sendable {
  package var connection: CastConnection
  /// `TLSv1.3`; `nil` in a simulation.
  package var tls: String?
  /// From the start of the TCP connect to the first RECEIVER_STATUS.
  package var latency: Duration
  /// What the device's proof was worth.
  package var authentication: AuthenticationFacts

  package init(
    connection: CastConnection, tls: String? = nil, latency: Duration, authentication: AuthenticationFacts = .unchecked
  ) {
    self.connection = connection
    self.tls = tls
    self.latency = latency
    self.authentication = authentication
  }
}
