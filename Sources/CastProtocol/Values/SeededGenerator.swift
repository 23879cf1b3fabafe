/// Numbers that look random and that a seed repeats: SplitMix64.
package struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to but not including `bound`, which must be positive.
  package mutating func next(below bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// A number from 0 up to but not including 1.
  package mutating func fraction() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
}

extension UInt64 {
  /// A seed of its own for each name (FNV-1a), so that what looks random on one device does not on all; without a name
  /// the seed itself.
  package func mixed(with name: String) -> UInt64 {
    if name.isEmpty { return self }
    return name.utf8.reduce(self ^ 0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
