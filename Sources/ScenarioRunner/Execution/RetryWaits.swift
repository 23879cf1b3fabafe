import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// The waits of a retry policy with their jitter, which a seed repeats.
struct RetryWaits: Sendable {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

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

  /// From 0 up to 1.
  mutating func next() -> Double { generator.fraction() }
}
