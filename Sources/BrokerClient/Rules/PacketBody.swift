/// What is within one packet, judged by the rules of MQTT 5.0, 2.2.2 and 3.
struct PacketBody {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// How many bytes of a message have to be here to judge it: the topic, the number and the properties (3.3.2). Where
  /// they are all here they have been judged.
  func neededOfMessage(hasNumber: Bool) throws(PacketGuard.Problem) -> Int {
    guard bytes.count >= 2 else { return 2 }
    let topic = Int(bytes[0]) << 8 | Int(bytes[1])
    if topic == 0 { throw .malformed }
    let properties = 2 + topic + (hasNumber ? 2 : 0)
    if bytes.count <= properties { return properties + 1 }
    if bytes[2..<2 + topic].contains(0) { throw .malformed }
    guard let (length, start) = try number(at: properties) else { return bytes.count + 1 }
    if bytes.count < start + length { return start + length }
    try checkProperties(start..<start + length)
    return start + length
  }

  /// A packet that is no message.
  func check(_ kind: UInt8) throws(PacketGuard.Problem) {
    switch kind {
    case 0x20:
      guard bytes.count >= 2 else { throw .malformed }
      // A broker of MQTT 3 says in two bytes that it does not know 5.
      if bytes.count > 2 { try checkProperties(from: 2, isLast: true) }
    case 0x40:
      guard bytes.count >= 2 else { throw .malformed }
      if bytes.count > 3 { try checkProperties(from: 3, isLast: true) }
    case 0x90, 0xB0:
      guard bytes.count >= 4 else { throw .malformed }
      try checkProperties(from: 2, isLast: false)
    case 0xD0: if !bytes.isEmpty { throw .malformed }
    case 0xE0: if bytes.count > 1 { try checkProperties(from: 1, isLast: true) }
    default: throw .malformed
    }
  }

  /// A number of one to four bytes (1.5.5), and where what follows begins; `nil`: it is not all here.
  private func number(at start: Int) throws(PacketGuard.Problem) -> (value: Int, end: Int)? {
    var value = 0
    for place in 0..<4 {
      guard start + place < bytes.count else { return nil }
      let byte = bytes[start + place]
      value |= Int(byte & 0x7F) << (7 * place)
      if byte & 0x80 == 0 { return (value, start + place + 1) }
    }
    throw .malformed
  }

  private func checkProperties(from start: Int, isLast: Bool) throws(PacketGuard.Problem) {
    guard let (length, begin) = try number(at: start), begin + length <= bytes.count else { throw .malformed }
    if isLast, begin + length != bytes.count { throw .malformed }
    try checkProperties(begin..<begin + length)
  }

  /// Each is one that MQTT 5 knows, and as long as its kind is (2.2.2.2).
  private func checkProperties(_ range: Range<Int>) throws(PacketGuard.Problem) {
    var place = range.lowerBound
    func text() throws(PacketGuard.Problem) -> Int {
      guard place + 2 <= range.upperBound else { throw .malformed }
      return 2 + (Int(bytes[place]) << 8 | Int(bytes[place + 1]))
    }
    while place < range.upperBound {
      let name = bytes[place]
      place += 1
      switch name {
      case 0x01, 0x17, 0x19, 0x24, 0x25, 0x28, 0x29, 0x2A: place += 1
      case 0x13, 0x21, 0x22, 0x23: place += 2
      case 0x02, 0x11, 0x18, 0x27: place += 4
      case 0x0B:
        guard let (_, end) = try number(at: place) else { throw .malformed }
        place = end
      case 0x03, 0x08, 0x09, 0x12, 0x15, 0x16, 0x1A, 0x1C, 0x1F: place += try text()
      case 0x26:
        place += try text()
        place += try text()
      default: throw .malformed
      }
      if place > range.upperBound { throw .malformed }
    }
  }
}
