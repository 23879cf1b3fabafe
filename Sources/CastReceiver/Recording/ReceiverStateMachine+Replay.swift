package import CastProtocol

/// A receiver that answers from a recording. Connections and proofs are its own; all else is the recording's.
extension ReceiverStateMachine {
  /// A request that the recording does not know.
  package struct UnknownRequest: Hashable, Sendable {
    /// The type of the request, with its app or content.
    package let request: String
    package let namespace: Namespace
    /// The type of our answer; `nil`: there is none.
    package let answer: String?
  }

  /// - Returns: False where the rules are to answer: without a recording, and where it does not say who the device is.
  mutating func replayMessage(_ message: CastMessage, from sender: Sender, at now: Duration) -> Bool {
    guard let outcome = replay?.receive(message.payload, on: message.namespace, from: sender, at: now) else {
      return false
    }
    if outcome == .unknown {
      if message.destination == .receiver, message.namespace.isOfPlatform, message.namespace != .receiver {
        return false
      }
      answerUnknown(message, from: sender)
    }
    playReplay(at: now)
    return true
  }

  /// Sends what is due.
  mutating func playReplay(at now: Duration) {
    for delivery in replay?.due(at: now) ?? [] {
      switch delivery {
      case .reply(let payload, let namespace, let sender):
        send(
          CastMessage(source: sender.endpoint, destination: sender.id, namespace: namespace, payload: payload),
          to: sender)
      case .everyone(let payload, let namespace, let source): broadcast(payload, on: namespace, from: source)
      case .close(let endpoint): closeAll(to: endpoint)
      }
    }
  }

  /// Answers as devices do where they do not know something (docs/protocol.md 3.5, 5).
  private mutating func answerUnknown(_ message: CastMessage, from sender: Sender) {
    let request = Self.json(message) ?? [:]
    let type = request["type"]?.string ?? "a message"
    var answer: JSONObject?
    var detail: String?
    switch (message.namespace, type) {
    case (.receiver, "GET_APP_AVAILABILITY"):
      var availability = JSONObject()
      for id in (request["appId"]?.array ?? []).prefix(ReceiverLimits.appIDsPerRequest).compactMap(\.string) {
        availability[id] = replay?.launchedApps.contains(id) == true ? "APP_AVAILABLE" : "APP_UNAVAILABLE"
      }
      answer = ["responseType": "GET_APP_AVAILABILITY", "availability": .object(availability)]
    case (.receiver, "LAUNCH"):
      detail = request["appId"]?.string
      answer = ["type": "LAUNCH_ERROR", "reason": "NOT_FOUND"]
    case (.media, "LOAD"):
      detail = request["media"]?["contentUrl"]?.string ?? request["media"]?["contentId"]?.string
      answer = ["type": "LOAD_FAILED"]
    case (.media, "QUEUE_LOAD"): answer = ["type": "LOAD_FAILED"]
    case (.media, _), (.receiver, _): answer = ["type": "INVALID_REQUEST", "reason": "INVALID_COMMAND"]
    default: break
    }
    if var answer, let id = Self.requestID(request) {
      answer["requestId"] = .int(id)
      reply(.object(answer), on: message.namespace, to: sender)
    }
    // Every sender asks that first, and gets an answer that is right.
    if type == "GET_APP_AVAILABILITY" { return }
    let name = [type, detail].compactMap { $0 }.joined(separator: " ")
    report(
      UnknownRequest(
        request: String(name.prefix(200)), namespace: message.namespace,
        answer: answer?["type"]?.string))
  }
}
