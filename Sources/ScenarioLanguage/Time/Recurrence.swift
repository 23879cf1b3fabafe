/// The readings of a wall clock at which something comes again.
package enum Recurrence: Codable, Hashable, Sendable {
  case cron(CronExpression)
  /// Seconds since midnight, ascending, on some days of the week (0 is Monday).
  case at([Int], days: Set<Int>)
  /// So many seconds after midnight, and again, on some days of the week; each midnight begins anew.
  case every(Int, days: Set<Int>)

  /// The readings on one day, ascending.
  func times(on date: CivilDate) -> [Int] {
    switch self {
    case .cron(let cron):
      guard cron.includes(date) else { return [] }
      return cron.hours.flatMap { hour in cron.minutes.map { hour * 3_600 + $0 * 60 } }
    case .at(let times, let days): return days.contains(date.weekday) ? times : []
    case .every(let seconds, let days):
      guard seconds > 0, days.contains(date.weekday) else { return [] }
      return Array(stride(from: 0, to: WeeklyIntervals.day, by: seconds))
    }
  }

  /// The readings in a stretch, ascending.
  package func times(in range: Range<WallTime>) -> [WallTime] {
    guard !range.isEmpty else { return [] }
    return Self.days(of: range).flatMap { times(onDay: $0).filter { range.contains($0) } }
  }

  /// The first reading in a stretch; no day behind it is looked at.
  package func firstTime(in range: Range<WallTime>) -> WallTime? {
    guard !range.isEmpty else { return nil }
    for day in Self.days(of: range) {
      if let first = times(onDay: day).first(where: { range.contains($0) }) { return first }
    }
    return nil
  }

  private static func days(of range: Range<WallTime>) -> ClosedRange<Int> {
    CivilDate.dayNumber(at: range.lowerBound)...CivilDate.dayNumber(at: range.upperBound - 1)
  }

  private func times(onDay day: Int) -> [WallTime] {
    times(on: CivilDate(dayNumber: day)).map { day * WeeklyIntervals.day + $0 }
  }

  /// Whether it has a time in the first hours of a day, in which clocks change, and would miss it then.
  var comesAtNight: Bool {
    if ignoresClockChanges { return false }
    switch self {
    case .cron(let cron): return cron.hours.contains { $0 < 4 }
    case .at(let times, _): return times.contains { $0 < 4 * 3_600 }
    case .every: return true
    }
  }

  /// Whether it comes at the same minutes of every hour, so that a change of clocks neither skips nor repeats it.
  package var ignoresClockChanges: Bool {
    switch self {
    case .cron(let cron): cron.isHourly
    case .at: false
    case .every(let seconds, _): seconds > 0 && 3_600 % seconds == 0
    }
  }
}
