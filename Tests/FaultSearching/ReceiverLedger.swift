package import CastProtocol
package import CastReceiver

/// What the virtual receiver of one device says that happened: the messages that it received and sent.
package struct ReceiverLedger: Sendable {
  /// What one status told, in the fields of conditions (docs/language/conditions.md "Status fields").
  package struct Told: Sendable {
    /// Seconds of the simulation.
    package var time: Double
    package var connection: ConnectionID
    package var fields: [String: JSONValue]

    package init(time: Double, connection: ConnectionID, fields: [String: JSONValue]) {
      self.time = time
      self.connection = connection
      self.fields = fields
    }
  }

  /// A request that came, or an answer that went out.
  package struct Message: Sendable {
    package var time: Double
    package var requestID: Int
    package var type: String

    package init(time: Double, requestID: Int, type: String) {
      self.time = time
      self.requestID = requestID
      self.type = type
    }
  }

  package var told: [Told] = []
  package var received: [Message] = []
  package var sent: [Message] = []
  /// When connections ended, in seconds of the simulation.
  package var ends: [ConnectionID: Double] = [:]

  package init() {}

  package mutating func add(_ event: ReceiverWireEvent, at time: Double) {
    switch event {
    case .opened: return
    case .closed(let connection): ends[connection] = time
    case .received(let message, on: _):
      guard let json = message.json, let type = json["type"]?.string, let id = json["requestId"]?.int else { return }
      received.append(.init(time: time, requestID: id, type: type))
    case .sent(let message, on: let connection):
      guard let json = message.json, let type = json["type"]?.string else { return }
      if let id = json["requestId"]?.int { sent.append(.init(time: time, requestID: id, type: type)) }
      let fields = Self.fields(json, type)
      if !fields.isEmpty { told.append(.init(time: time, connection: connection, fields: fields)) }
    }
  }

  private static func fields(_ json: JSONObject, _ type: String) -> [String: JSONValue] {
    var fields: [String: JSONValue] = [:]
    switch type {
    case "MEDIA_STATUS":
      guard let status = json["status"]?.array?.first else { return [:] }
      let state = status["playerState"]?.string?.lowercased()
      fields["player"] = state.map { .string($0) }
      fields["content"] = status["media"]?["contentId"]
      fields["title"] = status["media"]?["metadata"]?["title"]
      fields["media_session"] = status["mediaSessionId"]
      fields["idle_reason"] = status["idleReason"]?.string.map { .string($0.lowercased()) }
      // Told with each status of content that has breaks: without, no break plays.
      fields["break.id"] = status["breakStatus"]?["breakId"] ?? .null
      fields["break.clip"] = status["breakStatus"]?["breakClipId"] ?? .null
    case "RECEIVER_STATUS":
      guard let status = json["status"] else { return [:] }
      fields["app.id"] = status["applications"]?.array?.first?["appId"] ?? .null
      fields["volume.muted"] = status["volume"]?["muted"]
    default: break
    }
    return fields
  }
}

extension CastMessage {
  fileprivate var json: JSONObject? {
    guard case .text(let text) = payload else { return nil }
    return try? JSONValue(parsing: text).object
  }
}
