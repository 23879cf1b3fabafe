import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// The tries of one step: decides what follows each of them from how it ended, the retry policy, the limits, and what
/// stopped the steps. Holds no clock and asks no device. Times are on the show clock.
struct StepTries: Sendable {
  /// What follows a try.
  enum Next: Sendable {
    case passed
    /// Another try, after a wait.
    case tryAgain(after: Duration)
    /// The step has failed.
    case giveUp(StepFailure)
  }

  /// What is done with the device before another try.
  struct Preparation: Hashable, Sendable {
    var reconnects: Bool
    var relaunches: Bool
    /// When it must be over.
    var deadline: Duration
  }

  /// How long a try may take that nothing limits but the scenario's deadline.
  private static let longestTry = Duration.seconds(400 * 86_400)

  private let policy: RetryPolicy
  /// Whether the step holds others, which tell their own failures.
  private let isFlow: Bool
  /// How long one try may take; `nil` where only the scenario's deadline counts.
  private let limit: Duration?
  /// When the innermost group that has a limit of its own must be over.
  private let groupEnd: Duration?
  /// When all tries must be over.
  private let end: Duration?
  /// The try that runs, or ran last; from 1.
  private(set) var number = 1

  init(policy: RetryPolicy, isFlow: Bool, limit: Duration?, groupEnd: Duration?, startedAt start: Duration) {
    self.policy = policy
    self.isFlow = isFlow
    self.limit = limit
    self.groupEnd = groupEnd
    end = policy.within.map { start + $0 }
  }

  init(of step: Plan.Step, groupEnd: Duration?, startedAt start: Duration) {
    self.init(policy: step.retry, isFlow: step.isFlow, limit: step.tryLimit, groupEnd: groupEnd, startedAt: start)
  }

  /// Goes on with a try that an earlier part of the run had begun.
  mutating func resume(at number: Int) { self.number = max(1, number) }

  // MARK: before a try

  /// When a try that begins at `now` must be over.
  func deadline(at now: Duration) -> Duration {
    [limit.map { now + $0 }, end, groupEnd].compactMap { $0 }.min() ?? now + Self.longestTry
  }

  /// Whether a later try may have the app again that this one loses.
  var retriesLoss: Bool { number < policy.attempts && policy.errors.contains(.appGone) }

  /// What is done before the try; `nil` before the first.
  /// - Parameters:
  ///   - isLost: Whether the connection is lost: it is always made again, and a device that restarts may take all of
  ///     the try's time for that.
  ///   - patience: How long the rest may take.
  func preparation(
    isLost: Bool, patience: Duration, deadline: Duration, at now: Duration
  ) -> Preparation? {
    guard number > 1 else { return nil }
    return Preparation(
      reconnects: policy.before == .reconnect || isLost, relaunches: policy.before == .relaunch,
      deadline: isLost ? deadline : min(deadline, now + patience))
  }

  // MARK: after a try

  /// The failure of a try that was cancelled, where it is known what cancelled it.
  /// - Parameters:
  ///   - isStopped: Whether the steps were stopped, and not the try alone.
  ///   - loss: Why the app is gone, where a later try may have it again.
  func failure(ofCancelled failure: StepFailure, isStopped: Bool, loss: StepFailure?, at now: Duration) -> StepFailure {
    guard failure.errorClass == .cancelled, !isStopped else { return failure }
    if let groupEnd, now >= groupEnd { return Self.groupIsOver }
    return loss ?? failure
  }

  /// The failure of what runs when the time of its group is over.
  static let groupIsOver = StepFailure(.timeout, "the time of the group it stands in was over")

  /// Decides what follows a try.
  /// - Parameters:
  ///   - failure: `nil` where the try did what it should.
  ///   - stop: The failure of a step that was stopped from outside; `nil` where nothing was stopped.
  ///   - waits: Where the length of a wait is drawn from.
  /// - Returns: With what is told of the try, where that is not told elsewhere.
  func next(
    after failure: StepFailure?, stoppedBy stop: StepFailure?, at now: Duration, waits: inout RetryWaits
  ) -> (next: Next, report: EventKind.AttemptFailed?) {
    let isReportedInside = failure?.step != nil
    guard let failure = stop ?? failure else { return (.passed, nil) }
    let wait = stop == nil ? self.wait(after: failure, at: now, &waits) : nil
    let report = EventKind.AttemptFailed(attempt: number, error: .init(failure), nextTryIn: wait?.seconds)
    return (
      wait.map(Next.tryAgain) ?? .giveUp(failure),
      isReported(failure, isReportedInside: isReportedInside) ? report : nil
    )
  }

  /// The wait is over.
  /// - Returns: Why there is no other try; `nil` where one begins.
  mutating func endWait(stoppedBy stop: StepFailure?) -> StepFailure? {
    if stop == nil { number += 1 }
    return stop
  }

  private func wait(after failure: StepFailure, at now: Duration, _ waits: inout RetryWaits) -> Duration? {
    guard number < policy.attempts, policy.errors.contains(failure.errorClass) else { return nil }
    let wait = waits.wait(before: number + 1, by: policy)
    if let end, now + wait >= end { return nil }
    return wait
  }

  /// A group tells only that it tries again, or a loss between two of its steps: the step inside has told the rest. What
  /// an expectation or a rule of `watch` failed with is told by an event of its own.
  private func isReported(_ failure: StepFailure, isReportedInside: Bool) -> Bool {
    isFlow
      ? policy.retries || failure.isAboutLoss && !isReportedInside : !failure.isExpectation && !failure.isAboutMonitor
  }
}

extension Plan.Step {
  /// How long one try may take: what an expectation waits, else the step's own limit; `nil` where only the scenario's
  /// deadline counts.
  var tryLimit: Duration? {
    switch action {
    case .expect(let action): action.within + (action.holdFor ?? .zero)
    case .always(let action), .never(let action): action.during
    case .expectSequence(let action): action.within
    case .expectMessage(let action): action.within
    case .expectTogether(let action): action.within
    case _ where isFlow: hasTimeout ? timeout : nil
    default: timeout
    }
  }
}
