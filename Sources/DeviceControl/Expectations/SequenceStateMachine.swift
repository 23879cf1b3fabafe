import CastClient
package import CastProtocol
import RunReporting
package import ScenarioLanguage

/// `expect_sequence`: conditions come true one after the other, each on a status of its own
/// (docs/language/conditions.md "How they are judged").
///
/// Feed it what was seen since the look-back's start first, then live statuses.
package struct SequenceStateMachine: ExpectationStateMachine {
  private let judges: [ConditionJudge]
  private let start: Duration
  private let deadline: Duration
  private let forbidsGaps: Bool
  private var view: StatusView?
  private var crossings: [Duration] = []
  private var next = 0
  private var silence: SilenceTimer
  private var nearMisses = NearMissTracker()
  private var statuses = 0
  private var isPolled = false
  private var gap: String?

  package init(_ action: Plan.SequenceAction, saved: [String: JSONValue], start: Duration, reply: Duration) {
    judges = action.entries.map { ConditionJudge(condition: $0.condition, saved: saved) }
    self.start = start
    deadline = start + action.within
    forbidsGaps = action.forbidsGaps
    silence = SilenceTimer(patience: reply, from: start)
  }

  package var conditions: [Condition] { judges.map(\.condition) }

  /// How many of the conditions have come true so far.
  package var matched: Int { next }

  /// Looks at what was seen before now, oldest first.
  package mutating func lookBack(on history: [ObservedStatus]) -> [JudgeEffect] {
    for status in history {
      let effects = receive(status, at: min(status.view.at, start))
      if effects.hasFinished { return effects }
    }
    return []
  }

  /// The status of now counts only for what it becomes: it came before, and the look-back has seen it.
  package mutating func begin(with view: StatusView) -> [JudgeEffect] {
    self.view = view
    if judges.isEmpty { return [finish(.passed, at: start)] }
    updateCrossings(after: start)
    return deadline <= start ? timerFired(at: start) : []
  }

  package mutating func observe(_ status: ObservedStatus) -> [JudgeEffect] {
    let due = timerFired(at: status.view.at - .nanoseconds(1))
    if due.hasFinished { return due }
    if status.source == .push { silence.heard(at: status.view.at) }
    return due + receive(status, at: status.view.at)
  }

  package mutating func timerFired(at now: Duration) -> [JudgeEffect] {
    while let moment = crossings.first, moment <= now, moment <= deadline {
      crossings.removeFirst()
      guard var current = view, judges.indices.contains(next) else { break }
      current.at = moment
      if judges[next].mismatches(in: current).isEmpty {
        view = current
        if let effect = step(at: moment) { return [effect] }
        updateCrossings(after: moment)
      }
    }
    if now >= deadline { return [finish(.failed, at: deadline)] }
    return silence.asks(at: now) ? [.refresh] : []
  }

  package var nextCheck: Duration { min(deadline, crossings.first ?? deadline, silence.due ?? deadline) }

  private mutating func receive(_ status: ObservedStatus, at time: Duration) -> [JudgeEffect] {
    guard judges.indices.contains(next) else { return [] }
    let previous = view
    view = status.view
    isPolled = status.source == .polled
    if status.source == .push { statuses += 1 }
    defer { updateCrossings(after: time) }
    let mismatches = judges[next].mismatches(in: status.view)
    if mismatches.isEmpty { return step(at: time).map { [$0] } ?? [] }
    nearMisses.consider(mismatches, in: status.view)
    let isStillThere = next > 0 && judges[next - 1].mismatches(in: status.view).isEmpty
    if forbidsGaps, next > 0, status.source == .push, !isStillThere, previous != nil {
      gap = "another status came after entry \(next)"
      next = 0
      if judges[0].mismatches(in: status.view).isEmpty { return step(at: time).map { [$0] } ?? [] }
    }
    return []
  }

  /// Goes on to the next condition; the effect ends the sequence when that was the last.
  private mutating func step(at time: Duration) -> JudgeEffect? {
    next += 1
    nearMisses = NearMissTracker()
    return next == judges.count ? finish(.passed, at: time) : nil
  }

  private mutating func updateCrossings(after time: Duration) {
    guard var current = view, judges.indices.contains(next) else { return crossings = [] }
    current.at = max(time, current.at)
    crossings = judges[next].crossings(in: current)
  }

  private func finish(_ outcome: Verdict.Outcome, at time: Duration) -> JudgeEffect {
    var current = view ?? StatusView(DeviceSnapshot(), at: time)
    current.at = max(time, current.at)
    let judge = judges.isEmpty ? nil : judges[min(next, judges.count - 1)]
    let mismatches = outcome == .passed ? [] : judge?.mismatches(in: current) ?? []
    var remark: String?
    if outcome != .passed {
      remark = "\(next) of \(judges.count) came true in order" + (gap.map { "; \($0)" } ?? "")
    }
    return .finished(
      Verdict(
        outcome: outcome, at: time, want: .array(judges.map { $0.want(first: []) }),
        got: judge?.values(in: current, first: mismatches) ?? [:], mismatches: mismatches,
        nearest: outcome == .passed ? nil : nearMisses.nearest, statuses: statuses,
        isEstimated: judge.map { current.isEstimated($0.condition) } ?? false, isPolled: isPolled, remark: remark))
  }
}
