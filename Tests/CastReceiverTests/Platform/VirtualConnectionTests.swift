import CastProtocol
import CastTransport
import Testing

@testable import CastReceiver

@Suite struct VirtualConnectionTests {
  @Test("A request without a CONNECT before it is dropped without a word")
  func dropped() {
    var receiver = ReceiverHarness()
    _ = receiver.open(1)
    #expect(receiver.send(["type": "GET_STATUS", "requestId": 1]) == [])
    #expect(receiver.connect() == [])
    #expect(receiver.send(["type": "GET_STATUS", "requestId": 1]).summary == ["RECEIVER_STATUS #1"])
    #expect(receiver.send(["type": "GET_STATUS", "requestId": 2], from: "sender-7") == [])
  }

  @Test("A message on a socket that is not open is dropped")
  func unknownSocket() {
    var receiver = ReceiverHarness()
    #expect(receiver.connect(connection: 9) == [])
  }

  @Test("A CONNECT to an endpoint that is not there is answered by CLOSE from it")
  func unknownTransport() throws {
    var receiver = ReceiverHarness()
    _ = receiver.open(1)
    let heard = receiver.connect("sender-3", to: "web-5")
    #expect(heard.summary == ["CLOSE"])
    let answer = try #require(heard.first)
    #expect((answer.source, answer.destination) == ("web-5", "sender-3"))
  }

  static let kinds: [(connType: JSONValue, answer: [String])] = [
    (.null, []), (0, []), (1, []), (2, []), (3, ["CLOSE"]), (-1, ["CLOSE"]), ("strong", ["CLOSE"]), (1.5, ["CLOSE"]),
  ]
  @Test("connType is 0, 1, 2 or absent; anything else is answered by CLOSE", arguments: kinds)
  func kind(connType: JSONValue, answer: [String]) {
    var receiver = ReceiverHarness()
    _ = receiver.open(1)
    #expect(receiver.send(["type": "CONNECT", "connType": connType], on: .connection).summary == answer)
  }

  static let versions: [(members: JSONObject, version: Int?)] = [
    ([:], nil), (["protocolVersion": 0], 0), (["protocolVersion": 3], 3),
    (["protocolVersion": 1, "protocolVersionList": [0, 2, 9]], 2), (["protocolVersionList": [7]], nil),
  ]
  @Test("CONNECTED names the best common protocol version when the sender names one", arguments: versions)
  func connected(members: JSONObject, version: Int?) {
    var receiver = ReceiverHarness()
    _ = receiver.open(1)
    var connect: JSONObject = ["type": "CONNECT"]
    connect.members += members.members
    let heard = receiver.send(.object(connect), on: .connection)
    #expect(heard.compactMap { $0.json["protocolVersion"]?.int } == (version.map { [$0] } ?? []))
    #expect(receiver.send(["type": "GET_STATUS", "requestId": 1]).count == 1)
  }

  @Test("After CLOSE the sender's requests are dropped, and the app keeps running")
  func close() {
    var receiver = ReceiverHarness()
    receiver.start()
    let transport = receiver.transport
    _ = receiver.send(["type": "CLOSE"], on: .connection, to: transport)
    #expect(receiver.media("GET_STATUS") == [])
    #expect(receiver.transport == transport)
    #expect(receiver.send(["type": "GET_STATUS", "requestId": 5]).count == 1)
  }

  @Test("A socket has at most 256 virtual connections; the next CONNECT is answered by CLOSE")
  func limit() {
    var receiver = ReceiverHarness()
    _ = receiver.open(1)
    for number in 0..<256 { #expect(receiver.connect("sender-\(number)") == []) }
    #expect(receiver.connect("sender-256").summary == ["CLOSE"])
    #expect(receiver.connect("sender-3") == [], "an existing one may connect again")
  }

  @Test("The 65th socket is closed")
  func sockets() {
    var receiver = ReceiverHarness()
    for number in 1...65 { _ = receiver.open(number) }
    #expect(receiver.closed == [65])
    _ = receiver.close(7)
    _ = receiver.open(66)
    #expect(receiver.closed == [65])
  }

  @Test("A sender id over 256 bytes is refused")
  func longID() {
    var receiver = ReceiverHarness()
    _ = receiver.open(1)
    #expect(receiver.connect(String(repeating: "x", count: 257)).summary == ["CLOSE"])
  }

  static let payloads: [CastMessage.Payload] = [
    .text(""), .text("{"), .text("[1]"), .text("\"GET_STATUS\""), .binary([1, 2, 3]), .text("{\"type\":7}"),
  ]
  @Test("What is not a JSON object with a type is ignored", arguments: payloads)
  func notJSON(payload: CastMessage.Payload) {
    var receiver = ReceiverHarness()
    receiver.start()
    for namespace in [Namespace.receiver, .media, .connection, Namespace(rawValue: "urn:x-cast:other")] {
      for endpoint in ["receiver-0", receiver.transport] {
        let message = CastMessage(
          source: .sender, destination: EndpointID(endpoint), namespace: namespace, payload: payload)
        #expect(receiver.input(.message(ConnectionID(rawValue: 1), message)) == [])
      }
    }
  }

  static let challenges: [(bytes: [UInt8], answer: [UInt8]?)] = [
    ([0x0A, 0x00], [0x1A, 0x02, 0x08, 0x00]),
    ([0x0A, 0x02, 0x08, 0x01], [0x1A, 0x02, 0x08, 0x00]),
    ([0x0A, 0x02, 0x08, 0x02], [0x1A, 0x02, 0x08, 0x02]),
    ([0x0A, 0x02, 0x18, 0x09], [0x1A, 0x02, 0x08, 0x02]),
    ([], nil), ([0xFF, 0xFF], nil), ([0x1A, 0x02, 0x08, 0x00], nil),
  ]
  @Test(
    "A challenge is answered by INTERNAL_ERROR, one for PSS by SIGNATURE_ALGORITHM_UNAVAILABLE, without a CONNECT",
    arguments: challenges)
  func challenge(bytes: [UInt8], answer: [UInt8]?) {
    var receiver = ReceiverHarness()
    _ = receiver.open(1)
    let message = CastMessage(source: .sender, destination: .receiver, namespace: .deviceAuth, payload: .binary(bytes))
    let effects = receiver.machine.receive(.message(ConnectionID(rawValue: 1), message), at: .zero)
    let expected = answer.map {
      ReceiverStateMachine.Effect.send(
        ConnectionID(rawValue: 1),
        CastMessage(source: .receiver, destination: .sender, namespace: .deviceAuth, payload: .binary($0)))
    }
    #expect(effects == (expected.map { [$0] } ?? []))
  }

  @Test("With credentials a challenge of up to 256 bytes is answered by a proof for this very connection")
  func proof() throws {
    let signer = try DeviceAuthSigner(name: "TV", now: 1_795_000_000)
    var configuration = ReceiverConfiguration(id: "a")
    configuration.credentials = DeviceCredentials(name: "TV", authority: LazyDeviceAuthAuthority { 0 })
    var machine = ReceiverStateMachine(configuration: configuration)
    let certificates: [[UInt8]?] = [[1, 2, 3], [4, 5, 6], nil]
    for (index, certificate) in certificates.enumerated() {
      _ = machine.receive(.connected(ConnectionID(rawValue: index), certificate: certificate), at: .zero)
    }
    func answer(_ nonce: [UInt8], _ hash: DeviceAuthMessage.HashAlgorithm, on id: Int) throws -> DeviceAuthMessage {
      var challenge = DeviceAuthMessage.Challenge()
      challenge.nonce = nonce
      challenge.hashAlgorithm = hash
      let message = CastMessage(
        source: .sender, destination: .receiver, namespace: .deviceAuth,
        payload: .binary(DeviceAuthMessage.challenge(challenge).encoded()))
      var effects = machine.receive(.message(ConnectionID(rawValue: id), message), at: .zero)
      if case .prove(let request)? = effects.first {
        // Who asks again before the proof is there gets one answer.
        #expect(machine.receive(.message(ConnectionID(rawValue: id), message), at: .zero) == [])
        let signature = signer.sign(
          nonce: request.nonce ?? [], tlsCertificate: request.certificate, hash: request.hash)
        let proof = DeviceCredentials.Proof(signature: signature ?? [], certificateDER: signer.certificateDER)
        effects = machine.receive(.proof(request, proof), at: .zero)
      }
      guard case .send(_, let reply)? = effects.first, case .binary(let bytes) = reply.payload else {
        throw ProtocolError.frameEmpty
      }
      return try DeviceAuthMessage(decoding: bytes)
    }
    for (id, hash) in [(0, DeviceAuthMessage.HashAlgorithm.sha256), (1, .sha1)] {
      guard case .response(let response) = try answer([9], hash, on: id) else {
        Issue.record("no response")
        continue
      }
      let signed = signer.sign(
        nonce: [9], tlsCertificate: certificates[id] ?? [], hash: hash == .sha1 ? .sha1 : .sha256)
      #expect(response.signature == signed && response.nonce == [9] && response.hashAlgorithm == hash)
      #expect(response.deviceCertificate == signer.certificateDER && response.intermediateCertificates == [])
    }
    #expect(try answer([9], .sha256, on: 2) == .error(.noTLS))
    #expect(try answer([UInt8](repeating: 1, count: 257), .sha256, on: 0) == .error(.internalError))
  }
}
