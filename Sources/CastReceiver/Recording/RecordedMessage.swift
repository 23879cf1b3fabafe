package import CastProtocol

/// One message of a recording. Source of the format: docs/reference.md "Recordings".
package struct RecordedMessage: Hashable, Sendable {
  package enum Direction: String, Hashable, Sendable {
    /// From a sender to the receiver.
    case toReceiver = "out"
    /// From the receiver to a sender.
    case toSender = "in"
  }

  package enum Payload: Hashable, Sendable {
    /// An object or a list.
    case json(JSONValue)
    case text(String)
    case binary([UInt8])
  }

  package var direction: Direction
  package var namespace: Namespace
  package var payload: Payload
  /// `nil` where whoever recorded it did not say.
  package var source: EndpointID?
  package var destination: EndpointID?
  /// Since the recording began.
  package var at: Duration?
  /// The socket, by a number; of the recording's own.
  package var connection: Int?
  /// The name of the receiver.
  package var receiver: String?
  /// Where it was published: request ids of two publications have nothing to do with each other.
  package var origin: String?

  package init(_ direction: Direction, _ namespace: Namespace, _ payload: Payload) {
    self.direction = direction
    self.namespace = namespace
    self.payload = payload
  }

  /// The members of a payload that is a JSON object.
  var object: JSONObject? { if case .json(let json) = payload { json.object } else { nil } }
  var type: String? { object?["type"]?.string ?? object?["responseType"]?.string }

  /// The request that a message is or answers; `nil` for 0, which nobody asked.
  var requestID: Int? {
    let id = object?["requestId"]?.int ?? object?["launchRequestId"]?.int
    return id == 0 ? nil : id
  }
}

extension RecordedMessage.Payload {
  /// What a message carries, JSON where it is an object or a list.
  package init(_ payload: CastMessage.Payload) {
    switch payload {
    case .binary(let bytes): self = .binary(bytes)
    case .text(let text):
      switch try? JSONValue(parsing: text) {
      case .some(let json) where json.object != nil || json.array != nil: self = .json(json)
      default: self = .text(text)
      }
    }
  }

  /// What is sent for it.
  var sent: CastMessage.Payload {
    switch self {
    case .json(let json): .text(json.serialized())
    case .text(let text): .text(text)
    case .binary(let bytes): .binary(bytes)
    }
  }
}
