/// Looks at what a broker sends before the library does.
///
/// The library takes a packet's word for its length and makes room for up to 256 MB; and in the version of Debian 12 a
/// property that it does not know ends the process (an assertion, mended in Mosquitto 2.0.18). So nothing reaches it
/// that is larger than agreed on, malformed, or not asked for.
package struct PacketGuard: Sendable {
  package enum Problem: Error, Hashable, Sendable {
    case tooLarge
    /// Not MQTT 5, or not what a client that uses quality 0 and 1 is sent.
    case malformed
  }

  private enum Place {
    case command
    case length(shift: Int)
    /// The bytes that are judged are gathered; ``needed`` of them.
    case head
    case rest
  }

  /// Everything but messages fits in this: a packet of text and codes for one request.
  private static let controlLimit = 64 << 10

  private let limit: Int
  private var place = Place.command
  private var kind: UInt8 = 0
  /// Bytes of the packet that are still to come.
  private var left = 0
  private var head: [UInt8] = []
  private var needed = 0
  /// Whether the broker has answered to the greeting.
  package private(set) var isGreeted = false
  /// Messages that began so far.
  package private(set) var messages = 0

  /// - Parameter limit: Of a whole packet, in bytes.
  package init(limit: Int) { self.limit = limit }

  /// Reads on; packets may be split anywhere.
  package mutating func read(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
    var index = 0
    while index < bytes.count {
      switch place {
      case .command:
        try begin(bytes[index])
        index += 1
      case .length(let shift):
        try lengthen(bytes[index], shift: shift)
        index += 1
      case .head:
        let count = min(needed - head.count, bytes.count - index)
        head.append(contentsOf: bytes[index..<index + count])
        left -= count
        index += count
        if head.count == needed { try judge() }
      case .rest:
        let count = min(left, bytes.count - index)
        left -= count
        index += count
        if left == 0 { place = .command }
      }
    }
  }

  /// MQTT 5.0, 2.1.2 and 2.1.3: the kind of packet, and flags that are zero but for messages.
  private mutating func begin(_ byte: UInt8) throws(Problem) {
    switch byte {
    case 0x20: if isGreeted { throw .malformed }
    case 0x40, 0x90, 0xB0, 0xD0, 0xE0: if !isGreeted { throw .malformed }
    case 0x30...0x3F:
      // Quality 2 is never subscribed with, and nothing is sent again to who asks for nothing of a session.
      if !isGreeted || (byte >> 1) & 3 > 1 { throw .malformed }
      messages += 1
    default: throw .malformed
    }
    kind = byte
    left = 0
    place = .length(shift: 0)
  }

  /// MQTT 5.0, 2.1.4 and 1.5.5: seven bits in each byte, four bytes at most.
  private mutating func lengthen(_ byte: UInt8, shift: Int) throws(Problem) {
    left |= Int(byte & 0x7F) << shift
    if byte & 0x80 != 0 {
      if shift == 21 { throw .malformed }
      place = .length(shift: shift + 7)
      return
    }
    let isMessage = kind & 0xF0 == 0x30
    let whole = left + 2 + shift / 7
    if whole > limit || (!isMessage && left > Self.controlLimit) { throw .tooLarge }
    head.removeAll(keepingCapacity: head.capacity <= 4096)
    place = .head
    needed = isMessage ? 2 : left
    if left < needed { throw .malformed }
    if needed == 0 { try judge() }
  }

  /// Enough of the packet is here to know more of it.
  private mutating func judge() throws(Problem) {
    let body = PacketBody(head)
    if kind & 0xF0 == 0x30 {
      let next = try body.neededOfMessage(hasNumber: kind & 0x06 != 0)
      if next > head.count {
        // What properties say of their own length may be more than the packet has.
        if next - head.count > left { throw .malformed }
        if next > 2 * Self.controlLimit { throw .tooLarge }
        needed = next
        return
      }
    } else {
      try body.check(kind)
      if kind == 0x20 { isGreeted = true }
    }
    place = left == 0 ? .command : .rest
  }
}
