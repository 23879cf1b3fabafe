/// The protobuf form of a message, by hand for its nine fields: every byte of every device comes through here. Source:
/// docs/protocol.md 1.3.
extension CastMessage {
  private enum Field {
    static let version = 1
    static let source = 2
    static let destination = 3
    static let namespace = 4
    static let payloadType = 5
    static let text = 6
    static let binary = 7
  }

  /// Reads the body of one frame.
  ///
  /// Fields we do not know are dropped; `protocol_version` and `payload_type`, which some peers leave out, are 0 then. Text
  /// may stand in the field for bytes and bytes in the one for text: some devices mix them up (docs/protocol.md 1.3).
  /// - Throws: ``ProtocolError/malformedMessage(_:)`` when the body is no CastMessage, lacks a required field or a payload,
  ///   or has an empty id or namespace.
  package init(decoding body: [UInt8]) throws(ProtocolError) { self = try Self.decode(body).message }

  /// As ``init(decoding:)``; tells also whether no required field was left out.
  static func decode(_ body: [UInt8]) throws(ProtocolError) -> (message: CastMessage, isWhole: Bool) {
    let result = body.withUnsafeBufferPointer { bytes in
      Result { () throws(ProtocolError) in try decode(bytes) }
    }
    return try result.get()
  }

  private static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(ProtocolError) -> (message: CastMessage, isWhole: Bool) {
    var reader = ProtobufReader(bytes)
    var (source, destination, namespace) = ("", "", Namespace(rawValue: ""))
    var payloadType: Int32?
    var text: String?
    var binary: UnsafeBufferPointer<UInt8>?
    var hasVersion = false
    while let tag = try reader.nextTag() {
      switch (tag.field, tag.format) {
      case (Field.version, .varint):
        _ = try reader.varint()
        hasVersion = true
      case (Field.source, .bytes): source = try reader.string()
      case (Field.destination, .bytes): destination = try reader.string()
      case (Field.namespace, .bytes):
        let name = try reader.bytes()
        if let known = Namespace.known(name) {
          namespace = known
        } else {
          namespace = Namespace(rawValue: try ProtobufReader.string(name))
        }
      case (Field.payloadType, .varint): payloadType = Int32(truncatingIfNeeded: try reader.varint())
      case (Field.text, .bytes): text = try reader.string()
      case (Field.binary, .bytes): binary = try reader.bytes()
      default: try reader.skip(tag)
      }
    }
    if source.isEmpty { throw .malformedMessage("source id is empty") }
    if destination.isEmpty { throw .malformedMessage("destination id is empty") }
    if namespace.rawValue.isEmpty { throw .malformedMessage("namespace is empty") }
    guard let payload = Payload(type: payloadType ?? 0, text: text, binary: binary) else {
      throw .malformedMessage("no payload")
    }
    let message = CastMessage(
      source: EndpointID(source), destination: EndpointID(destination), namespace: namespace, payload: payload)
    return (message, hasVersion && payloadType != nil)
  }

  /// The message as the body of a frame. Its size is checked by ``FrameEncoder``.
  package func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(encodedLength)
    append(to: &bytes)
    return bytes
  }

  /// How long ``encoded()`` is.
  var encodedLength: Int {
    4 + ProtobufWriter.length(of: source.rawValue.utf8.count)
      + ProtobufWriter.length(of: destination.rawValue.utf8.count)
      + ProtobufWriter.length(of: namespace.rawValue.utf8.count) + ProtobufWriter.length(of: payload.byteCount)
  }

  /// Appends ``encoded()``: required zeros included, which devices want.
  func append(to bytes: inout [UInt8]) {
    ProtobufWriter.append(Field.version, 0, to: &bytes)
    ProtobufWriter.append(Field.source, source.rawValue.utf8, to: &bytes)
    ProtobufWriter.append(Field.destination, destination.rawValue.utf8, to: &bytes)
    ProtobufWriter.append(Field.namespace, namespace.rawValue.utf8, to: &bytes)
    switch payload {
    case .text(let text):
      ProtobufWriter.append(Field.payloadType, UInt8(Payload.textType), to: &bytes)
      ProtobufWriter.append(Field.text, text.utf8, to: &bytes)
    case .binary(let content):
      ProtobufWriter.append(Field.payloadType, UInt8(Payload.binaryType), to: &bytes)
      ProtobufWriter.append(Field.binary, content, to: &bytes)
    }
  }
}

extension CastMessage.Payload {
  /// `STRING` on the wire.
  fileprivate static let textType: Int32 = 0
  /// `BINARY` on the wire.
  fileprivate static let binaryType: Int32 = 1

  /// The payload its type names, else the one in the other field; `nil` when the message has neither.
  fileprivate init?(type: Int32, text: String?, binary: UnsafeBufferPointer<UInt8>?) {
    if text == nil, binary == nil { return nil }
    let bytes = binary.flatMap { $0.isEmpty ? nil : $0 }
    let text = text ?? ""
    switch type {
    case Self.binaryType: self = .binary(bytes.map { Array($0) } ?? Array(text.utf8))
    case _ where !text.isEmpty: self = .text(text)
    default:
      guard let bytes else {
        self = .text("")
        return
      }
      self = String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .binary(Array(bytes))
    }
  }
}

extension Namespace {
  private static let namesInUse: [(name: [UInt8], namespace: Namespace)] = [
    Namespace.media, .receiver, .connection, .heartbeat, .multizone, .deviceAuth, .deviceDiscovery,
  ].map { (Array($0.rawValue.utf8), $0) }

  /// One of the platform's, whose name need not be made anew; `nil` for any other.
  fileprivate static func known(_ bytes: UnsafeBufferPointer<UInt8>) -> Namespace? {
    for (name, namespace) in namesInUse where name.count == bytes.count && name.elementsEqual(bytes) {
      return namespace
    }
    return nil
  }
}
