import CastProtocol

/// Makes session ids that look like a device's (UUIDs of version 4) and that a seed repeats.
struct SessionIDGenerator: Hashable, Sendable {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func next() -> String {
    let high = (random.next() & ~0xF000) | 0x4000
    let low = (random.next() & ~(0xC000 << 48)) | (0x8000 << 48)
    let digits = Self.hexadecimal(high) + Self.hexadecimal(low)
    var id = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { id.append("-") }
      id.append(digit)
    }
    return id
  }

  private static func hexadecimal(_ bits: UInt64) -> String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
