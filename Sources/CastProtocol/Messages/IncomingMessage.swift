/// A message of a device, decoded once where it enters: everything further in matches its ``Body`` and looks up no words.
package struct IncomingMessage: Hashable, Sendable {
  /// What it says, by its namespace and its type.
  package enum Body: Hashable, Sendable {
    case receiver(ReceiverMessage)
    case media(MediaMessage)
    case multizone(MultizoneMessage)
    case deviceInfo(DeviceInfo)
    case connection(ConnectionRequest)
    case deviceAuth(CastMessage.Payload)
    case heartbeat
    /// On a namespace that only an app knows, or a part of the platform that we do not speak: what it says is in
    /// ``IncomingMessage/content``.
    case other
    /// No JSON object with a type where only that has a meaning: ignored, the socket stays (docs/protocol.md 1.2).
    case unreadable
  }

  package var source: EndpointID
  package var destination: EndpointID
  package var namespace: Namespace
  /// The request it answers; 0 where nobody asked.
  package var requestID: Int
  package var body: Body
  /// All that it says: its JSON, else `text`, or `hex` and the number of `bytes` (docs/protocol.md 1.3); `null` for a
  /// message of device authentication.
  package var content: JSONValue
  /// Whether ``content`` is what came, not what stands for it.
  private var isJSON = false
  /// How long its payload is.
  package var byteCount: Int

  /// What came; `nil` where that is no JSON.
  package var json: JSONValue? { isJSON ? content : nil }

  package init(_ message: CastMessage) {
    source = message.source
    destination = message.destination
    namespace = message.namespace
    byteCount = message.payload.byteCount
    requestID = 0
    content = .null
    if namespace == .deviceAuth {
      body = .deviceAuth(message.payload)
    } else if let json = message.payload.json {
      content = json
      isJSON = true
      body = Body(json, in: namespace)
      requestID = body.requestID ?? json[.requestID]?.lenientInteger ?? 0
    } else {
      content = message.payload.unparsed
      body = Body(unparsedIn: namespace)
    }
  }
}

extension IncomingMessage.Body {
  fileprivate init(_ json: JSONValue, in namespace: Namespace) {
    switch namespace {
    case .media:
      switch MediaMessage(json) {
      case .other(type: nil, _), nil: self = .unreadable
      case let message?: self = .media(message)
      }
    case .receiver:
      switch ReceiverMessage(json) {
      case .other(type: nil, _), nil: self = .unreadable
      case let message?: self = .receiver(message)
      }
    case .multizone: self = MultizoneMessage(json).map { .multizone($0) } ?? .other
    case .deviceDiscovery: self = DeviceInfo(json).map { .deviceInfo($0) } ?? .other
    case .connection: self = ConnectionRequest(json).map { .connection($0) } ?? .unreadable
    case .heartbeat: self = .heartbeat
    default: self = .other
    }
  }

  fileprivate init(unparsedIn namespace: Namespace) {
    switch namespace {
    case .media, .receiver, .connection: self = .unreadable
    case .heartbeat: self = .heartbeat
    default: self = .other
    }
  }

  /// `nil` where the type says nothing of it.
  fileprivate var requestID: Int? {
    switch self {
    case .media(let message): message.requestID
    case .receiver(let message): message.requestID
    case .multizone, .deviceInfo, .connection, .deviceAuth, .heartbeat, .other, .unreadable: nil
    }
  }
}

extension CastMessage.Payload {
  package var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    }
  }

  /// `nil` where it is none.
  fileprivate var json: JSONValue? {
    if case .text(let text) = self { try? JSONValue(parsing: text) } else { nil }
  }

  /// What stands for a payload that is no JSON.
  fileprivate var unparsed: JSONValue {
    switch self {
    case .text(let text): return ["text": .string(text)]
    case .binary(let bytes):
      let digits = Array("0123456789abcdef".utf8)
      let hex = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
      return ["bytes": .int(bytes.count), "hex": .string(String(decoding: hex, as: UTF8.self))]
    }
  }
}
