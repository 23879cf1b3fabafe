/// How a link reaches its broker, and as whom.
package struct BrokerConfiguration: Sendable {
  package var address: BrokerAddress
  /// What the broker calls this connection; a second one of the same name ends the first (MQTT 5.0, 3.1.3.1).
  package var clientID: String
  package var password: String?
  /// A file of certificates (PEM) that the broker's has to come from; `nil`: those of the system.
  package var authorities: String?
  /// Files (PEM) of this client's own certificate and key; `nil`: the broker asks for none.
  package var certificate: String?
  package var key: String?
  /// What the broker publishes when the connection is lost.
  package var will: BrokerMessage?
  /// Larger messages end the connection.
  package var messageLimit = 8 << 20
  /// More messages a second, over some seconds, end the connection.
  package var rateLimit = 2_000

  package init(_ address: BrokerAddress, clientID: String) {
    self.address = address
    self.clientID = clientID
  }
}
