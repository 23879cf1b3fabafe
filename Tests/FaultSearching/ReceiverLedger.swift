package import CastProtocol
package import CastReceiver

/// What the virtual receiver of one device says that happened: the messages that it received and sent.
package struct ReceiverLedger: Sendable {
  /// What one status told.
  package struct Told: Sendable {
    /// Seconds of the simulation.
    package var time: Double
    package var connection: ConnectionID
    package var fields: [LedgerField: JSONValue]
    /// The session of the app that runs; `nil` where the status is none of the platform, or nothing runs.
    package var appSession: String?

    package init(time: Double, connection: ConnectionID, fields: [LedgerField: JSONValue], appSession: String? = nil) {
      self.time = time
      self.connection = connection
      self.fields = fields
      self.appSession = appSession
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
      let (fields, appSession) = Self.told(json, type)
      if !fields.isEmpty {
        told.append(.init(time: time, connection: connection, fields: fields, appSession: appSession))
      }
    }
  }

  /// What statuses told and when connections ended, a line each, in the order of time.
  package var lines: [String] {
    let statuses = told.map { told in
      let fields = told.fields.sorted { $0.key.rawValue < $1.key.rawValue }.map {
        "\($0.key.rawValue)=\($0.value.serialized())"
      }
      return (time: told.time, text: "told \(told.connection.rawValue): \(fields.joined(separator: " "))")
    }
    let ends = ends.map { (time: $0.value, text: "lost \($0.key.rawValue)") }
    return (statuses + ends).sorted { $0.time < $1.time }.map { "at \($0.time) s \($0.text)" }
  }

  private static func told(_ json: JSONObject, _ type: String) -> ([LedgerField: JSONValue], appSession: String?) {
    var fields: [LedgerField: JSONValue] = [:]
    switch type {
    case "MEDIA_STATUS":
      guard let status = json["status"]?.array?.first else { return ([:], nil) }
      for field in LedgerField.allCases { fields[field] = field.value(inMedia: status) }
      return (fields, nil)
    case "RECEIVER_STATUS":
      guard let status = json["status"] else { return ([:], nil) }
      for field in LedgerField.allCases { fields[field] = field.value(inReceiver: status) }
      return (fields, status["applications"]?.array?.first?["sessionId"]?.string)
    default: return ([:], nil)
    }
  }
}

extension CastMessage {
  fileprivate var json: JSONObject? {
    guard case .text(let text) = payload else { return nil }
    return try? JSONValue(parsing: text).object
  }
}
