import NIOCore

/// Read buffers that no connection keeps: most are quiet most of the time.
///
/// A channel holds on to the first buffer it is given, which is therefore small; with one read at a time
/// (``readsAtOnce``) it keeps no other.
struct PassingReadBuffers: RecvByteBufferAllocator {
  /// To be set as `maxMessagesPerRead`.
  static let readsAtOnce: UInt = 1
  private static let firstSize = 64
  /// One TLS record.
  private static let size = 16 * 1024

  private var isFirst = true

  func buffer(allocator: ByteBufferAllocator) -> ByteBuffer {
    allocator.buffer(capacity: isFirst ? Self.firstSize : Self.size)
  }

  /// True, or the buffer that is kept would be read into again.
  mutating func record(actualReadBytes: Int) -> Bool {
    isFirst = false
    return true
  }

  func nextBufferSize() -> Int? { nil }
}
