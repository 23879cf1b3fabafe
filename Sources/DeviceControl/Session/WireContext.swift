package import CastClient
package import CastProtocol
package import RunReporting
import Synchronization

/// Turns messages into `request` and `reply` events of the step that runs.
package final class WireContext: Sendable {
  private struct Place {
    var step: String?
    var attempt = 1
  }
  private let place = Mutex(Place())
  private let emitter: EventEmitter
  private let document: String
  private let device: String

  package init(emitter: EventEmitter, document: String, device: String) {
    self.emitter = emitter
    self.document = document
    self.device = device
  }

  package func enter(step: String?, attempt: Int = 1) { place.withLock { $0 = Place(step: step, attempt: attempt) } }

  /// Heartbeats are left out: they say nothing of the scenario.
  package func record(_ record: WireRecord) {
    switch record.content {
    case .sent(let message): tell(message, as: .request)
    case .received(let message): tell(message, as: .reply)
    case .finished(let request): tell(request)
    }
  }

  private func tell(_ message: CastMessage, as type: EventType) {
    guard message.namespace != .heartbeat else { return }
    let (step, attempt) = place.withLock { ($0.step, $0.attempt) }
    var fields: JSONObject = ["attempt": .int(attempt)]
    var content: JSONValue
    switch message.payload {
    case .text(let text): content = (try? JSONValue(parsing: text)) ?? .string(text)
    case .binary(let bytes): content = ["bytes": .int(bytes.count)]
    }
    if case .object(var object) = content, let id = object["requestId"] {
      if id.int != 0 { fields["id"] = id }
      object["requestId"] = nil
      content = .object(object)
    }
    fields["ns"] = .string(Self.shortName(message.namespace))
    fields["msg"] = content
    emitter.emit(type, document: document, device: device, step: step, fields)
  }

  /// What became of a request: its name, outcome and time.
  private func tell(_ request: RequestRecord) {
    let (step, attempt) = place.withLock { ($0.step, $0.attempt) }
    var fields: JSONObject = [
      "attempt": .int(attempt), "id": .int(request.id), "ns": .string(Self.shortName(request.namespace)),
      "name": .string(request.name), "outcome": .string(request.outcome.name), "duration": .seconds(request.duration),
    ]
    if case .failed(let error) = request.outcome { fields["error"] = .object(StepFailure(error).json) }
    emitter.emit(.requestFinished, document: document, device: device, step: step, fields)
  }

  /// `receiver`, `media`, `connection`; the whole name for an app's own.
  package static func shortName(_ namespace: Namespace) -> String {
    let known: [Namespace] = [.connection, .deviceAuth, .receiver, .media]
    guard known.contains(namespace) else { return namespace.rawValue }
    return namespace.rawValue.split(separator: ".").last.map(String.init) ?? namespace.rawValue
  }
}
