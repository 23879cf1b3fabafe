package import FleetMessages

extension BrokerFailure {
  /// The library is not installed.
  static func noLibrary(_ name: String) -> BrokerFailure {
    BrokerFailure(
      .unavailable, "the MQTT library \(name) is not installed, or cannot be loaded",
      help: "apt-get install libmosquitto1")
  }

  static func noAddress(_ address: BrokerAddress, _ reason: String) -> BrokerFailure {
    BrokerFailure(
      .unreachable, "'\(address.host)' has no address: \(reason)",
      help: "check the name of the broker, or use an address")
  }

  static func noConnection(_ address: BrokerAddress, _ reason: String) -> BrokerFailure {
    BrokerFailure(
      .unreachable, "cannot connect to \(address): \(reason)",
      help: "check host and port, and that the broker is running there with TLS")
  }

  static func noBroker(_ address: BrokerAddress) -> BrokerFailure {
    BrokerFailure(
      .unreachable, "what answers at \(address) is no MQTT 5 broker",
      help: "check the port: MQTT with TLS is usually 8883")
  }

  static func lost(_ address: BrokerAddress, _ reason: String) -> BrokerFailure {
    BrokerFailure(.lost, "the connection to \(address) is lost: \(reason)")
  }

  /// A file that cannot be used.
  static func badFile(_ path: String, _ what: String) -> BrokerFailure {
    BrokerFailure(.untrusted, "\(path) \(what)", help: "it has to be a file in PEM, which begins with `-----BEGIN`")
  }

  /// - Parameter code: What OpenSSL found wrong with the certificate (`X509_V_ERR_…`).
  static func untrusted(_ address: BrokerAddress, code: Int, reason: String, authorities: String?) -> BrokerFailure {
    let help =
      switch code {
      case 62: "use the name that is in the certificate, or give the broker one for '\(address.host)'"
      case 64: "use the name that is in the certificate, not an address, or give the broker one for '\(address.host)'"
      case 9: "the certificate is not valid yet: check the clock of this computer, and of the broker's"
      case 10: "renew the broker's certificate, or check the clock of this computer"
      default:
        authorities.map { "the broker's certificate does not come from those in \($0): check --broker-ca" }
          ?? "name the authority that the broker's certificate comes from: --broker-ca FILE"
      }
    let message =
      code == 62 || code == 64
      ? "the certificate of the broker is not for '\(address.host)'"
      : "the certificate of the broker is not accepted: \(reason)"
    return BrokerFailure(.untrusted, message, help: help)
  }

  /// The broker ended the handshake.
  static func ownCertificate(_ reason: String, hasOne: Bool) -> BrokerFailure {
    BrokerFailure(
      .untrusted, "the broker ends the TLS handshake: \(reason)",
      help: hasOne
        ? "check that the broker trusts what issued the file of --broker-cert, and that it has not expired"
        : "where the broker asks for a certificate, name one: --broker-cert FILE --broker-key FILE")
  }

  /// - Parameter code: Of the broker's answer to the greeting (MQTT 5.0, 3.2.2.2).
  package static func refused(_ address: BrokerAddress, code: Int) -> BrokerFailure {
    switch code {
    case 0x86, 4:
      BrokerFailure(
        .refused, "the broker refuses the user or the password",
        help: "check the user in `mqtts://user@host` and --broker-password")
    case 0x87, 5:
      BrokerFailure(
        .refused,
        address.user == nil ? "the broker lets nobody in without a user" : "the broker does not let this user in",
        help: "name a user as `mqtts://user@host` with --broker-password, or check what the broker allows")
    case 0x84, 1:
      BrokerFailure(.refused, "the broker does not speak MQTT 5", help: "Mosquitto does since 1.6")
    case 0x85, 2:
      BrokerFailure(.refused, "the broker refuses the name of this client", help: "check what names it allows")
    case 0x8A: BrokerFailure(.refused, "the broker has banned this client")
    case 0x88, 0x89, 0x97, 0x9F, 3:
      BrokerFailure(.refused, "the broker takes no connections at the moment", help: "it is tried again by itself")
    case 0x9C, 0x9D: BrokerFailure(.refused, "the broker names another server", help: "use the address of that one")
    default: BrokerFailure(.refused, "the broker refuses the connection (reason \(code))")
    }
  }

  /// - Parameter code: Of the broker's goodbye (MQTT 5.0, 3.14.2.1).
  static func goodbye(_ address: BrokerAddress, code: Int) -> BrokerFailure {
    switch code {
    case 0x8E:
      BrokerFailure(
        .lost, "another connection has the same name",
        help: "give each site and agent a name of its own: two processes take the connection from each other")
    case 0x87: .lost(address, "the broker does not allow what was sent")
    case 0x8B: .lost(address, "the broker is shutting down")
    case 0x95: .lost(address, "the broker found a message too large")
    default: .lost(address, "the broker ended it (reason \(code))")
    }
  }

  static func larger(than limit: Int) -> BrokerFailure {
    BrokerFailure(
      .hostile, "the broker sends a message of more than \(limit) bytes",
      help: "find out who publishes it: sites, operators and agents do not")
  }

  static func faster(than rate: Int) -> BrokerFailure {
    BrokerFailure(
      .hostile, "the broker sends more than \(rate) messages a second",
      help: "find out who publishes them: sites, operators and agents do not")
  }

  static let malformed = BrokerFailure(.hostile, "the broker sends what is not MQTT 5")

  static let ownDecision = BrokerFailure(
    .hostile, "this side ended the connection, for the broker did what nobody should")
}
