import ScenarioLanguage

extension Program {
  /// The moment from which something else is on, and what.
  package struct Change: Hashable, Sendable {
    /// Unix time in seconds.
    package var at: Int
    package var decision: Decision
  }

  private static let day = 86_400
  /// One ordinary week, and one more in case a clock change hides the difference.
  private static let fortnight = 15

  /// When the decision next differs from the one at `time`, and what it is then; `nil` where that is never, or more than
  /// 41 years away.
  /// - Parameter finished: Rules with `repeat: false` that are through in the window that is open at `time`.
  package func nextChange(after time: Int, finished: Set<Int> = []) -> Change? {
    let time = Self.clamped(time)
    let now = decision(at: time, finished: finished)
    let limit = horizon(after: time)
    // Mostly it is today, and each longer look repeats the shorter ones.
    var length = 2
    while true {
      let end = min(limit, time + length * Self.day)
      let stretches = stretches(in: time..<max(end, time + 1), finished: finished)
      if let next = stretches.first(where: { !$0.decision.isSame(as: now) }) {
        return Change(at: next.range.lowerBound, decision: next.decision)
      }
      if end >= limit { return nil }
      length *= 4
    }
  }

  /// After this moment the timetable only repeats itself.
  private func horizon(after time: Int) -> Int {
    var days = Self.fortnight
    let today = CivilDate.dayNumber(at: zone.wallTime(at: time))
    let conditions = entries.flatMap { [$0.time] + [$0.validity].compactMap(\.self) } + [silentHours].compactMap(\.self)
    for range in conditions.flatMap(\.allDates) {
      switch range.days {
      case .once(_, let last): days = max(days, min(last.dayNumber - today + Self.fortnight, Self.lookaheadDays))
      case .yearly: days = Self.lookaheadDays
      }
    }
    return min(time + days * Self.day, Self.times.upperBound)
  }

  /// When the window of a rule opened that is open at `time`; `nil` where none is, or where it opened more than a year
  /// before.
  package func opening(ofRule index: Int, at time: Int) -> Int? {
    let time = Self.clamped(time)
    guard let entry = entries.first(where: { $0.rule == index }) else { return nil }
    for length in [2, 16, 366] {
      let start = max(time - length * Self.day, Self.times.lowerBound)
      let moments = moments(of: entry, on: ClockPieces(zone, in: start..<time + 1))
      guard let open = moments.range(with: time) else { return nil }
      if open.lowerBound > start { return open.lowerBound }
    }
    return nil
  }
}
