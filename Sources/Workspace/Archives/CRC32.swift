/// The checksum that ZIP archives have of each file (ISO 3309, reflected polynomial 0xEDB88320).
struct CRC32: Sendable {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
  }

  private var state: UInt32 = 0xFFFF_FFFF

  /// The checksum of all bytes so far.
  var value: UInt32 { ~state }

  mutating func add(_ bytes: some Sequence<UInt8>) {
    var state = state
    Self.table.withUnsafeBufferPointer { table in
      for byte in bytes { state = table[Int((state ^ UInt32(byte)) & 0xFF)] ^ state >> 8 }
    }
    self.state = state
  }
}
