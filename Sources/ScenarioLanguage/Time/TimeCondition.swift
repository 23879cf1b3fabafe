/// When something counts (docs/language/playlist.md "Time"): days, hours, dates and a calendar, all of which must hold,
/// less exceptions.
///
/// A window that crosses midnight belongs to the day it starts: that day must fit. Exceptions without hours look at
/// that day as well, those with hours at the moment itself.
package struct TimeCondition: Hashable, Sendable {
  /// Days of the week, 0 is Monday.
  package var days: Set<Int> = Set(0...6)
  /// Empty: all day.
  package var hours: [TimeWindow] = []
  /// `nil`: on any date.
  package var dates: [DateRange]?
  package var calendar: Calendar?
  /// `not`.
  package var exceptions: [TimeCondition] = []

  /// Named days: those that the document lists, or those of the events of an iCalendar file.
  package struct Calendar: Hashable, Sendable {
    package var name: String
    /// Those of a file are ascending, single stretches of one year or more.
    package var days: [DateRange]
    /// The file's path or its address, as the document has it.
    package var file: String?

    package func contains(_ date: CivilDate) -> Bool {
      if file == nil { return days.contains { $0.contains(date) } }
      // A rule without end names thousands of days, and years are looked through day by day.
      let index = days.sortedIndex(where: { range in
        if case .once(_, let last) = range.days { last >= date } else { true }
      })
      return index < days.count && days[index].contains(date)
    }
  }

  package static let anyTime = TimeCondition()

  package init() {}

  /// Whether it counts when a clock shows `wall`.
  package func isOn(at wall: WallTime) -> Bool {
    let day = CivilDate.dayNumber(at: wall)
    let second = CivilDate.secondOfDay(at: wall)
    return windows.contains { window in
      if window.start < window.end {
        return (window.start..<window.end).contains(second) && isOn(at: wall, from: day)
      }
      return second >= window.start && isOn(at: wall, from: day) || second < window.end && isOn(at: wall, from: day - 1)
    }
  }

  var windows: [TimeWindow] { hours.isEmpty ? [.day] : hours }

  /// Whether a window that starts on `day` holds and no exception takes the moment away.
  private func isOn(at wall: WallTime, from day: Int) -> Bool {
    fits(day)
      && !exceptions.contains { exception in
        exception.isAboutDays ? exception.holds(on: day) : exception.isOn(at: wall)
      }
  }

  func fits(_ day: Int) -> Bool {
    guard days.contains(CivilDate.weekday(ofDay: day)) else { return false }
    guard dates != nil || calendar != nil else { return true }
    let date = CivilDate(dayNumber: day)
    return dates?.contains { $0.contains(date) } ?? true && calendar?.contains(date) ?? true
  }

  /// Whether it names whole days only.
  var isAboutDays: Bool { hours.isEmpty && exceptions.allSatisfy(\.isAboutDays) }

  func holds(on day: Int) -> Bool { fits(day) && !exceptions.contains { $0.holds(on: day) } }
}

// MARK: The usual week

extension TimeCondition {
  /// It holds on certain dates only.
  package var isDated: Bool { dates != nil || calendar != nil }
  /// It does not hold on certain dates.
  var hasDatedException: Bool { exceptions.contains { $0.isDated || $0.hasDatedException } }
  /// Every week is alike.
  package var isWeekly: Bool { !isDated && !hasDatedException }

  /// The hours of a week on which it holds if its dates fit and no dated exception does.
  var weeklyIntervals: WeeklyIntervals {
    let certain = exceptions.filter(\.isWeekly)
    var weekdays = days
    for exception in certain where exception.isAboutDays { weekdays.subtract(exception.usualDays) }
    var week = WeeklyIntervals(days: weekdays.sorted(), hours: windows.map { ($0.start, $0.end) })
    for exception in certain where !exception.isAboutDays { week = week.subtracting(exception.weeklyIntervals) }
    return week
  }

  private var usualDays: Set<Int> {
    exceptions.filter(\.isWeekly).reduce(days) { $0.subtracting($1.usualDays) }
  }

  /// Whether the last of its dates, or of its calendar's, is over; hours behind midnight are the day's before.
  func isOver(on today: CivilDate) -> Bool {
    [dates, calendar?.days].compactMap { $0 }.contains { set in
      !set.isEmpty
        && set.allSatisfy { range in
          if case .once(_, let last) = range.days { last.dayNumber < today.dayNumber - 1 } else { false }
        }
    }
  }

  /// Whether its dates and its days of the week have no day in common.
  var hasNoDay: Bool {
    guard let dates, days.count < 7 else { return false }
    return dates.allSatisfy { range in
      guard case .once(let first, let last) = range.days else { return false }
      return (first.dayNumber...min(last.dayNumber, first.dayNumber + 6)).allSatisfy {
        !days.contains(CivilDate.weekday(ofDay: $0))
      }
    }
  }
}
