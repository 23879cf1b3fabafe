/// The checksum of a journal's lines (RFC 3720 B.4, reflected polynomial 0x82F63B78).
package enum CRC32C {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1 }
  }

  package static func value(of bytes: some Sequence<UInt8>) -> UInt32 {
    var state: UInt32 = 0xFFFF_FFFF
    table.withUnsafeBufferPointer { table in
      for byte in bytes { state = table[Int((state ^ UInt32(byte)) & 0xFF)] ^ state >> 8 }
    }
    return ~state
  }
}
