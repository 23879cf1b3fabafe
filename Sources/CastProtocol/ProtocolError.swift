/// What a peer can do wrong on the wire.
package enum ProtocolError: Error, Hashable, Sendable {
  /// A header announced a body over the limit (65,536 bytes unless set).
  case frameTooLong(declared: Int, limit: Int)
  /// A header announced an empty body.
  case frameEmpty
  /// A body is no valid CastMessage.
  case malformedMessage(String)
  /// A payload is not JSON, or breaks a limit; the offset counts bytes.
  case malformedJSON(String, offset: Int)
}
