/// Why bytes cannot be moved, or devices not be found.
package struct TransportError: Error, Hashable, Sendable {
  /// A stable name; new ones may be added, none changes its meaning.
  package enum Code: String, Hashable, Sendable {
    /// No route, refused, or no answer in time.
    case unreachable
    /// The peer speaks no TLS, or the handshake failed.
    case tlsHandshakeFailed = "tls_handshake_failed"
    /// The connection broke after it was open.
    case connectionLost = "connection_lost"
    /// Too much waits to be sent.
    case backlogExceeded = "backlog_exceeded"
    /// A name has no address.
    case unknownHost = "unknown_host"
    case addressInUse = "address_in_use"
    case addressNotAvailable = "address_not_available"
    /// Another device on this machine is advertised by the same name.
    case nameInUse = "name_in_use"
    /// No mDNS daemon answers.
    case discoveryUnavailable = "discovery_unavailable"
    /// Our own set-up failed: no memory, no entropy, a broken certificate.
    case setupFailed = "setup_failed"
    /// A root certificate that was handed in is none.
    case badCertificate = "bad_certificate"
  }

  package var code: Code
  /// A lowercase fragment for after "error: ".
  package var message: String
  /// What the user can do about it.
  package var help: String?

  package init(_ code: Code, _ message: String, help: String? = nil) {
    self.code = code
    self.message = message
    self.help = help
  }
}
