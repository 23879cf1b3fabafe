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
        let start = day * WeekTime.day + window.start
        let length = window.end - window.start
        parts.append(start..<start + length + (length <= 0 ? WeekTime.day : 0))
      }
    }
    var stretches = TimeRanges(parts).clamped(to: range)
    for exception in exceptions where !exception.isAboutDays {
      stretches = stretches.subtracting(exception.stretches(in: range))
    }
    return stretches
  }

  /// It holds at every reading of every week.
  package var isAlways: Bool { isWeekly && usualWeek == .always }

  /// Its dates, those of its calendar and those of its exceptions.
  package var allDates: [DateRange] {
    (dates ?? []) + (calendar?.days ?? []) + exceptions.flatMap(\.allDates)
  }
}
