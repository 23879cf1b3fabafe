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
    case .sent(let message): emit(message, record.json, as: EventKind.request)
    case .received(let message): emit(message, record.json, as: EventKind.reply)
    case .finished(let request): emit(request)
    }
  }

  private func emit(_ message: CastMessage, _ json: JSONValue?, as kind: (EventKind.WireMessage) -> EventKind) {
    guard message.namespace != .heartbeat else { return }
    let (step, attempt) = place.withLock { ($0.step, $0.attempt) }
    var event = EventKind.WireMessage()
    event.attempt = attempt
    event.namespace = Self.shortName(message.namespace)
    switch message.payload {
    case .text(let text): event.message = json ?? .string(text)
    case .binary(let bytes): event.message = ["bytes": .int(bytes.count)]
    }
    if case .object(var object) = event.message, let id = object["requestId"] {
      if id.int != 0 { event.id = id }
      object["requestId"] = nil
      event.message = .object(object)
    }
    (event.source, event.destination) = (message.source.rawValue, message.destination.rawValue)
    emitter.emit(kind(event), document: document, device: device, step: step)
  }

  /// How a request ended: its name, outcome and time.
  private func emit(_ request: RequestRecord) {
    let (step, attempt) = place.withLock { ($0.step, $0.attempt) }
    var event = EventKind.RequestFinished()
    event.attempt = attempt
    event.id = request.id
    event.namespace = Self.shortName(request.namespace)
    event.name = request.name
    event.duration = request.duration.seconds
    switch request.outcome {
    case .completed: event.outcome = .completed
    case .aborted: event.outcome = .aborted
    case .replaced: event.outcome = .replaced
    case .failed(let error):
      event.outcome = .failed
      event.error = EventKind.Failure(StepFailure(error))
    }
    emitter.emit(.requestFinished(event), document: document, device: device, step: step)
  }

  /// `receiver`, `media`, `connection`; the whole name for an app's own.
  package static func shortName(_ namespace: Namespace) -> String {
    let known: [Namespace] = [.connection, .deviceAuth, .receiver, .media]
    guard known.contains(namespace) else { return namespace.rawValue }
    return namespace.rawValue.split(separator: ".").last.map(String.init) ?? namespace.rawValue
  }
}
