/// A still that is black all over: a PNG (ISO 15948) of 1280 by 720 pixels, one bit each, made without a library.
package enum BlackPicture {
  package static let width = 1_280
  package static let height = 720

  package static let png: [UInt8] = {
    // Width, height, 1 bit deep, shades of grey, and the only methods there are.
    let header = bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [1, 0, 0, 0, 0]
    // Each row has its filter before its pixels; both are zero.
    let count = height * (1 + width / 8)
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + chunk("IDAT", zeros(count))
      + chunk("IEND", [])
  }()

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let content = Array(type.utf8) + data
    return bigEndian(UInt32(data.count)) + content + bigEndian(checksum(of: content))
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// CRC-32 as PNG wants it.
  private static func checksum(of bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF as UInt32) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { rest, _ in rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1 }
    }
  }

  /// A zlib stream (RFC 1950) that unpacks to `count` zeros: one block with fixed codes (RFC 1951 3.2.6), which is a zero
  /// and then copies of up to 258 bytes each.
  private static func zeros(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = [0x78, 0x01]
    var (buffer, filled) = (0 as UInt8, 0)
    func add(_ bit: UInt8) {
      buffer |= bit << UInt8(filled)
      filled += 1
      guard filled == 8 else { return }
      bytes.append(buffer)
      (buffer, filled) = (0, 0)
    }
    func add(_ bits: [UInt8]) { bits.forEach { add($0) } }
    let zero: [UInt8] = [0, 0, 1, 1, 0, 0, 0, 0]
    // The last block, with fixed codes.
    add([1, 1, 0])
    add(zero)
    let (again, rest) = (count - 1).quotientAndRemainder(dividingBy: 258)
    // Length 258, distance 1.
    for _ in 0..<again { add([1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0]) }
    for _ in 0..<rest { add(zero) }
    add([0, 0, 0, 0, 0, 0, 0])
    while filled > 0 { add(0) }
    // Adler-32 of zeros.
    return bytes + bigEndian(UInt32(count % 65_521) << 16 | 1)
  }
}
