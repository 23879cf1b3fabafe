package import CastClient
package import CastProtocol
package import RunReporting
import Synchronization

/// Turns messages into events: each as it passes, or the last ones when something failed.
package final class WireContext: Sendable {
  private struct Place {
    var step: String?
    var attempt = 1
  }
  private let place = Mutex(Place())
  private let ring = Mutex(MessageRing())
  private let emitter: EventEmitter
  private let document: String
  private let device: String

  package init(emitter: EventEmitter, document: String, device: String) {
    self.emitter = emitter
    self.document = document
    self.device = device
  }

  package func enter(step: String?, attempt: Int = 1) { place.withLock { $0 = Place(step: step, attempt: attempt) } }

  /// Keeps a message for ``tellLast(step:)``.
  package func keep(_ record: WireRecord) {
    switch record.content {
    case .sent(let message): ring.withLock { $0.add(message, isSent: true, at: record.at) }
    case .received(let message): ring.withLock { $0.add(message, isSent: false, at: record.at) }
    case .finished: break
    }
  }

  /// Tells of the messages that were kept since this was called last, as something has just failed.
  /// - Parameter step: `nil` where no step failed, but a rule of `watch` or connecting.
  package func tellLast(step: String?) {
    let (entries, passedOver) = ring.withLock { $0.take() }
    if entries.isEmpty { return }
    var event = EventKind.LastMessages()
    event.passedOver = passedOver
    event.messages = entries.map { entry in
      let told = EventKind.WireMessage(entry.message, WireRecord(.sent(entry.message), at: entry.time).json)
      return EventKind.KeptMessage(told, elapsed: emitter.elapsed(at: entry.time), isSent: entry.isSent)
    }
    emitter.emit(.messages(event), document: document, device: device, step: step)
  }

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
    var event = EventKind.WireMessage(message, json)
    event.attempt = attempt
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

extension EventKind.WireMessage {
  /// - Parameter json: What the message says, where that is JSON.
  fileprivate init(_ message: CastMessage, _ json: JSONValue?) {
    self.init()
    namespace = WireContext.shortName(message.namespace)
    switch message.payload {
    case .text(let text): self.message = json ?? .string(text)
    case .binary(let bytes): self.message = ["bytes": .int(bytes.count)]
    }
    if case .object(var object) = self.message, let id = object["requestId"] {
      if id.int != 0 { self.id = id }
      object["requestId"] = nil
      self.message = .object(object)
    }
    (source, destination) = (message.source.rawValue, message.destination.rawValue)
  }
}
