/// Puts a header before a body. Source: docs/protocol.md 1.2.
package struct FrameEncoder: Sendable {
  /// Appends the frame of `body` to `bytes`.
  /// - Throws: ``ProtocolError/frameTooLong(declared:limit:)`` over 65,536 bytes, ``ProtocolError/frameEmpty`` for
  ///   nothing; `bytes` is left as it was then.
  package static func append(_ body: [UInt8], to bytes: inout [UInt8]) throws(ProtocolError) {
    let limit = FrameDecoder.maximumBodyLength
    if body.isEmpty { throw .frameEmpty }
    guard body.count <= limit, let length = UInt32(exactly: body.count) else {
      throw .frameTooLong(declared: body.count, limit: limit)
    }
    bytes.reserveCapacity(bytes.count + FrameDecoder.headerLength + body.count)
    for shift in stride(from: UInt32(24), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: length >> shift))
    }
    bytes.append(contentsOf: body)
  }

  /// The frame of one message.
  /// - Throws: As ``append(_:to:)``.
  package static func frame(_ message: CastMessage) throws(ProtocolError) -> [UInt8] {
    var bytes: [UInt8] = []
    try append(message.encoded(), to: &bytes)
    return bytes
  }
}
