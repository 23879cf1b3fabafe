import FoundationEssentials
import SwiftProtobuf

extension CastMessage {
  /// Reads the body of one frame.
  ///
  /// Fields we do not know are dropped; `protocol_version` and `payload_type`, which some peers leave out, are 0 then. Text
  /// may stand in the field for bytes and bytes in the one for text: some devices mix them up (docs/protocol.md 1.3).
  /// - Throws: ``ProtocolError/malformedMessage(_:)`` when the body is no CastMessage, lacks a required field or a payload,
  ///   or has an empty id or namespace.
  package init(decoding body: [UInt8]) throws(ProtocolError) { self = try Self.decode(body).message }

  /// As ``init(decoding:)``; tells also whether no required field was left out.
  static func decode(_ body: [UInt8]) throws(ProtocolError) -> (message: CastMessage, isWhole: Bool) {
    let wire: WireCastMessage
    do {
      wire = try WireCastMessage(serializedBytes: body, partial: true, options: .network)
    } catch {
      throw .malformedMessage("not a cast message")
    }
    if wire.sourceID.isEmpty { throw .malformedMessage("source id is empty") }
    if wire.destinationID.isEmpty { throw .malformedMessage("destination id is empty") }
    if wire.namespace.isEmpty { throw .malformedMessage("namespace is empty") }
    guard let payload = Payload(wire) else { throw .malformedMessage("no payload") }
    let message = CastMessage(
      source: EndpointID(wire.sourceID), destination: EndpointID(wire.destinationID),
      namespace: Namespace(rawValue: wire.namespace), payload: payload)
    return (message, wire.isInitialized)
  }

  /// The message as the body of a frame. Its size is checked by ``FrameEncoder``.
  package func encoded() -> [UInt8] {
    var wire = WireCastMessage()
    wire.protocolVersion = 0
    wire.sourceID = source.rawValue
    wire.destinationID = destination.rawValue
    wire.namespace = namespace.rawValue
    switch payload {
    case .text(let text):
      wire.payloadType = Payload.textType
      wire.payloadUtf8 = text
    case .binary(let bytes):
      wire.payloadType = Payload.binaryType
      wire.payloadBinary = Data(bytes)
    }
    // Every required field is set, so this fails only past 2 GB; the empty body that results then is refused as a frame.
    return (try? wire.serializedBytes()) ?? []
  }
}

extension CastMessage.Payload {
  /// `STRING` on the wire.
  fileprivate static let textType: Int32 = 0
  /// `BINARY` on the wire.
  fileprivate static let binaryType: Int32 = 1

  /// The payload its type names, else the one in the other field; `nil` when the message has neither.
  fileprivate init?(_ wire: WireCastMessage) {
    guard wire.hasPayloadUtf8 || wire.hasPayloadBinary else { return nil }
    let bytes = Array(wire.payloadBinary)
    switch wire.payloadType {
    case Self.binaryType:
      self = .binary(bytes.isEmpty ? Array(wire.payloadUtf8.utf8) : bytes)
    case _ where !wire.payloadUtf8.isEmpty || bytes.isEmpty:
      self = .text(wire.payloadUtf8)
    default:
      self = String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .binary(bytes)
    }
  }
}

extension BinaryDecodingOptions {
  /// For bytes from a peer: nested no deeper than our messages are, unknown fields not kept. Source:
  /// docs/security.md S3.
  static var network: BinaryDecodingOptions {
    var options = BinaryDecodingOptions()
    options.messageDepthLimit = 10
    options.discardUnknownFields = true
    return options
  }
}
