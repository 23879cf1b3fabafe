/// A clock that runs a fixed number of times as fast as another, for `--speed`.
package struct ScaledClock<Base: Clock>: Clock where Base.Duration == Duration {
  /// A moment in scaled time.
  package struct Instant: InstantProtocol {
    /// Scaled time since the clock was made.
    package var offset: Duration

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let base: Base
  private let origin: Base.Instant
  private let factor: Double

  /// - Parameter factor: Scaled seconds per second of `base`; above zero.
  package init(_ base: Base, factor: Double) {
    self.base = base
    self.factor = factor
    origin = base.now
  }

  package var now: Instant { Instant(offset: origin.duration(to: base.now) * factor) }
  package var minimumResolution: Duration { base.minimumResolution * factor }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    // Rounded up, so that the deadline has passed when the sleeper looks at the clock.
    let real = deadline.offset / factor + .nanoseconds(1)
    try await base.sleep(until: origin.advanced(by: real), tolerance: tolerance.map { $0 / factor })
  }
}
