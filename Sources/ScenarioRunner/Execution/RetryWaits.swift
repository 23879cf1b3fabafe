import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// The waits of a retry policy with their jitter, which a seed repeats.
struct RetryWaits: Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// The wait before try `attempt` (2 is the first that waits).
  mutating func wait(before attempt: Int, by policy: RetryPolicy) -> Duration {
    let waits = policy.waits
    guard attempt >= 2, attempt - 2 < waits.count else { return .zero }
    guard policy.jitter > 0 else { return waits[attempt - 2] }
    let offset = policy.jitter * (2 * next() - 1)
    return .clamped(seconds: max(0, waits[attempt - 2].seconds * (1 + offset)))
  }

  /// A number from 0 up to `bound`, which is above 0.
  mutating func index(below bound: Int) -> Int {
    min(bound - 1, Int(exactly: (next() * Double(bound)).rounded(.down)) ?? 0)
  }

  /// From 0 up to 1 (SplitMix64).
  mutating func next() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return Double(mixed >> 11) / 9_007_199_254_740_992
  }
}

extension UInt64 {
  /// A seed of its own for each name; the same for none (FNV-1a).
  func mixed(with name: String) -> UInt64 {
    if name.isEmpty { return self }
    return self ^ name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }
}
