import BrokerClient
import FleetMessages
import Foundation
import TestSupport
import Testing

/// Whom a link connects to, and as whom.
@Suite(.enabled(if: BrokerClient.isBuilt && MosquittoBroker.isInstalled), .timeLimit(.minutes(1))) struct TrustTests {
  private static func failure(_ configuration: BrokerConfiguration) async throws -> BrokerFailure {
    let link = try LabLink(configuration)
    let failure = try await link.failure()
    await link.link.close()
    return failure
  }

  @Test("A broker whose certificate another authority issued is not spoken to")
  func authority() async throws {
    let broker = try MosquittoBroker()
    var configuration = try BrokerConfiguration(broker, as: "x")
    let other = try BrokerAuthority()
    configuration.authorities = other.certificate
    let failure = try await Self.failure(configuration)
    #expect(failure.code == .untrusted && failure.help?.contains("--broker-ca") == true, "\(failure)")
    // Those of the system do not know it either.
    configuration.authorities = nil
    #expect(try await Self.failure(configuration).help?.contains("--broker-ca FILE") == true)
  }

  @Test("A broker whose certificate is for another name, or another address, is not spoken to")
  func names() async throws {
    let broker = try MosquittoBroker(names: "DNS:broker.example")
    for host in ["localhost", "127.0.0.1"] {
      let failure = try await Self.failure(try BrokerConfiguration(broker, as: "x", host: host))
      #expect(failure.code == .untrusted && failure.message.contains("is not for '\(host)'"), "\(failure)")
    }
  }

  @Test("A wrong password, and none, are refused with what to do; the right one is not")
  func password() async throws {
    let broker = try MosquittoBroker(passwords: ["site": "right"])
    var configuration = try BrokerConfiguration(broker, as: "x", user: "site")
    configuration.password = "wrong"
    let failure = try await Self.failure(configuration)
    #expect(failure.code == .refused && failure.help?.contains("--broker-password") == true, "\(failure)")
    #expect(try await Self.failure(BrokerConfiguration(broker, as: "x")).code == .refused)
    configuration.password = "right"
    let link = try LabLink(configuration)
    try await link.connected()
  }

  @Test("A broker that asks for a certificate gets ours, and where there is none it is said how to name one")
  func ownCertificate() async throws {
    let broker = try MosquittoBroker(asksForCertificates: true)
    var configuration = try BrokerConfiguration(broker, as: "x")
    let failure = try await Self.failure(configuration)
    #expect(failure.code == .untrusted && failure.help?.contains("--broker-cert") == true, "\(failure)")
    let own = try broker.authority.certificate(commonName: "site-a")
    (configuration.certificate, configuration.key) = (own.certificate, own.key)
    let link = try LabLink(configuration)
    try await link.connected()
  }

  @Test("Files that cannot be used are told at once")
  func files() throws {
    var configuration = BrokerConfiguration(try BrokerAddress("mqtts://localhost"), clientID: "x")
    configuration.authorities = "/nowhere/ca.pem"
    let missing = #expect(throws: BrokerFailure.self) { _ = try BrokerClient.connect(configuration) }
    #expect(missing?.message == "cannot read /nowhere/ca.pem: no such file or directory")
    configuration.authorities = "/etc/passwd"
    #expect(throws: BrokerFailure.self) { _ = try BrokerClient.connect(configuration) }
    let authority = try BrokerAuthority()
    configuration.authorities = authority.certificate
    (configuration.certificate, configuration.key) = (
      try authority.certificate(commonName: "a").certificate, try authority.certificate(commonName: "b").key
    )
    let mixed = #expect(throws: BrokerFailure.self) { _ = try BrokerClient.connect(configuration) }
    #expect(mixed?.message.contains("has no key") == true)
  }

  @Test("Where nobody listens, and where a name has no address, that is said")
  func nobody() async throws {
    let port = try MosquittoBroker.freePort()
    let closed = BrokerConfiguration(try BrokerAddress("mqtts://localhost:\(port)"), clientID: "x")
    let failure = try await Self.failure(closed)
    #expect(failure.code == .unreachable && failure.message.contains("connection refused"), "\(failure)")
    let unknown = BrokerConfiguration(try BrokerAddress("mqtts://broker.invalid"), clientID: "x")
    #expect(try await Self.failure(unknown).message.hasPrefix("'broker.invalid' has no address"))
  }
}
