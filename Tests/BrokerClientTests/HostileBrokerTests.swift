import BrokerClient
import FleetMessages
import TestSupport
import Testing

/// A broker that does what nobody should ends its connection, and not this process.
@Suite(.enabled(if: BrokerClient.isBuilt), .timeLimit(.minutes(1))) struct HostileBrokerTests {
  private static let greeting: [UInt8] = [0x20, 3, 0, 0, 0]

  private static func failure(
    _ broker: HostileBroker, _ authority: BrokerAuthority, rate: Int = 2_000
  ) async throws -> BrokerFailure {
    var configuration = BrokerConfiguration(try BrokerAddress("mqtts://localhost:\(broker.port)"), clientID: "x")
    configuration.authorities = authority.certificate
    configuration.messageLimit = 1 << 20
    configuration.rateLimit = rate
    let link = try LabLink(configuration)
    let failure = try await link.failure()
    await link.link.close()
    return failure
  }

  static let answers: [(answer: [UInt8], code: BrokerFailure.Code)] = [
    (Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), .unreachable),
    ([UInt8](repeating: 0xFF, count: 20_000), .unreachable),
    // A greeting of 256 MB, and one with a property that ends a process whose library sees it.
    ([0x20, 0xFF, 0xFF, 0xFF, 0x7F, 0, 0], .unreachable),
    ([0x20, 5, 0, 0, 2, 0x7E, 0], .unreachable),
    (greeting + [0x30, 0xFF, 0xFF, 0xFF, 0x7F, 0, 1, 0x61], .hostile),
    (greeting + [0x30, 6, 0, 1, 0x61, 2, 0x7E, 0], .hostile),
    (greeting + [0x34, 6, 0, 1, 0x61, 0, 1, 0], .hostile),
    (greeting + greeting, .hostile),
    ([0x20, 3, 0, 0x86, 0], .refused), ([0x20, 2, 0, 1], .refused),
    (greeting + [0xE0, 1, 0x8B], .lost),
  ]

  @Test("Answers that are wrong end the connection with a reason", arguments: answers.indices)
  func wrong(index: Int) async throws {
    let authority = try BrokerAuthority()
    let (answer, code) = Self.answers[index]
    let broker = try HostileBroker(authority, first: answer)
    let failure = try await Self.failure(broker, authority)
    #expect(failure.code == code, "\(failure)")
  }

  @Test("A flood of messages ends the connection before it fills the memory")
  func flood() async throws {
    let authority = try BrokerAuthority()
    let message: [UInt8] = [0x30, 5, 0, 1, 0x61, 0, 7]
    let many = Array([[UInt8]](repeating: message, count: 2_000).joined())
    let broker = try HostileBroker(authority, first: Self.greeting, again: many, times: 100)
    let failure = try await Self.failure(broker, authority, rate: 500)
    #expect(failure.code == .hostile && failure.message.contains("500 messages a second"), "\(failure)")
  }

  @Test("A server without TLS is no broker")
  func plain() async throws {
    let authority = try BrokerAuthority()
    let broker = try HostileBroker(authority, first: Array("220 smtp ready\r\n".utf8), isPlain: true)
    let failure = try await Self.failure(broker, authority)
    #expect(failure.code == .unreachable && failure.message.contains("TLS"), "\(failure)")
  }
}
