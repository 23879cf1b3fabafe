/// When a condition is on, many days at once (docs/language/playlist.md "Time").
extension TimeCondition {
  /// The readings in `range` at which ``isOn(at:)`` holds.
  package func stretches(in range: Range<WallTime>) -> TimeRanges {
    guard !range.isEmpty else { return TimeRanges([]) }
    let ofDays = exceptions.filter(\.isAboutDays)
    let windows = windows
    var parts: [Range<WallTime>] = []
    // Windows of the day before may reach into the first day.
    for day in CivilDate.dayNumber(at: range.lowerBound) - 1...CivilDate.dayNumber(at: range.upperBound - 1) {
      guard fits(day), !ofDays.contains(where: { $0.holds(on: day) }) else { continue }
      for window in windows {
        let start = day * WeeklyIntervals.day + window.start
        let length = window.end - window.start
        parts.append(start..<start + length + (length <= 0 ? WeeklyIntervals.day : 0))
      }
    }
    var stretches = TimeRanges(parts).clamped(to: range)
    for exception in exceptions where !exception.isAboutDays {
      stretches = stretches.subtracting(exception.stretches(in: range))
    }
    return stretches
  }

  /// Where its dates and those of its calendar are all of one year: the readings before and behind which it never holds.
  package var datedReadings: Range<WallTime>? {
    var result: Range<WallTime>?
    for set in [dates, calendar?.days].compactMap(\.self) {
      var whole: Range<WallTime>? = set.isEmpty ? 0..<0 : nil
      for range in set {
        guard case .once(let first, let last) = range.days else {
          whole = nil
          break
        }
        // Hours behind midnight are the day's before.
        let part = first.at(second: 0)..<max(first, last).at(second: 2 * WeeklyIntervals.day)
        whole = whole.map { min($0.lowerBound, part.lowerBound)..<max($0.upperBound, part.upperBound) } ?? part
      }
      guard let whole else { continue }
      result = result.map { $0.clamped(to: whole) } ?? whole
    }
    return result
  }

  /// It holds at every reading of every week.
  package var isAlways: Bool { isWeekly && weeklyIntervals == .always }

  /// Its dates, those of its calendar and those of its exceptions.
  package var allDates: [DateRange] {
    (dates ?? []) + (calendar?.days ?? []) + exceptions.flatMap(\.allDates)
  }
}
