import CastProtocol
import Logging

/// What one connection writes to the log, by component. Never the content of a message, where secrets may stand.
struct ConnectionLog: Sendable {
  /// The loggers of one process: each takes a quarter of a kilobyte, which no connection has for itself.
  private final class Loggers: Sendable {
    static let shared = Loggers()
    let connection = Logger(label: LogComponent.connection.rawValue)
    let heartbeat = Logger(label: LogComponent.heartbeat.rawValue)
    let message = Logger(label: LogComponent.message.rawValue)
    let request = Logger(label: LogComponent.request.rawValue)
    let session = Logger(label: LogComponent.session.rawValue)
  }

  private var connection: Logger { Loggers.shared.connection }
  private var heartbeat: Logger { Loggers.shared.heartbeat }
  private var message: Logger { Loggers.shared.message }
  private var request: Logger { Loggers.shared.request }
  private var session: Logger { Loggers.shared.session }
  private let tapsHeartbeat: Bool

  private let peer: String
  /// Whom all lines are about; made when there is a line.
  private var facts: Logger.Metadata? { peer.isEmpty ? nil : ["peer": .string(peer)] }

  init(peer: String, tapsHeartbeat: Bool) {
    self.peer = peer
    self.tapsHeartbeat = tapsHeartbeat
  }

  /// Whether messages and requests have to be told for the log.
  var isTracing: Bool { message.logLevel <= .trace || request.logLevel <= .debug || isTracingHeartbeat }
  var tellsForeignChanges: Bool { session.logLevel <= .info }
  var isTracingHeartbeat: Bool { heartbeat.logLevel <= .trace }

  /// Whether the tap asked for this, too.
  func isForTap(_ record: WireRecord) -> Bool { tapsHeartbeat || record.message?.namespace != .heartbeat }

  func write(_ record: WireRecord) {
    switch record.content {
    case .sent(let message): write(message, record.json, "sent", to: message.destination)
    case .received(let message): write(message, record.json, "received", to: message.source)
    case .finished(let record):
      let time = (record.duration.seconds * 1000).rounded() / 1000
      let what = "\(record.name) #\(record.id) \(record.outcome.name) in \(time) s"
      if case .failed(let error) = record.outcome {
        request.debug("\(what): \(error.class.rawValue): \(error.message)", metadata: facts)
      } else {
        request.debug("\(what)", metadata: facts)
      }
    }
  }

  private func write(_ message: CastMessage, _ json: JSONValue?, _ verb: String, to peer: EndpointID) {
    if message.namespace == .heartbeat {
      guard isTracingHeartbeat else { return }
      heartbeat.trace("\(verb) \(Self.type(of: json))", metadata: facts)
    } else if self.message.logLevel <= .trace {
      let size = message.payload.byteCount
      self.message.trace(
        "\(verb) \(Self.type(of: json)) \(peer.rawValue) \(message.namespace.rawValue) \(size) bytes",
        metadata: facts)
    }
  }

  private static func type(of json: JSONValue?) -> String {
    guard let json else { return "bytes" }
    return (json["type"] ?? json["responseType"])?.string ?? "message"
  }

  func write(_ error: ClientError) {
    guard error != ConnectionStateMachine.leaving else { return connection.debug("left", metadata: facts) }
    connection.notice("over: \(error.class.rawValue): \(error.message)", metadata: facts)
  }

  func write(_ acts: [OtherSenderAction]) {
    for act in acts { session.info("others \(act.text)", metadata: facts) }
  }

  func write(droppedRecords: Int) {
    message.warning("\(droppedRecords) messages were not told: who reads them is too slow", metadata: facts)
  }

  func write(_ oddity: ChannelStateMachine.Oddity) {
    switch oddity {
    case .fieldsLeftOut:
      connection.info("the device leaves out required fields that are 0, which is taken as 0", metadata: facts)
    }
  }

  func opened() { connection.debug("open", metadata: facts) }
}

/// What the sender's log lines are labelled with.
package enum LogComponent: String, CaseIterable, Sendable {
  case connection = "client.connection"
  case heartbeat = "client.heartbeat"
  case message = "client.message"
  case reconnect = "client.reconnect"
  case request = "client.request"
  case session = "client.session"
}
