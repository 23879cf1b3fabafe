import CastClient
package import CastProtocol
import RunReporting
package import ScenarioLanguage

/// `expect`: becomes true within a time, and then stays so if `for` asks it
/// (docs/language/conditions.md "How they are judged").
package struct ExpectStateMachine: ExpectationStateMachine {
  private var judge: ConditionJudge
  private let start: Duration
  private let deadline: Duration
  private let hold: Duration?
  private let looksOnce: Bool
  private var view: StatusView?
  private var crossings: [Duration] = []
  private var trueSince: Duration?
  private var silence: SilenceTimer
  private var nearMisses = NearMissTracker()
  private var statuses = 0
  private var isPolled = false
  private var advances: AdvanceSampler?
  /// Since it holds.
  private var margins = LeastMargins()
  /// The fields that did not fit when it was judged last.
  private var waitedFor: [FieldPath] = []
  /// Those of them whose value came to its limit by itself, since it holds: it is at its limit as it comes, and how far
  /// from it statuses find it is chance.
  private var cameByThemselves: [FieldPath] = []

  /// - Parameters:
  ///   - start: Now, on the show clock.
  ///   - reply: How long the device may be silent before it is asked.
  package init(_ action: Plan.ExpectAction, saved: [String: JSONValue], start: Duration, reply: Duration) {
    judge = ConditionJudge(condition: action.condition, saved: saved)
    self.start = start
    hold = action.holdFor
    advances = AdvanceSampler(for: action.condition, start: start)
    looksOnce = action.within <= .zero && advances == nil
    deadline = start + max(action.within, advances.map { $0.over + reply } ?? .zero)
    silence = SilenceTimer(patience: reply, from: start)
  }

  package var conditions: [Condition] { [judge.condition] }

  package mutating func begin(with view: StatusView) -> [JudgeEffect] {
    self.view = judge.prepared(view)
    crossings = judge.crossings(in: view)
    var effects: [JudgeEffect] = []
    if advances?.sample(view) == false { effects.append(.refresh) }
    return effects + evaluate(at: start)
  }

  package mutating func observe(_ status: ObservedStatus) -> [JudgeEffect] {
    let due = timerFired(at: status.view.at - .nanoseconds(1))
    if due.hasFinished { return due }
    view = judge.prepared(status.view)
    crossings = judge.crossings(in: status.view)
    isPolled = status.source == .polled
    if status.source == .push {
      statuses += 1
      silence.heard(at: status.view.at)
    }
    _ = advances?.sample(status.view)
    return due + evaluate(at: status.view.at)
  }

  package mutating func timerFired(at now: Duration) -> [JudgeEffect] {
    var effects: [JudgeEffect] = []
    while let moment = crossings.first, moment <= now, moment <= end {
      crossings.removeFirst()
      effects += evaluate(at: moment, isCrossing: true)
      if effects.hasFinished { return effects }
    }
    if let trueSince, let hold, now >= trueSince + hold {
      // What moves has come nearer to its limit since the last status.
      noteMargins(at: trueSince + hold)
      return effects + [finish(.passed, at: trueSince + hold, mismatches: [])]
    }
    if trueSince == nil, now >= deadline {
      effects += evaluate(at: deadline)
      if effects.hasFinished { return effects }
    }
    if let advances, advances.wantsSample(at: now) {
      self.advances?.asked()
      effects.append(.refresh)
    } else if silence.asks(at: now) {
      effects.append(.refresh)
    }
    return effects
  }

  package var nextCheck: Duration {
    let times = [
      crossings.first, trueSince.flatMap { since in hold.map { since + $0 } }, trueSince == nil ? deadline : nil,
      silence.due, advances?.due,
    ]
    return times.compactMap { $0 }.min() ?? deadline
  }

  /// The last moment anything can still change.
  private var end: Duration { deadline + (hold ?? .zero) }

  private func mismatches(at time: Duration) -> [FieldMismatch] {
    guard var view else { return [] }
    view.at = max(time, view.at)
    return judge.mismatches(in: view) { _, atLeast, over in
      advances?.hasAdvanced(atLeast: atLeast, over: over) ?? false
    }
  }

  /// - Parameter isCrossing: Whether a value has just come to a limit by itself.
  private mutating func evaluate(at time: Duration, isCrossing: Bool = false) -> [JudgeEffect] {
    guard var current = view else { return [] }
    current.at = max(time, current.at)
    let mismatches = mismatches(at: time)
    if mismatches.isEmpty {
      if trueSince == nil { (margins, cameByThemselves) = (LeastMargins(), isCrossing ? waitedFor : []) }
      noteMargins(at: time, except: cameByThemselves)
      trueSince = trueSince ?? time
      return hold == nil ? [finish(.passed, at: time, mismatches: [])] : []
    }
    nearMisses.consider(mismatches, in: current)
    waitedFor = mismatches.map(\.path).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    trueSince = nil
    if looksOnce || time >= deadline { return [finish(.failed, at: min(time, end), mismatches: mismatches)] }
    return []
  }

  private mutating func noteMargins(at time: Duration, except fields: [FieldPath] = []) {
    guard var current = view else { return }
    current.at = max(time, current.at)
    let waited = fields.map(EventKind.Margin.Subject.field)
    margins.keepLeast(judge.margins(in: current).filter { !waited.contains($0.subject) })
  }

  private func finish(_ outcome: Verdict.Outcome, at time: Duration, mismatches: [FieldMismatch]) -> JudgeEffect {
    var current = view ?? StatusView(DeviceSnapshot(), at: time)
    current.at = max(time, current.at)
    return .finished(
      Verdict(
        outcome: outcome, at: time, want: judge.want(first: mismatches),
        got: judge.values(in: current, first: mismatches), mismatches: mismatches,
        nearest: outcome == .passed ? nil : nearMisses.nearest, statuses: statuses,
        isEstimated: current.isEstimated(judge.condition), isPolled: isPolled,
        margins: outcome == .passed ? margins.all : [], waitedFor: outcome == .passed ? waitedFor.map(\.text) : []))
  }
}

extension [JudgeEffect] {
  package var hasFinished: Bool {
    contains { if case .finished = $0 { true } else { false } }
  }
}
