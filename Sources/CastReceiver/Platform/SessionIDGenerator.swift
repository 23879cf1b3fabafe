/// Makes session ids that look like a device's (UUIDs of version 4) and that a seed repeats.
struct SessionIDGenerator: Hashable, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> String {
    let high = (nextBits() & ~0xF000) | 0x4000
    let low = (nextBits() & ~(0xC000 << 48)) | (0x8000 << 48)
    let digits = Self.hexadecimal(high) + Self.hexadecimal(low)
    var id = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { id.append("-") }
      id.append(digit)
    }
    return id
  }

  /// SplitMix64.
  private mutating func nextBits() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  private static func hexadecimal(_ bits: UInt64) -> String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
