import CastClient
package import CastProtocol
package import RunReporting
package import ScenarioLanguage

/// One rule of `watch`, judged on every status of the run until it is broken
/// (docs/language/conditions.md "How they are judged").
package struct MonitorStateMachine: Sendable {
  /// How a rule was broken.
  package struct Violation: Sendable {
    package var at: Duration
    /// When the state that breaks it began.
    package var since: Duration
    package var want: JSONValue
    package var got: JSONObject
  }

  package let monitor: Plan.Monitor
  private var judge: ConditionJudge
  private let isNever: Bool
  private var view: StatusView?
  private var isBroken = false
  private var tracker: RuleMarginTracker

  package init(_ monitor: Plan.Monitor) {
    self.monitor = monitor
    switch monitor.rule {
    case .always(let condition):
      judge = ConditionJudge(condition: condition, saved: [:])
      isNever = false
    case .never(let condition):
      judge = ConditionJudge(condition: condition, saved: [:])
      isNever = true
    }
    tracker = RuleMarginTracker(isNever: isNever, forAtLeast: monitor.forAtLeast)
  }

  /// Takes a status; `saved` are the values saved by now. Answers to our own questions never break a rule.
  package mutating func observe(_ status: ObservedStatus, saved: [String: JSONValue]) -> Violation? {
    if isBroken { return nil }
    judge.saved = saved
    if let violation = timerFired(at: status.view.at - .nanoseconds(1)) { return violation }
    let current = judge.prepared(status.view)
    view = current
    guard judge.mismatches(in: current).isEmpty == isNever else {
      tracker.noteHeld(at: current.at)
      // An answer to our own question may be stale.
      if status.source == .push { tracker.noteStatus(current, judge) }
      return nil
    }
    guard status.source == .push else { return nil }
    tracker.noteBroken(at: current.at)
    return monitor.forAtLeast == nil ? violation(at: current.at, since: current.at) : nil
  }

  /// Goes on where an earlier process stopped judging.
  /// - Parameters:
  ///   - time: For how long that process had seen the rule broken.
  ///   - status: The device as it is now; where the rule holds with it, nothing is left of that time.
  package mutating func resume(brokenFor time: Duration, _ status: ObservedStatus, saved: [String: JSONValue]) {
    guard !isBroken, let forAtLeast = monitor.forAtLeast else { return }
    judge.saved = saved
    let current = judge.prepared(status.view)
    view = current
    if judge.mismatches(in: current).isEmpty == isNever { tracker.noteBroken(at: current.at - min(time, forAtLeast)) }
  }

  /// Whether it is broken, though not for long enough to count.
  package var hasStreak: Bool { !isBroken && monitor.forAtLeast != nil && tracker.brokenSince != nil }

  package mutating func timerFired(at now: Duration) -> Violation? {
    guard isDue(at: now), let since = tracker.brokenSince, let forAtLeast = monitor.forAtLeast else { return nil }
    return violation(at: since + forAtLeast, since: since)
  }

  /// Whether it is broken for longer than it may be.
  private func isDue(at now: Duration) -> Bool {
    guard !isBroken, let since = tracker.brokenSince, let forAtLeast = monitor.forAtLeast else { return false }
    return now > since + forAtLeast
  }

  /// How near it came to being broken, empty where nothing tells; `nil` where it was broken, or never judged.
  package func margins(at now: Duration) -> [EventKind.Margin]? {
    guard !isBroken, view != nil, !isDue(at: now) else { return nil }
    return tracker.margins(at: now)
  }

  /// When ``timerFired(at:)`` has something to say; `nil`: not before the next status.
  package var nextCheck: Duration? {
    guard !isBroken, let since = tracker.brokenSince, let forAtLeast = monitor.forAtLeast else { return nil }
    return since + forAtLeast + .milliseconds(1)
  }

  private mutating func violation(at time: Duration, since: Duration) -> Violation {
    isBroken = true
    let want = judge.want(first: [])
    let got = view.map { judge.values(in: $0, first: []) } ?? [:]
    return Violation(at: time, since: since, want: [isNever ? "never" : "always": want], got: got)
  }
}
