import ArgumentParser
import BrokerClient
import CastProtocol
import CastTransport
import FleetMessages
import Workspace

/// Which broker, and who this is there.
struct BrokerOptions: ParsableArguments {
  static let variable = "SHOWCALLER_BROKER"

  @Option(
    help: ArgumentHelp(
      "The MQTT broker; without it, SHOWCALLER_BROKER.", valueName: "mqtts://[user@]host[:port]"),
    transform: BrokerOptions.address)
  var broker: BrokerAddress?

  @Option(
    help: ArgumentHelp("Trust brokers with a certificate of these (PEM), not of the system's.", valueName: "file"),
    completion: .file())
  var brokerCA: String?

  @Option(help: ArgumentHelp("The certificate (PEM) of this client.", valueName: "file"), completion: .file())
  var brokerCert: String?

  @Option(help: ArgumentHelp("The key (PEM) of that certificate.", valueName: "file"), completion: .file())
  var brokerKey: String?

  @Option(
    help: ArgumentHelp("Where the password of the user is.", valueName: "env:NAME|file:PATH"))
  var brokerPassword: String?

  private static func address(_ text: String) throws -> BrokerAddress {
    do throws(BrokerAddress.Problem) {
      return try BrokerAddress(text)
    } catch { throw ValidationError("--broker \(text): \(error.message)") }
  }

  func validate() throws {
    if (brokerCert == nil) != (brokerKey == nil) { throw ValidationError("--broker-cert and --broker-key go together") }
    if let brokerPassword, !brokerPassword.hasPrefix("env:"), !brokerPassword.hasPrefix("file:") {
      throw ValidationError("--broker-password names where the password is: `env:NAME` or `file:PATH`")
    }
  }

  /// Where the broker is: the command line's, else the environment's; `nil`: nobody says.
  func named() throws(CommandFailure) -> BrokerAddress? {
    if let broker { return broker }
    guard let text = Surroundings.process.environment[Self.variable], !text.isEmpty else { return nil }
    do throws(BrokerAddress.Problem) {
      return try BrokerAddress(text)
    } catch { throw CommandFailure(.commandLineWrong, "\(Self.variable): \(error.message)") }
  }

  /// How to reach it.
  /// - Parameter clientID: What the broker calls this connection.
  func configuration(as clientID: String) throws(CommandFailure) -> BrokerConfiguration {
    guard let address = try named() else {
      throw CommandFailure(
        .commandLineWrong, "no broker is named", help: "add `--broker mqtts://host`, or set \(Self.variable)")
    }
    var configuration = BrokerConfiguration(address, clientID: clientID)
    configuration.authorities = brokerCA
    (configuration.certificate, configuration.key) = (brokerCert, brokerKey)
    configuration.password = try password()
    return configuration
  }

  private func password() throws(CommandFailure) -> String? {
    guard let brokerPassword else { return nil }
    if brokerPassword.hasPrefix("env:") {
      let name = String(brokerPassword.dropFirst(4))
      guard let value = Surroundings.process.environment[name], !value.isEmpty else {
        throw CommandFailure(.commandLineWrong, "the variable \(name) of --broker-password is not set")
      }
      return value
    }
    let path = String(brokerPassword.dropFirst(5))
    do throws(FileError) {
      let text = String(decoding: try Files.read(path, limit: 4 << 10), as: UTF8.self)
      let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
      if !line.isEmpty { return line }
    } catch { throw CommandFailure(.commandLineWrong, "cannot read \(path): \(error.message)") }
    throw CommandFailure(.commandLineWrong, "\(path) has no password in its first line")
  }

  /// Connects as `clientID`.
  /// - Parameters:
  ///   - will: What the broker publishes when the connection is lost.
  ///   - messageLimit: Larger messages end the connection; `nil`: the usual limit.
  func connect(
    as clientID: String, will: BrokerMessage? = nil, messageLimit: Int? = nil
  ) throws(CommandFailure) -> any BrokerLink {
    var configuration = try configuration(as: clientID)
    configuration.will = will
    if let messageLimit { configuration.messageLimit = messageLimit }
    do throws(BrokerFailure) {
      return try BrokerClient.connect(configuration)
    } catch { throw CommandFailure(.commandLineWrong, error.message, help: error.help) }
  }
}

/// Who may tell this computer what to show or to run.
struct OperatorKeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Take documents, orders and jobs that the holder of this public key signed; may be repeated. `showcaller fleet key` prints one.",
      valueName: "file"), completion: .file())
  var operatorKey: [String] = []

  /// - Throws: Where a file is no public key.
  func keys() throws -> [VerifyingKey] { try operatorKey.map { try LedgerSigning.publicKey($0, by: "fleet key") } }
}
