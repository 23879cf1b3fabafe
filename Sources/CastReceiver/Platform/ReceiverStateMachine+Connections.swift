import CastProtocol
import CastTransport

/// Virtual connections and device authentication. Source: docs/protocol.md 2.2, 2.3 and 2.5.
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
    let isApp =
      sender.endpoint == application?.transportID || replay?.hasApp(at: sender.endpoint) == true
    guard
      isApp || sender.endpoint == .receiver,
      let kind = Self.kind(json["connType"]),
      sender.id.rawValue.utf8.count <= ReceiverLimits.endpointIDLength,
      connections[sender.index].virtualConnections.connect(
        sender.id, to: sender.endpoint, kind: kind, userAgent: isApp ? Self.userAgent(json) : nil)
    else {
      reply(["type": "CLOSE"], on: .connection, to: sender)
      return
    }
    if let version = Self.bestProtocolVersion(json) {
      reply(["type": "CONNECTED", "protocolVersion": .int(version)], on: .connection, to: sender)
    }
    if isApp { announceMedia(at: now) }
    replay?.connected(sender, at: now)
    playReplay(at: now)
  }

  private static func kind(_ value: JSONValue?) -> VirtualConnectionTable.Kind? {
    guard let value, !value.isNull else { return .strong }
    return value.whole.flatMap(VirtualConnectionTable.Kind.init(rawValue:))
  }

  /// What the sender calls itself; real ones are short.
  private static func userAgent(_ json: JSONObject) -> String? {
    (json["userAgent"]?.string).map { String($0.prefix(ReceiverLimits.endpointIDLength)) }
  }

  /// The highest version that both know, of 0 to 3; `nil` when the sender names none.
  private static func bestProtocolVersion(_ json: JSONObject) -> Int? {
    let offered = [json["protocolVersion"]?.whole] + (json["protocolVersionList"]?.array ?? []).map(\.whole)
    return offered.compactMap { $0 }.filter { (0...3).contains($0) }.max()
  }

  /// Answers with the proof that the credentials give, or says why there is none. What is no challenge gets no answer.
  mutating func answerChallenge(_ message: CastMessage, to sender: Sender) {
    guard
      case .binary(let bytes) = message.payload,
      case .challenge(let challenge) = try? DeviceAuthMessage(decoding: bytes)
    else { return }
    let answer: DeviceAuthMessage
    do throws(DeviceAuthRefusal) {
      let request = try proofRequest(challenge, from: sender)
      // One at a time: signing costs more than asking.
      if connections[sender.index].awaitsProof { return }
      connections[sender.index].awaitsProof = true
      prove(request)
      return
    } catch {
      answer = .error(error.code)
    }
    sendAuth(answer, to: sender)
  }

  /// Sends the proof that was asked for; without one, says that there is none.
  mutating func answer(_ request: ProofRequest, by proof: DeviceCredentials.Proof?) {
    guard let index = connections.firstIndex(where: { $0.id == request.connection }) else { return }
    connections[index].awaitsProof = false
    let sender = Sender(connection: request.connection, index: index, id: request.sender, endpoint: request.endpoint)
    guard let proof else {
      sendAuth(.error(.internalError), to: sender)
      return
    }
    var response = DeviceAuthMessage.Response(
      signature: proof.signature, deviceCertificate: proof.certificateDER)
    response.nonce = request.nonce
    response.hashAlgorithm = request.hash == .sha1 ? .sha1 : .sha256
    sendAuth(.response(response), to: sender)
  }

  private mutating func sendAuth(_ message: DeviceAuthMessage, to sender: Sender) {
    send(
      CastMessage(
        source: sender.endpoint, destination: sender.id, namespace: .deviceAuth, payload: .binary(message.encoded())),
      to: sender)
  }

  /// Why there is no proof, in the words of the answer.
  private struct DeviceAuthRefusal: Error {
    var code: DeviceAuthMessage.Failure
  }

  private func proofRequest(
    _ challenge: DeviceAuthMessage.Challenge, from sender: Sender
  ) throws(DeviceAuthRefusal) -> ProofRequest {
    let hash: DeviceAuthHash
    switch (challenge.signatureAlgorithm, challenge.hashAlgorithm) {
    case (.pkcs1v15, .sha1), (.unspecified, .sha1): hash = .sha1
    case (.pkcs1v15, .sha256), (.unspecified, .sha256): hash = .sha256
    default: throw DeviceAuthRefusal(code: .signatureAlgorithmUnavailable)
    }
    guard configuration.credentials != nil, challenge.nonce?.count ?? 0 <= DeviceAuthSigner.nonceLimit else {
      throw DeviceAuthRefusal(code: .internalError)
    }
    guard let certificate = connections[sender.index].certificate else { throw DeviceAuthRefusal(code: .noTLS) }
    return ProofRequest(
      connection: sender.connection, sender: sender.id, endpoint: sender.endpoint, nonce: challenge.nonce, hash: hash,
      certificate: certificate)
  }
}
