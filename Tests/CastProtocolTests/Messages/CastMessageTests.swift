import CastProtocol
import Testing

@Suite struct CastMessageTests {
  /// One protobuf field with a length.
  static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] { [number << 3 | 2, UInt8(bytes.count)] + bytes }
  static func field(_ number: UInt8, _ text: String) -> [UInt8] { field(number, Array(text.utf8)) }

  static let ids = field(2, "sender-0") + field(3, "receiver-0") + field(4, "urn:x-cast:test")
  static let version: [UInt8] = [0x08, 0]
  static let isText: [UInt8] = [0x28, 0]
  static let isBinary: [UInt8] = [0x28, 1]

  @Test("A message is written as devices want it: required zeros included")
  func encodes() {
    let message = CastMessage(
      source: "sender-0", destination: "receiver-0", namespace: Namespace(rawValue: "urn:x-cast:test"),
      payload: .text("{}"))
    #expect(message.encoded() == Self.version + Self.ids + Self.isText + Self.field(6, "{}"))
    let binary = CastMessage(
      source: "sender-0", destination: "receiver-0", namespace: Namespace(rawValue: "urn:x-cast:test"),
      payload: .binary([0, 255]))
    #expect(binary.encoded() == Self.version + Self.ids + Self.isBinary + Self.field(7, [0, 255]))
  }

  static let payloads: [CastMessage.Payload] = [
    .text(""), .text("{}"), .text("né😀\0"), .binary([]), .binary([0, 1, 255]),
    .binary(Array(repeating: 7, count: 60_000)),
  ]
  @Test("What is encoded decodes to the same message", arguments: payloads)
  func roundTrip(payload: CastMessage.Payload) throws {
    let message = CastMessage(source: "web-5", destination: .everyone, namespace: .media, payload: payload)
    #expect(try CastMessage(decoding: message.encoded()) == message)
  }

  static let readable: [(body: [UInt8], payload: CastMessage.Payload)] = [
    (version + ids + isText + field(7, "in the other field"), .text("in the other field")),
    (version + ids + isText + field(6, "") + field(7, "in the other field"), .text("in the other field")),
    (version + ids + isText + field(7, [0xFF]), .binary([0xFF])),
    (version + ids + isBinary + field(6, "ab"), .binary([0x61, 0x62])),
    (version + ids + isBinary + field(6, "ab") + field(7, [1]), .binary([1])),
    // A protocol version and a payload type nobody knows yet.
    ([0x08, 99] + ids + [0x28, 7] + field(6, "{}"), .text("{}")),
    // A negative enum takes ten bytes.
    ([0x08] + Array(repeating: 0xFF, count: 9) + [0x01] + ids + isText + field(6, "{}"), .text("{}")),
    // Unknown fields of every wire type: varint 15, 64-bit 14, bytes 13, group 12, 32-bit 11.
    (
      version + ids + isText + field(6, "{}") + [0x78, 1, 0x71, 1, 2, 3, 4, 5, 6, 7, 8] + field(13, "x")
        + [0x63, 0x08, 1, 0x64, 0x5D, 1, 2, 3, 4], .text("{}")
    ),
    // `continued` and `remaining_length`.
    (version + ids + isText + field(6, "{}") + [0x40, 0, 0x48, 0], .text("{}")),
    // Required fields left out where they are 0, as peers of a newer protobuf do.
    (ids + field(6, "{}"), .text("{}")), (version + ids + field(6, "{}"), .text("{}")),
    (ids + isText + field(6, "{}"), .text("{}")), (ids + field(7, [0xFF]), .binary([0xFF])),
    (ids + isBinary + field(7, [1]), .binary([1])),
    // Order of fields is free, and the last of two wins.
    (field(6, "old") + isText + ids + version + field(6, "new"), .text("new")),
  ]
  @Test("A body that real or future peers may send is read", arguments: readable)
  func reads(body: [UInt8], payload: CastMessage.Payload) throws {
    let message = try CastMessage(decoding: body)
    #expect(message.payload == payload)
    #expect(message.source == .sender)
    #expect(message.destination == .receiver)
    #expect(message.namespace.rawValue == "urn:x-cast:test")
  }

  static let unreadable: [[UInt8]] = [
    [], [0], [0xFF], version, ids, version + ids + isText,
    version + field(2, "a") + field(3, "b") + isText + field(6, "{}"),
    version + field(2, "") + field(3, "b") + field(4, "c") + isText + field(6, "{}"),
    version + field(2, "a") + field(3, "") + field(4, "c") + isText + field(6, "{}"),
    version + field(2, "a") + field(3, "b") + field(4, "") + isText + field(6, "{}"),
    // Broken UTF-8 in a string field, a wrong wire type, a field that ends early, an endless varint, an open group.
    version + ids + isText + field(6, [0xC3]), version + ids + isText + [0x30, 1],
    version + ids + isText + [0x32, 200, 1], [0x08] + Array(repeating: 0xFF, count: 20),
    version + ids + isText + [0x63],
    version + ids + isText + field(6, "{}") + Array(repeating: 0x63, count: 60_000),
  ]
  @Test("A body that is no message is refused", arguments: unreadable)
  func refuses(body: [UInt8]) {
    let error = #expect(throws: ProtocolError.self) { try CastMessage(decoding: body) }
    guard case .malformedMessage = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}

/// Ids in tests are written as they stand on the wire.
extension EndpointID: ExpressibleByStringLiteral {
  /// Makes an id of any text.
  public init(stringLiteral value: String) { self.init(value) }
}
