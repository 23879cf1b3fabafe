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
  package var payload: MessageContent
  /// Whether ``payload`` is what came, not what stands for it.
  private var isJSON = false
  /// How long its payload is.
  package var byteCount: Int

  /// ``payload``, read.
  package var content: JSONValue { payload.json }

  /// What came, where it is JSON that was made a tree of.
  package var knownJSON: JSONValue? { isJSON ? payload.knownJSON : nil }

  package init(_ message: CastMessage) {
    source = message.source
    destination = message.destination
    namespace = message.namespace
    byteCount = message.payload.byteCount
    requestID = 0
    payload = .json(.null)
    if namespace == .deviceAuth {
      body = .deviceAuth(message.payload)
    } else if case .text(let text) = message.payload, let status = Body(statusIn: text, in: namespace) {
      payload = .text(text)
      isJSON = true
      body = status
      requestID = body.requestID ?? 0
    } else if let json = message.payload.json {
      payload = .json(json)
      isJSON = true
      body = Body(json, in: namespace)
      requestID = body.requestID ?? json[.requestID]?.lenientInteger ?? 0
    } else {
      payload = .json(message.payload.unparsed)
      body = Body(unparsedIn: namespace)
    }
  }
}

extension IncomingMessage.Body {
  /// Reads a status, as most messages are, without making a tree of its text; `nil` for any other message.
  fileprivate init?(statusIn text: String, in namespace: Namespace) {
    switch namespace {
    case .media:
      guard let message = MediaMessage(statusIn: text) else { return nil }
      self = .media(message)
    case .receiver:
      guard let message = ReceiverMessage(statusIn: text) else { return nil }
      self = .receiver(message)
    default: return nil
    }
  }

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
