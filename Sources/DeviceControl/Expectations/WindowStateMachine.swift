import CastClient
package import CastProtocol
import RunReporting
package import ScenarioLanguage

/// `always` and `never`: a condition holds, or does not, on every status of a window
/// (docs/language/conditions.md "How they are judged").
package struct WindowStateMachine: ExpectationStateMachine {
  package enum Rule: Sendable { case always, never }

  private let rule: Rule
  private var judge: ConditionJudge
  private let start: Duration
  private let end: Duration
  private let forAtLeast: Duration?
  private let reply: Duration
  private var view: StatusView?
  private var statuses = 0
  /// When the closing refresh was sent.
  private var askedAt: Duration?
  private var margins: RuleMarginTracker

  package init(
    _ rule: Rule, _ action: Plan.WindowAction, saved: [String: JSONValue], start: Duration, reply: Duration
  ) {
    self.rule = rule
    judge = ConditionJudge(condition: action.condition, saved: saved)
    self.start = start
    self.reply = reply
    end = start + action.during
    forAtLeast = action.forAtLeast
    margins = RuleMarginTracker(isNever: rule == .never, forAtLeast: action.forAtLeast)
  }

  package var conditions: [Condition] { [judge.condition] }

  package mutating func begin(with view: StatusView) -> [JudgeEffect] {
    self.view = judge.prepared(view)
    return judgeNow(at: start)
  }

  package mutating func observe(_ status: ObservedStatus) -> [JudgeEffect] {
    let due = timerFired(at: status.view.at - .nanoseconds(1))
    if due.hasFinished { return due }
    let current = judge.prepared(status.view)
    view = current
    if status.source == .push {
      statuses += 1
      return due + judgeNow(at: current.at)
    }
    // An answer to our own question never violates: some apps answer with a stale one.
    let isViolated = isViolated(current)
    if !isViolated { margins.noteHeld(at: current.at) }
    if askedAt == nil || statuses > 0 { return due }
    let remark = "nothing was pushed in the window, and the answer to a refresh disagrees"
    return due + [
      finish(
        isViolated ? .inconclusive : .passed, at: status.view.at, isPolled: true, remark: isViolated ? remark : nil)
    ]
  }

  package mutating func timerFired(at now: Duration) -> [JudgeEffect] {
    if let since = margins.brokenSince, let forAtLeast, now > since + forAtLeast, since + forAtLeast < end {
      return [finish(.failed, at: since + forAtLeast, remark: "for longer than \(forAtLeast.spelled) in a row")]
    }
    guard now >= end else { return [] }
    if statuses > 0 { return [finish(.passed, at: end)] }
    guard let askedAt else {
      askedAt = now
      return [.refresh]
    }
    guard now >= askedAt + reply else { return [] }
    let remark = "nothing was pushed in the window, and a refresh was not answered"
    return [finish(.inconclusive, at: now, remark: remark)]
  }

  package var nextCheck: Duration {
    if let askedAt { return askedAt + reply }
    guard let since = margins.brokenSince, let forAtLeast else { return end }
    return min(end, since + forAtLeast + .milliseconds(1))
  }

  private func isViolated(_ view: StatusView) -> Bool {
    judge.mismatches(in: view).isEmpty == (rule == .never)
  }

  private mutating func judgeNow(at time: Duration) -> [JudgeEffect] {
    guard let view, isViolated(view) else {
      margins.noteHeld(at: time)
      if let view { margins.noteStatus(view, judge) }
      return []
    }
    if forAtLeast == nil { return [finish(.failed, at: time)] }
    margins.noteBroken(at: time)
    return []
  }

  private func finish(
    _ outcome: Verdict.Outcome, at time: Duration, isPolled: Bool = false, remark: String? = nil
  ) -> JudgeEffect {
    var current = view ?? StatusView(DeviceSnapshot(), at: time)
    current.at = max(time, current.at)
    var mismatches: [FieldMismatch] = []
    if outcome != .passed {
      mismatches =
        rule == .always
        ? judge.mismatches(in: current)
        : judge.condition.leaves.map { leaf in
          FieldMismatch(
            path: leaf.path, mismatch: Mismatch(expected: .not(leaf.matcher), actual: current.value(of: leaf.path)),
            span: leaf.span)
        }
    }
    return .finished(
      Verdict(
        outcome: outcome, at: time, want: judge.want(first: []), got: judge.values(in: current, first: mismatches),
        mismatches: mismatches, statuses: statuses, isEstimated: false, isPolled: isPolled, remark: remark,
        margins: outcome == .passed ? margins.margins(at: time) : []))
  }
}
