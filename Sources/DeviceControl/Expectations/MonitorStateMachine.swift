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
  private var streak: Duration?
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
    view = status.view
    guard judge.mismatches(in: status.view).isEmpty == isNever else {
      if let streak { tracker.see(brokenFrom: streak, to: status.view.at) }
      tracker.see(status.view, judge)
      streak = nil
      return nil
    }
    guard status.source == .push else { return nil }
    let since = streak ?? status.view.at
    streak = since
    return monitor.forAtLeast == nil ? violation(at: status.view.at, since: since) : nil
  }

  package mutating func timerFired(at now: Duration) -> Violation? {
    guard !isBroken, let streak, let forAtLeast = monitor.forAtLeast, now > streak + forAtLeast else { return nil }
    return violation(at: streak + forAtLeast, since: streak)
  }

  /// How near it came to being broken; empty where nothing tells, or it was broken.
  package func margins(at now: Duration) -> [EventKind.Margin] {
    // Before the first status nothing was judged.
    guard !isBroken, view != nil else { return [] }
    return tracker.margins(streak: streak.map { now - $0 } ?? .zero)
  }

  /// When ``timerFired(at:)`` has something to say; `nil`: not before the next status.
  package var nextCheck: Duration? {
    guard !isBroken, let streak, let forAtLeast = monitor.forAtLeast else { return nil }
    return streak + forAtLeast + .milliseconds(1)
  }

  private mutating func violation(at time: Duration, since: Duration) -> Violation {
    isBroken = true
    let want = judge.want(first: [])
    let got = view.map { judge.values(in: $0, first: []) } ?? [:]
    return Violation(at: time, since: since, want: [isNever ? "never" : "always": want], got: got)
  }
}
