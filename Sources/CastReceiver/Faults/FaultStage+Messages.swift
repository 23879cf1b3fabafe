import CastProtocol

/// What goes out.
extension FaultStage {
  /// How long a message waits for the next one that is to overtake it.
  private static let longestHold = Duration.seconds(1)

  /// Looks at a message before it goes out.
  /// - Returns: What goes out now.
  mutating func sending(_ message: CastMessage, on id: ConnectionID, at now: Duration) -> [Output] {
    if isEmpty { return [.message(message)] }
    if isMute(id) { return [] }
    if message.namespace == .deviceAuth { return authAnswer(message, on: id).map { [.message($0)] } ?? [] }
    guard let json = ReceiverStateMachine.json(message) else {
      return pass(.message(message), to: id, faults(at: .message, now), at: now)
    }
    var faults: [FaultPlan.MessageFault] = []
    if let requestID = json["requestId"]?.int ?? json["launchRequestId"]?.int, requestID > 0 {
      faults += answers[Asked(connection: id, requestID: requestID)] ?? []
    }
    faults += self.faults(at: .message, now)
    if message.namespace == .media, json["type"]?.string == "MEDIA_STATUS" {
      if message.destination == .everyone { faults += stateFaults(message, json, to: id, at: now) }
      faults += self.faults(at: .mediaStatus, now)
    }
    return pass(.message(changed(message, json, at: now)), to: id, faults, at: now)
  }

  /// What a change of the player's state brings for the status that tells it; the same for each of its receivers.
  private mutating func stateFaults(
    _ message: CastMessage, _ json: JSONObject, to id: ConnectionID, at now: Duration
  ) -> [FaultPlan.MessageFault] {
    if var change = stateChange, change.status == message.payload, !change.told.contains(id) {
      change.told.insert(id)
      stateChange = change
      return change.faults
    }
    guard let state = state(of: json), state != lastState else { return [] }
    lastState = state
    let found = faults(at: .state(state), now)
    stateChange = StateChange(status: message.payload, faults: found, told: [id])
    return found
  }

  /// What an event brings for the message at hand; what else it brings waits.
  private mutating func faults(at event: FaultPlan.Event, _ now: Duration) -> [FaultPlan.MessageFault] {
    var found: [FaultPlan.MessageFault] = []
    for (index, fault) in matching.faults(at: event) {
      if case .message(let kind) = fault.action {
        matching.note(index)
        found.append(kind)
      } else {
        begin(fault, index, at: now)
      }
    }
    return found
  }

  private func state(of json: JSONObject) -> FaultPlan.State? {
    switch json["status"]?.array?.first?["playerState"]?.string {
    case "PLAYING": .playing
    case "PAUSED": .paused
    case "BUFFERING": .buffering
    case "IDLE": .idle
    default: nil
    }
  }

  // MARK: one message

  private mutating func pass(
    _ output: Output, to id: ConnectionID, _ faults: [FaultPlan.MessageFault], at now: Duration
  ) -> [Output] {
    var outputs = [output]
    var holdsLast = false
    for fault in faults {
      switch fault {
      case .drop: outputs = []
      case .delay(let time):
        for output in outputs { schedule(.effect(.output(id, output)), at: now + time) }
        outputs = []
      // One copy more for each fault: doubling would let a few of them make millions.
      case .duplicate: if let last = outputs.last { outputs.append(last) }
      case .reorder: holdsLast = true
      case .loseRequestID: outputs = outputs.map(Self.withoutRequestID)
      case .oversizedFrame: outputs = [.bytes([0x7F, 0xFF, 0xFF, 0xFF] + Array(repeating: 0, count: 64))]
      // A field number of 0 is in no message.
      case .malformedFrame: outputs = [.bytes([0, 0, 0, 4, 0x00, 0xFF, 0xFF, 0xFF])]
      case .brokenText: outputs = outputs.map(Self.broken)
      }
    }
    // Last of all, whatever else happens to the message.
    if holdsLast, held[id] == nil, let last = outputs.popLast() {
      held[id] = last
      schedule(.release(id), at: now + Self.longestHold)
      return outputs
    }
    if let late = held[id], !outputs.isEmpty {
      held[id] = nil
      outputs.append(late)
    }
    return outputs
  }

  private static func withoutRequestID(_ output: Output) -> Output {
    guard case .message(let message) = output, var json = ReceiverStateMachine.json(message),
      json["requestId"] != nil
    else { return output }
    json["requestId"] = 0
    return .message(message.with(json))
  }

  private static func broken(_ output: Output) -> Output {
    guard case .message(var message) = output, case .text(let text) = message.payload else { return output }
    message.payload = .text(String(text.prefix(text.count / 2)))
    return .message(message)
  }

  // MARK: what statuses say

  /// The message with what it should not say yet, or no more.
  private mutating func changed(_ message: CastMessage, _ json: JSONObject, at now: Duration) -> CastMessage {
    if message.namespace == .receiver, let from = namespacesFrom, now < from {
      return withoutNamespaces(message, json)
    }
    guard message.namespace == .media, json["type"]?.string == "MEDIA_STATUS",
      let status = json["status"]?.array?.first, let session = status["mediaSessionId"]?.int
    else { return message }
    if message.destination == .everyone {
      if status["media"] != nil, status["playerState"]?.string != "IDLE", firstStatus?.session != session {
        firstStatus = (session, status)
      }
      return message
    }
    guard givesStalePolls, let firstStatus, firstStatus.session == session else { return message }
    var json = json
    json["status"] = [firstStatus.status]
    return message.with(json)
  }

  private func withoutNamespaces(_ message: CastMessage, _ json: JSONObject) -> CastMessage {
    guard var status = json["status"]?.object, let apps = status["applications"]?.array else { return message }
    status["applications"] = .array(
      apps.map { app in
        guard var app = app.object else { return app }
        app["namespaces"] = []
        return .object(app)
      })
    var json = json
    json["status"] = .object(status)
    return message.with(json)
  }

  // MARK: proofs

  /// The answer to a challenge; `nil`: there is none.
  private mutating func authAnswer(_ message: CastMessage, on id: ConnectionID) -> CastMessage? {
    guard let kind = auth.removeValue(forKey: id) else { return message }
    var message = message
    if kind == .error {
      message.payload = .binary(DeviceAuthMessage.error(.internalError).encoded())
      return message
    }
    if kind == .noAnswer { return nil }
    guard case .binary(let bytes) = message.payload,
      case .response(var response)? = try? DeviceAuthMessage(decoding: bytes)
    else { return message }
    switch kind {
    case .wrongSignature: response.signature = response.signature.map { ~$0 }
    case .wrongNonce: response.nonce = Array(repeating: 7, count: 16)
    case .brokenCertificate: response.deviceCertificate = Array(response.deviceCertificate.dropLast(8))
    case .error, .noAnswer: break
    }
    message.payload = .binary(DeviceAuthMessage.response(response).encoded())
    return message
  }
}

extension CastMessage {
  /// The same with another text.
  fileprivate func with(_ json: JSONObject) -> CastMessage {
    CastMessage(source: source, destination: destination, namespace: namespace, json: .object(json))
  }
}
