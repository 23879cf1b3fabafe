import CastProtocol
import CastTransport

/// Virtual connections and device authentication. Source: cast-protocol.md 2.2, 2.3 and 2.5.
extension ReceiverStateMachine {
  mutating func receiveConnectionMessage(_ message: CastMessage, from sender: Sender, at now: Duration) {
    guard let json = Self.json(message) else { return }
    switch json["type"]?.string {
    case "CONNECT": connect(json, from: sender, at: now)
    case "CLOSE": connections[sender.index].virtualConnections.close(sender.id, to: sender.endpoint)
    default: return
    }
  }

  private mutating func connect(_ json: JSONObject, from sender: Sender, at now: Duration) {
    guard sender.id != .everyone, sender.endpoint != .everyone else { return }
    let isApp = sender.endpoint == application?.transportID
    guard
      isApp || sender.endpoint == .receiver,
      let kind = Self.kind(json["connType"]),
      sender.id.rawValue.utf8.count <= ReceiverLimits.endpointIDLength,
      connections[sender.index].virtualConnections.connect(sender.id, to: sender.endpoint, kind: kind)
    else {
      reply(["type": "CLOSE"], on: .connection, to: sender)
      return
    }
    if let version = Self.bestProtocolVersion(json) {
      reply(["type": "CONNECTED", "protocolVersion": .int(version)], on: .connection, to: sender)
    }
    if isApp { announceMedia(at: now) }
  }

  private static func kind(_ value: JSONValue?) -> VirtualConnectionTable.Kind? {
    guard let value, !value.isNull else { return .strong }
    return value.int.flatMap(VirtualConnectionTable.Kind.init(rawValue:))
  }

  /// The highest version that both know, of 0 to 3; `nil` when the sender names none.
  private static func bestProtocolVersion(_ json: JSONObject) -> Int? {
    let offered = [json["protocolVersion"]?.int] + (json["protocolVersionList"]?.array ?? []).map(\.int)
    return offered.compactMap { $0 }.filter { (0...3).contains($0) }.max()
  }

  /// Answers with the proof that the credentials give, or says why there is none. What is no challenge gets no answer.
  mutating func answerChallenge(_ message: CastMessage, to sender: Sender) {
    guard
      case .binary(let bytes) = message.payload,
      case .challenge(let challenge) = try? DeviceAuthMessage(decoding: bytes)
    else { return }
    let answer = answer(to: challenge, certificate: connections[sender.index].certificate)
    send(
      CastMessage(
        source: sender.endpoint, destination: sender.id, namespace: .deviceAuth, payload: .binary(answer.encoded())),
      to: sender)
  }

  private func answer(to challenge: DeviceAuthMessage.Challenge, certificate: [UInt8]?) -> DeviceAuthMessage {
    let hash: DeviceAuthHash
    switch (challenge.signatureAlgorithm, challenge.hashAlgorithm) {
    case (.pkcs1v15, .sha1), (.unspecified, .sha1): hash = .sha1
    case (.pkcs1v15, .sha256), (.unspecified, .sha256): hash = .sha256
    default: return .error(.signatureAlgorithmUnavailable)
    }
    guard let credentials = configuration.credentials else { return .error(.internalError) }
    guard let certificate else { return .error(.noTLS) }
    let nonce = challenge.nonce ?? []
    guard let signature = credentials.sign(nonce: nonce, tlsCertificate: certificate, hash: hash) else {
      return .error(.internalError)
    }
    var response = DeviceAuthMessage.Response(signature: signature, deviceCertificate: credentials.certificateDER)
    response.nonce = challenge.nonce
    response.hashAlgorithm = challenge.hashAlgorithm
    return .response(response)
  }
}
