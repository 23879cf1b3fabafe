import Synchronization

/// Where a branch of `parallel` leaves what it came to.
final class OutcomeBox: Sendable {
  let value = Mutex(StepRunner.ListOutcome())
}
