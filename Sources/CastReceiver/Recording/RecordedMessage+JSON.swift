package import CastProtocol

extension RecordedMessage {
  /// The first line of a recording.
  /// - Parameter time: When it began, as people write it.
  package static func heading(begun time: String) -> JSONValue {
    ["recording": .int(Recording.version), "begun": .string(time)]
  }

  /// What a recording keeps of an event of `receiver`, `time` after it began.
  ///
  /// Of a device's proof only that there was one is kept, as it is worth nothing on another connection, and of
  /// `credentials` that they were there.
  package static func line(_ event: ReceiverWireEvent, of receiver: String, at time: Duration) -> JSONValue {
    var json: JSONObject = ["atMs": .int(time.wholeMilliseconds), "receiver": .string(receiver)]
    func happened(_ event: String, _ id: ConnectionID) {
      json["connection"] = .int(id.rawValue)
      json["event"] = .string(event)
    }
    func passed(_ direction: Direction, _ message: CastMessage, _ id: ConnectionID) {
      json["connection"] = .int(id.rawValue)
      json["direction"] = .string(direction.rawValue)
      json["namespace"] = .string(message.namespace.rawValue)
      json["sourceId"] = .string(message.source.rawValue)
      json["destinationId"] = .string(message.destination.rawValue)
      if message.namespace == .deviceAuth { return }
      switch Payload(message.payload) {
      case .json(let payload): json["payload"] = payload.withoutCredentials
      case .text(let text): json["payloadText"] = .string(text)
      case .binary(let bytes): json["payloadHex"] = .string(Hexadecimal.text(of: bytes))
      }
    }
    switch event {
    case .opened(let id): happened("opened", id)
    case .closed(let id): happened("closed", id)
    case .received(let message, let id): passed(.toReceiver, message, id)
    case .sent(let message, let id): passed(.toSender, message, id)
    }
    return .object(json)
  }

  /// Reads a line, or an element of a list; `nil` for what is no message between a sender and a receiver.
  init?(_ json: JSONObject) {
    guard
      let direction = (json["direction"]?.string).flatMap(Direction.init(rawValue:)),
      let namespace = json["namespace"]?.string, namespace.hasPrefix("urn:x-cast:")
    else { return nil }
    let payload: Payload
    if let value = json["payload"], value.object != nil || value.array != nil {
      payload = .json(value)
    } else if let text = json["payloadText"]?.string {
      payload = .text(text)
    } else if let bytes = (json["payloadHex"]?.string).flatMap(Hexadecimal.bytes(of:)) {
      payload = .binary(bytes)
    } else {
      return nil
    }
    self.init(direction, Namespace(rawValue: namespace), payload)
    source = (json["sourceId"]?.string).map { EndpointID($0) }
    destination = (json["destinationId"]?.string).map { EndpointID($0 == "*:*" ? "*" : $0) }
    at = (json["atMs"]?.number).flatMap { $0 >= 0 && $0 < 1e11 ? .milliseconds($0) : nil }
    connection = json["connection"]?.int
    receiver = json["receiver"]?.string
    origin = json["source"]?.string
  }
}

extension JSONValue {
  /// Stands for credentials in a recording.
  private static let credentials: JSONValue = "‹credentials›"

  /// The same without members that stand for credentials.
  var withoutStandIns: JSONValue {
    switch self {
    case .array(let values): return .array(values.map(\.withoutStandIns))
    case .object(var object):
      object.members.removeAll { $0.name == "credentials" && $0.value == Self.credentials }
      for index in object.members.indices { object.members[index].value = object.members[index].value.withoutStandIns }
      return .object(object)
    default: return self
    }
  }

  /// The same with a word in place of `credentials`, which LAUNCH and LOAD have and statuses may repeat.
  var withoutCredentials: JSONValue {
    switch self {
    case .array(let values): return .array(values.map(\.withoutCredentials))
    case .object(var object):
      for index in object.members.indices {
        let member = object.members[index]
        let isSecret = member.name == "credentials" && member.value.string != nil
        object.members[index].value = isSecret ? Self.credentials : member.value.withoutCredentials
      }
      return .object(object)
    default: return self
    }
  }
}

/// Bytes as digits.
enum Hexadecimal {
  static func text(of bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// `nil` for what is none.
  static func bytes(of text: String) -> [UInt8]? {
    let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(UInt8(high * 16 + low))
    }
    return bytes
  }
}

extension Duration {
  fileprivate var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}
