/// A clock that stands still while anything can run and then jumps to the next deadline.
package struct VirtualClock: Clock {
  /// A moment of a simulation.
  package struct Instant: InstantProtocol {
    /// Since the simulation began.
    package var offset: Duration

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let executor: SimulationExecutor

  init(_ executor: SimulationExecutor) { self.executor = executor }

  package var now: Instant { Instant(offset: executor.now) }
  package var minimumResolution: Duration { .nanoseconds(1) }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = executor.newSleeper()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { executor.suspend(id, until: deadline.offset, $0) }
    } onCancel: {
      executor.wake(id, throwing: CancellationError())
    }
  }
}
