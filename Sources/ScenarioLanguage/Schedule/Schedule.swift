/// When a scenario runs by itself (docs/language/schedules.md "Keys").
package struct Schedule: Codable, Hashable, Sendable {
  package enum Overlap: String, Codable, Hashable, Sendable, CaseIterable { case skip, queue, replace }
  package enum Missing: String, Codable, Hashable, Sendable, CaseIterable {
    case runAfter = "run_after"
    case skip
  }
  package enum Repeated: String, Codable, Hashable, Sendable, CaseIterable { case once, twice }

  package var recurrence: Recurrence
  /// The IANA name; `nil` with `every` alone: the clock of the computer.
  package var timeZone: String?
  package var jitter: Duration = .zero
  package var overlap = Overlap.skip
  /// How late a run that was missed is still worth it; `nil`: missed runs are skipped.
  package var missedWithin: Duration?
  package var missing = Missing.runAfter
  package var repeated = Repeated.once
  package var span: SourceSpan

  package init(_ recurrence: Recurrence, timeZone: String?, span: SourceSpan) {
    self.recurrence = recurrence
    self.timeZone = timeZone
    self.span = span
  }

  /// The next runs after a moment, as Unix time, ascending; fewer where the calendar ends first.
  ///
  /// A reading that clocks jump over runs at the jump, one that they show twice the first time, unless the schedule
  /// says otherwise. What comes in every hour alike runs whenever a clock shows its minute.
  package func nextTimes(after moment: Int, count: Int, in zone: TimeZoneRules) -> [Int] {
    guard count > 0 else { return [] }
    var found: Set<Int> = []
    let firstDay = CivilDate.dayNumber(at: zone.wallTime(at: moment)) - 1
    // 29 February is at most eight years away; on a given weekday, forty.
    var lastDay = firstDay + 41 * 366
    var day = firstDay
    while day <= lastDay {
      for second in recurrence.times(on: CivilDate(dayNumber: day)) {
        found.formUnion(moments(of: day * WeeklyIntervals.day + second, in: zone).filter { $0 > moment })
      }
      // Where clocks go back, a later day may hold an earlier moment.
      if found.count >= count { lastDay = min(lastDay, day + 2) }
      day += 1
    }
    return Array(found.sorted().prefix(count))
  }

  /// All runs from the first to the last moment of a stretch of Unix time, ascending, as ``nextTimes(after:count:in:)``
  /// has them.
  package func times(in range: ClosedRange<Int>, in zone: TimeZoneRules) -> [Int] {
    // Where clocks go back, a later day may hold an earlier moment.
    let firstDay = CivilDate.dayNumber(at: zone.wallTime(at: range.lowerBound)) - 1
    let lastDay = CivilDate.dayNumber(at: zone.wallTime(at: range.upperBound)) + 1
    var found: Set<Int> = []
    for day in firstDay...lastDay {
      for second in recurrence.times(on: CivilDate(dayNumber: day)) {
        found.formUnion(moments(of: day * WeeklyIntervals.day + second, in: zone).filter(range.contains))
      }
    }
    return found.sorted()
  }

  /// When one reading of the clock runs: usually once.
  private func moments(of wall: WallTime, in zone: TimeZoneRules) -> [Int] {
    let isPlain = recurrence.ignoresClockChanges
    switch zone.moments(of: wall) {
    case .once(let moment): return [moment]
    case .twice(let first, let second): return isPlain || repeated == .twice ? [first, second] : [first]
    case .never(let change): return isPlain || missing == .skip ? [] : [change.at]
    }
  }
}
