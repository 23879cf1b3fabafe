import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage
import Testing

@testable import ScenarioRunner

@Suite("What follows a try of a step") struct StepTriesTests {
  /// Two tries with a second between them, unless `change` says otherwise.
  static func policy(_ change: (inout RetryPolicy) -> Void = { _ in }) -> RetryPolicy {
    var policy = RetryPolicy()
    policy.attempts = 2
    change(&policy)
    return policy
  }

  static let once = RetryPolicy()

  static func tries(
    _ policy: RetryPolicy, number: Int = 1, isFlow: Bool = false, limit: Duration? = .seconds(10),
    groupEnd: Duration? = nil, startedAt start: Duration = .zero
  ) -> StepTries {
    var tries = StepTries(policy: policy, isFlow: isFlow, limit: limit, groupEnd: groupEnd, startedAt: start)
    while tries.number < number { _ = tries.endWait(stoppedBy: nil) }
    return tries
  }

  static func failure(_ errorClass: ErrorClass, inside step: String? = nil) -> StepFailure {
    var failure = StepFailure(errorClass, "m")
    failure.step = step
    return failure
  }

  /// A decision in a word: `passed`, `again 1.0`, `timeout`.
  static func word(_ next: StepTries.Next) -> String {
    switch next {
    case .passed: "passed"
    case .tryAgain(let wait): "again \(wait.seconds)"
    case .giveUp(let failure): failure.errorClass.rawValue
    }
  }

  // MARK: what follows

  struct Row: Sendable, CustomTestStringConvertible {
    var policy = StepTriesTests.policy()
    var number = 1
    var failure: ErrorClass?
    var stop: ErrorClass?
    var now = Duration.seconds(5)
    var next: String

    var testDescription: String {
      "try \(number) of \(policy.attempts), \(failure?.rawValue ?? "done"), \(stop.map { "stopped by \($0.rawValue)" } ?? "not stopped"): \(next)"
    }
  }

  @Test(
    "A try that succeeded passes; a failure is tried again as often, in such classes and for as long as the policy says",
    arguments: [
      Row(next: "passed"),
      Row(number: 2, next: "passed"),
      Row(failure: .timeout, next: "again 1.0"),
      Row(failure: .connectionLost, next: "again 1.0"),
      Row(number: 2, failure: .timeout, next: "timeout"),
      Row(policy: once, failure: .timeout, next: "timeout"),
      // Only what is worth another try.
      Row(failure: .expectation, next: "expectation"),
      Row(failure: .appGone, next: "app_gone"),
      Row(policy: policy { $0.errors = [.appGone] }, failure: .appGone, next: "again 1.0"),
      Row(policy: policy { $0.errors = [.appGone] }, failure: .timeout, next: "timeout"),
      // Waits grow.
      Row(
        policy: policy { ($0.attempts, $0.wait, $0.factor) = (4, .seconds(2), 3) }, failure: .busy, next: "again 2.0"),
      Row(
        policy: policy { ($0.attempts, $0.wait, $0.factor) = (4, .seconds(2), 3) }, number: 2, failure: .busy,
        next: "again 6.0"),
      Row(
        policy: policy { ($0.attempts, $0.wait, $0.factor, $0.maxWait) = (4, .seconds(2), 3, .seconds(5)) }, number: 3,
        failure: .busy, next: "again 5.0"),
      // The next try would begin at the end of all.
      Row(policy: policy { $0.within = .seconds(6) }, failure: .timeout, next: "timeout"),
      Row(policy: policy { $0.within = .milliseconds(6001) }, failure: .timeout, next: "again 1.0"),
      // Who stopped the steps counts, whatever the try came to.
      Row(stop: .interrupted, next: "interrupted"),
      Row(failure: .timeout, stop: .interrupted, next: "interrupted"),
      Row(failure: .timeout, stop: .monitor, next: "monitor"),
      // Not even where that would be worth another try.
      Row(failure: .cancelled, stop: .timeout, next: "timeout"),
    ])
  func next(row: Row) {
    var waits = RetryWaits(seed: 1)
    let tries = Self.tries(row.policy, number: row.number)
    let next = tries.next(
      after: row.failure.map { Self.failure($0) }, stoppedBy: row.stop.map { Self.failure($0) }, at: row.now,
      waits: &waits
    ).next
    #expect(Self.word(next) == row.next)
  }

  @Test("A wait differs by at most the jitter, and a seed repeats it", arguments: [1, 7, 99] as [UInt64])
  func jitter(seed: UInt64) {
    let tries = Self.tries(Self.policy { $0.jitter = 0.5 })
    func wait() -> Double? {
      var waits = RetryWaits(seed: seed)
      guard
        case .tryAgain(let wait) = tries.next(
          after: Self.failure(.timeout), stoppedBy: nil, at: .zero, waits: &waits
        ).next
      else { return nil }
      return wait.seconds
    }
    #expect(wait().map { (0.5...1.5).contains($0) } == true && wait() == wait())
  }

  @Test(
    "Whoever stops the steps during a wait ends them with that; else the next try begins",
    arguments: [(nil, nil, 2), (.interrupted, .interrupted, 1), (.monitor, .monitor, 1)]
      as [(ErrorClass?, ErrorClass?, Int)])
  func wait(stop: ErrorClass?, ending: ErrorClass?, number: Int) {
    var tries = Self.tries(Self.policy())
    #expect(tries.endWait(stoppedBy: stop.map { Self.failure($0) })?.errorClass == ending)
    #expect(tries.number == number)
  }

  // MARK: what is told

  @Test(
    "A failed try is told with the wait that follows, unless an event of its own tells it, or a step inside did",
    arguments: [
      (false, once, failure(.timeout), 1, nil),
      (false, policy(), failure(.timeout), 1, 1),
      (false, policy(), failure(.expectation), nil, nil),
      (false, policy { $0.errors = [.expectation] }, failure(.expectation), nil, nil),
      (false, once, failure(.monitor), nil, nil),
      // Groups.
      (true, once, failure(.timeout, inside: "s1.1"), nil, nil),
      (true, once, failure(.expectation, inside: "s1.1"), nil, nil),
      (true, policy(), failure(.timeout, inside: "s1.1"), 1, 1),
      (true, policy { $0.errors = [.expectation] }, failure(.expectation, inside: "s1.1"), 1, 1),
      (true, once, failure(.appGone, inside: "s1.1"), nil, nil),
      (true, once, failure(.appGone), 1, nil),
      (true, once, failure(.takenOver), 1, nil),
    ] as [(isFlow: Bool, policy: RetryPolicy, failure: StepFailure, attempt: Int?, nextTryIn: Double?)])
  func told(isFlow: Bool, policy: RetryPolicy, failure: StepFailure, attempt: Int?, nextTryIn: Double?) {
    var waits = RetryWaits(seed: 1)
    let told = Self.tries(policy, isFlow: isFlow).next(after: failure, stoppedBy: nil, at: .zero, waits: &waits).report
    #expect(told?.attempt == attempt && told?.nextTryIn == nextTryIn)
    #expect(told == nil || told?.error.errorClass == failure.errorClass)
  }

  @Test("Of a try that succeeded nothing is told, and a group that is stopped tells only a loss between its steps")
  func untold() {
    var waits = RetryWaits(seed: 1)
    #expect(Self.tries(Self.policy()).next(after: nil, stoppedBy: nil, at: .zero, waits: &waits).report == nil)
    let group = Self.tries(Self.once, isFlow: true)
    func told(_ stop: ErrorClass) -> ErrorClass? {
      group.next(after: nil, stoppedBy: Self.failure(stop), at: .zero, waits: &waits).report?.error.errorClass
    }
    #expect(told(.interrupted) == nil && told(.monitor) == nil && told(.appGone) == .appGone)
  }

  // MARK: limits

  @Test(
    "A try ends with its own limit, the end of all tries or its group's, whichever comes first",
    arguments: [
      (10, nil, nil, 15), (10, 12, nil, 14), (10, nil, 7, 7), (10, 12, 30, 14), (nil, nil, 7, 7), (nil, 12, nil, 14),
      (nil, nil, nil, 5 + 400 * 86_400),
    ] as [(limit: Int?, within: Int?, groupEnd: Int?, deadline: Int)])
  func deadlines(limit: Int?, within: Int?, groupEnd: Int?, deadline: Int) {
    let tries = Self.tries(
      Self.policy { $0.within = within.map { .seconds($0) } }, limit: limit.map { .seconds($0) },
      groupEnd: groupEnd.map { .seconds($0) }, startedAt: .seconds(2))
    #expect(tries.deadline(at: .seconds(5)) == .seconds(deadline))
  }

  @Test(
    "A try that was cancelled failed by what cancelled it",
    arguments: [
      (.cancelled, true, nil, 20, .cancelled),
      (.cancelled, false, nil, 9, .cancelled),
      (.cancelled, false, nil, 10, .timeout),
      (.cancelled, false, .appGone, 9, .appGone),
      (.cancelled, false, .appGone, 10, .timeout),
      (.cancelled, true, .appGone, 9, .cancelled),
      (.loadFailed, false, .appGone, 20, .loadFailed),
    ] as [(ErrorClass, isStopped: Bool, loss: ErrorClass?, now: Int, ErrorClass)])
  func cancelled(failure: ErrorClass, isStopped: Bool, loss: ErrorClass?, now: Int, becomes: ErrorClass) {
    let known = Self.tries(Self.policy(), groupEnd: .seconds(10)).failure(
      ofCancelled: Self.failure(failure), isStopped: isStopped, loss: loss.map { Self.failure($0) }, at: .seconds(now))
    #expect(known.errorClass == becomes)
  }

  @Test(
    "The app may go while a later try may have it again",
    arguments: [
      ([.appGone], 2, 1, true), ([.appGone], 2, 2, false), ([.appGone], 1, 1, false), ([.timeout], 2, 1, false),
    ] as [(Set<ErrorClass>, attempts: Int, number: Int, Bool)])
  func losses(errors: Set<ErrorClass>, attempts: Int, number: Int, mayBe: Bool) {
    let policy = Self.policy { ($0.errors, $0.attempts) = (errors, attempts) }
    #expect(Self.tries(policy, number: number).retriesLoss == mayBe)
  }

  @Test(
    "What became of the app explains that it is gone, and nothing else",
    arguments: [
      (.appGone, nil, .appGone), (.appGone, .takenOver, .takenOver), (.takenOver, .appGone, .takenOver),
      (.timeout, .takenOver, .timeout), (.connectionLost, .appGone, .connectionLost),
    ] as [(ErrorClass, ErrorClass?, ErrorClass)])
  func explained(failure: ErrorClass, loss: ErrorClass?, becomes: ErrorClass) {
    #expect(Self.failure(failure).explained(by: loss.map { Self.failure($0) }).errorClass == becomes)
  }

  // MARK: before another try

  static func prepared(_ reconnects: Bool, _ relaunches: Bool, until seconds: Int) -> StepTries.Preparation {
    StepTries.Preparation(reconnects: reconnects, relaunches: relaunches, deadline: .seconds(seconds))
  }

  @Test(
    "Before another try the device is reset as the policy says; a lost one is always reached again",
    arguments: [
      (.nothing, 1, true, nil),
      (.nothing, 2, false, prepared(false, false, until: 25)),
      (.reconnect, 2, false, prepared(true, false, until: 25)),
      (.relaunch, 2, false, prepared(false, true, until: 25)),
      (.relaunch, 2, true, prepared(true, true, until: 60)),
      (.nothing, 2, true, prepared(true, false, until: 60)),
    ] as [(RetryPolicy.Reset, number: Int, isLost: Bool, StepTries.Preparation?)])
  func preparations(before: RetryPolicy.Reset, number: Int, isLost: Bool, preparation: StepTries.Preparation?) {
    let tries = Self.tries(Self.policy { $0.before = before }, number: number)
    let found = tries.preparation(
      isLost: isLost, patience: .seconds(15), deadline: .seconds(60), at: .seconds(10))
    #expect(found == preparation)
  }

  @Test(
    "Reaching a lost device may take all of the try's time, what else is prepared only as long as a step",
    arguments: [(true, 60, 60), (true, 20, 20), (false, 60, 25), (false, 20, 20)] as [(Bool, deadline: Int, Int)])
  func patience(isLost: Bool, deadline: Int, until: Int) {
    let found = Self.tries(Self.policy(), number: 2).preparation(
      isLost: isLost, patience: .seconds(15), deadline: .seconds(deadline), at: .seconds(10))
    #expect(found?.deadline == .seconds(until))
  }
}
