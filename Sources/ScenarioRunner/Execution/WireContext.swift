import CastClient
import CastProtocol
import Synchronization

/// Turns messages into `request` and `reply` events of the step that runs.
final class WireContext: Sendable {
  private struct Place {
    var step: String?
    var attempt = 1
  }
  private let place = Mutex(Place())
  private let emitter: EventEmitter
  private let document: String
  private let device: String

  init(emitter: EventEmitter, document: String, device: String) {
    self.emitter = emitter
    self.document = document
    self.device = device
  }

  func enter(step: String?, attempt: Int = 1) { place.withLock { $0 = Place(step: step, attempt: attempt) } }

  /// Heartbeats are left out: they say nothing of the scenario.
  func record(_ record: WireRecord) {
    guard record.message.namespace != .heartbeat else { return }
    let (step, attempt) = place.withLock { ($0.step, $0.attempt) }
    var fields: JSONObject = ["attempt": .int(attempt)]
    var message: JSONValue
    switch record.message.payload {
    case .text(let text): message = (try? JSONValue(parsing: text)) ?? .string(text)
    case .binary(let bytes): message = ["bytes": .int(bytes.count)]
    }
    if case .object(var object) = message, let id = object["requestId"] {
      if id.int != 0 { fields["id"] = id }
      object["requestId"] = nil
      message = .object(object)
    }
    fields["ns"] = .string(Self.shortName(record.message.namespace))
    fields["msg"] = message
    let type: EventType = record.direction == .sent ? .request : .reply
    emitter.emit(type, document: document, device: device, step: step, fields)
  }

  /// `receiver`, `media`, `connection`; the whole name for an app's own.
  static func shortName(_ namespace: Namespace) -> String {
    let known: [Namespace] = [.connection, .deviceAuth, .receiver, .media]
    guard known.contains(namespace) else { return namespace.rawValue }
    return namespace.rawValue.split(separator: ".").last.map(String.init) ?? namespace.rawValue
  }
}
