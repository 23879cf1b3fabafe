import CastProtocol
import CastReceiver
import Logging
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// What senders and receivers say to each other, for `receive --wire` and `receive --log`.
struct WireLog: Sendable {
  /// What log lines are labelled with.
  static let component = "receiver"

  private let writer = LineWriter()
  private let printsMessages: Bool
  private let logger = Logger(label: component)

  init(printsMessages: Bool) { self.printsMessages = printsMessages }

  /// What is told of the receiver `name`; `nil` where nobody wants to know.
  func tap(for name: String) -> (@Sendable (ReceiverWireEvent) -> Void)? {
    guard printsMessages || logger.logLevel <= .debug else { return nil }
    return { event in
      let at = Surroundings.process.unixTime()
      writer.add {
        if printsMessages { Terminal.print(Self.json(event, of: name, at: at).serialized()) }
        log(event, of: name)
      }
    }
  }

  func finish() { writer.finish() }

  private func log(_ event: ReceiverWireEvent, of name: String) {
    switch event {
    case .opened(let id): logger.debug("\(name): connection \(id.rawValue) is open")
    case .closed(let id): logger.debug("\(name): connection \(id.rawValue) is closed")
    case .received(let message, let id):
      logger.trace("\(name): received on \(id.rawValue) \(Self.members(message).serialized())")
    case .sent(let message, let id):
      logger.trace("\(name): sent on \(id.rawValue) \(Self.members(message).serialized())")
    }
  }

  private static func json(_ event: ReceiverWireEvent, of name: String, at time: Double) -> JSONValue {
    func line(_ kind: String, _ id: ConnectionID, _ message: CastMessage? = nil) -> JSONValue {
      var json: JSONObject = [
        "type": .string(kind), "at": .string(UTCTime(unixSeconds: time).timeOfDay), "receiver": .string(name),
        "connection": .int(id.rawValue),
      ]
      if let message { json.members += members(message).object?.members ?? [] }
      return .object(json)
    }
    switch event {
    case .opened(let id): return line("opened", id)
    case .closed(let id): return line("closed", id)
    case .received(let message, let id): return line("received", id, message)
    case .sent(let message, let id): return line("sent", id, message)
    }
  }

  private static func members(_ message: CastMessage) -> JSONValue {
    var json: JSONObject = [
      "ns": .string(message.namespace.rawValue), "from": .string(message.source.rawValue),
      "to": .string(message.destination.rawValue),
    ]
    switch message.payload {
    case .text(let text): json["msg"] = (try? JSONValue(parsing: text)) ?? .string(text)
    case .binary(let bytes): json["bytes"] = .int(bytes.count)
    }
    return .object(json)
  }
}
