/// Puts a header before a body. Source: docs/protocol.md 1.2.
package struct FrameEncoder: Sendable {
  /// Appends the frame of `body` to `bytes`.
  /// - Throws: ``ProtocolError/frameTooLong(declared:limit:)`` over 65,536 bytes, ``ProtocolError/frameEmpty`` for
  ///   nothing; `bytes` is left as it was then.
  package static func append(_ body: [UInt8], to bytes: inout [UInt8]) throws(ProtocolError) {
    try appendHeader(of: body.count, to: &bytes)
    bytes.append(contentsOf: body)
  }

  /// Appends the frame of one message.
  /// - Throws: As ``append(_:to:)-([UInt8],_)``.
  package static func append(_ message: CastMessage, to bytes: inout [UInt8]) throws(ProtocolError) {
    try appendHeader(of: message.encodedLength, to: &bytes)
    message.append(to: &bytes)
  }

  /// The frame of one message.
  /// - Throws: ``ProtocolError/frameTooLong(declared:limit:)`` over 65,536 bytes.
  package static func frame(_ message: CastMessage) throws(ProtocolError) -> [UInt8] {
    var bytes: [UInt8] = []
    try append(message, to: &bytes)
    return bytes
  }

  private static func appendHeader(of count: Int, to bytes: inout [UInt8]) throws(ProtocolError) {
    let limit = FrameDecoder.maximumBodyLength
    if count == 0 { throw .frameEmpty }
    guard count <= limit, let length = UInt32(exactly: count) else {
      throw .frameTooLong(declared: count, limit: limit)
    }
    bytes.reserveCapacity(bytes.count + FrameDecoder.headerLength + count)
    for shift in stride(from: UInt32(24), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: length >> shift))
    }
  }
}
