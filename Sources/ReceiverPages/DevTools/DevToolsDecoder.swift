/// Cuts what a browser writes on its debugging pipe into messages, which end with a zero byte.
struct DevToolsDecoder: Sendable {
  /// A picture of a page is a few MiB.
  static let lengthLimit = 32 << 20

  /// A message that is longer than any honest one.
  struct TooLong: Error {}

  private var rest: [UInt8] = []

  /// - Throws: Where a message is too long; nothing of the stream can be trusted then.
  mutating func receive(_ bytes: ArraySlice<UInt8>) throws(TooLong) -> [[UInt8]] {
    var messages: [[UInt8]] = []
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: 0) {
      messages.append(rest + bytes[start..<end])
      rest = []
      start = end + 1
    }
    rest += bytes[start...]
    if rest.count > Self.lengthLimit { throw TooLong() }
    return messages
  }
}
