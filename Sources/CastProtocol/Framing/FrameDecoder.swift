/// Cuts a stream of bytes into the bodies of its frames. Source: docs/protocol.md 1.2.
///
/// A frame is a 4-byte big-endian body length, then the body. What was announced is never allocated before it arrives.
package struct FrameDecoder: Sendable {
  /// The longest body allowed, exactly 64 KiB.
  package static let maximumBodyLength = 65_536
  static let headerLength = 4

  private let limit: Int
  private var buffer: [UInt8] = []
  /// Where the first frame not yet returned begins in `buffer`.
  private var head = 0

  package init(maximumBodyLength: Int = FrameDecoder.maximumBodyLength) { limit = maximumBodyLength }

  /// Adds received bytes, which need not align with frames; call ``next()`` until it returns `nil`.
  package mutating func append(_ bytes: some Collection<UInt8>) {
    if buffer.isEmpty, let whole = bytes as? [UInt8] {
      buffer = whole
    } else {
      buffer.append(contentsOf: bytes)
    }
  }

  /// The body of the next complete frame, at most ``maximumBodyLength`` bytes; `nil` until more bytes come.
  /// - Throws: ``ProtocolError/frameTooLong(declared:limit:)`` or ``ProtocolError/frameEmpty`` as soon as a header is
  ///   read, before its body arrives. The stream cannot be resynchronised: close the channel.
  package mutating func next() throws(ProtocolError) -> [UInt8]? {
    let unread = buffer.count - head
    if unread < Self.headerLength {
      discardReadBytes()
      return nil
    }
    var declared = 0
    for byte in buffer[head..<head + Self.headerLength] { declared = declared << 8 | Int(byte) }
    if declared == 0 { throw .frameEmpty }
    if declared > limit { throw .frameTooLong(declared: declared, limit: limit) }
    if unread < Self.headerLength + declared {
      discardReadBytes()
      return nil
    }
    let start = head + Self.headerLength
    head = start + declared
    return Array(buffer[start..<head])
  }

  /// Whether some but not all bytes of a frame have come.
  package var hasUnfinishedFrame: Bool { head < buffer.count }

  /// Moves the unread bytes to the front; they are less than one frame, and each byte is moved only after a frame.
  private mutating func discardReadBytes() {
    if head == 0 { return }
    if head == buffer.count {
      // Most connections are quiet most of the time: none keeps room for what it once carried.
      buffer = []
    } else {
      buffer.removeSubrange(0..<head)
    }
    head = 0
  }
}
