import CastProtocol
import Testing

@Suite struct DeviceAuthMessageTests {
  static func messages() -> [DeviceAuthMessage] {
    var challenge = DeviceAuthMessage.Challenge()
    challenge.nonce = Array(0..<16)
    challenge.hashAlgorithm = .sha256
    var response = DeviceAuthMessage.Response(signature: [1, 2], deviceCertificate: [3])
    response.intermediateCertificates = [[4], [5, 6]]
    response.nonce = []
    response.signatureAlgorithm = .pss
    response.hashAlgorithm = DeviceAuthMessage.HashAlgorithm(rawValue: 9)
    response.revocations = [7]
    return [
      .challenge(.init()), .challenge(challenge), .response(.init(signature: [], deviceCertificate: [])),
      .response(response), .error(.internalError), .error(.signatureAlgorithmUnavailable), .error(.init(rawValue: 77)),
    ]
  }

  @Test("A device authentication message survives the wire", arguments: messages())
  func roundTrip(message: DeviceAuthMessage) throws {
    #expect(try DeviceAuthMessage(decoding: message.encoded()) == message)
  }

  @Test("An error is written with its zero")
  func errorBytes() {
    #expect(DeviceAuthMessage.error(.internalError).encoded() == [0x1A, 2, 0x08, 0])
  }

  @Test(
    "What is no device authentication message is refused", arguments: [[], [0xFF], [0x12, 0], [0x1A, 0], [0x0A, 9]])
  func refuses(bytes: [UInt8]) {
    #expect(throws: ProtocolError.self) { try DeviceAuthMessage(decoding: bytes) }
  }

  @Test("A recorded challenge is read", .enabled(if: Reference.has("auth/receiver_channel")))
  func recordedChallenge() throws {
    let message = try CastMessage(decoding: Reference.bytes("auth/receiver_channel/auth_challenge.pb"))
    #expect(message.namespace == .deviceAuth)
    guard case .binary(let bytes) = message.payload,
      case .challenge(let challenge) = try DeviceAuthMessage(decoding: bytes)
    else {
      Issue.record("\(message)")
      return
    }
    #expect(challenge.nonce?.map { String($0, radix: 16) }.first == "1e")
    #expect(challenge.nonce?.count == 16)
    #expect(challenge.hashAlgorithm == .sha256)
    #expect(challenge.signatureAlgorithm == .pkcs1v15)
  }

  @Test("The usual algorithm is left out of a challenge, as senders do; an empty revocation bundle is none")
  func wireHabits() throws {
    var challenge = DeviceAuthMessage.Challenge()
    challenge.nonce = [1]
    challenge.hashAlgorithm = .sha256
    #expect(DeviceAuthMessage.challenge(challenge).encoded() == [0x0A, 5, 0x12, 1, 1, 0x18, 1])
    let bytes: [UInt8] = [0x12, 8, 0x0A, 1, 1, 0x12, 1, 2, 0x3A, 0]
    #expect(
      try DeviceAuthMessage(decoding: bytes) == .response(.init(signature: [1], deviceCertificate: [2])))
  }
}
