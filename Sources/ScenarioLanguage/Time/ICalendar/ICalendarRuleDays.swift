/// The days that a rule names, one day, week, month or year after the other.
struct ICalendarRuleDays {
  private let rule: ICalendarRule
  private let start: CivilDate
  private let startDay: Int
  /// The period that comes next, in periods of the rule's frequency from the one of the start.
  private var period: Int
  /// What the last call of ``nextPeriod()`` looked at.
  private(set) var cost = 0

  /// - Parameter first: The first day that is asked for; a rule with `COUNT` counts from its start all the same.
  init(_ rule: ICalendarRule, from startDay: Int, first: Int) {
    self.rule = rule
    self.startDay = startDay
    start = CivilDate(dayNumber: startDay)
    period = 0
    if case .count = rule.end { return }
    let days =
      switch rule.frequency {
      case .daily: 1
      case .weekly: 7
      case .monthly: 31
      case .yearly: 366
      }
    // Rounded down, to a period that the interval reaches.
    period = max(0, (first - startDay) / days / rule.interval - 1) * rule.interval
  }

  /// The days of the next period, ascending, from the start on; `nil` behind the last day that calendars are read to.
  mutating func nextPeriod() -> [Int]? {
    let current = period
    let first: Int
    switch rule.frequency {
    case .daily: first = startDay + current
    case .weekly: first = startDay - (start.weekday - rule.weekStart + 7) % 7 + current * 7
    case .monthly:
      let month = start.month - 1 + current
      first = CivilDate(year: start.year + month / 12, month: month % 12 + 1, day: 1).dayNumber
    case .yearly: first = CivilDate(year: start.year + current, month: 1, day: 1).dayNumber
    }
    guard first < ICalendarDays.range.upperBound else { return nil }
    period += rule.interval
    cost = 1
    var days: [Int]
    switch rule.frequency {
    case .daily: days = fits(CivilDate(dayNumber: first)) ? [first] : []
    case .weekly: days = week(from: first)
    case .monthly:
      let date = CivilDate(dayNumber: first)
      days = rule.months.isEmpty || rule.months.contains(date.month) ? month(date) : []
    case .yearly: days = year(start.year + current)
    }
    if !rule.positions.isEmpty {
      let all = days
      days = all.indices.filter { rule.positions.contains($0 + 1) || rule.positions.contains($0 - all.count) }
        .map { all[$0] }
    }
    return days.filter { $0 >= startDay }
  }

  private mutating func week(from first: Int) -> [Int] {
    cost = 7
    return (first..<first + 7).filter { day in
      let weekday = CivilDate.weekday(ofDay: day)
      return (rule.weekdays.isEmpty ? weekday == start.weekday : has(weekday))
        && (rule.months.isEmpty || rule.months.contains(CivilDate(dayNumber: day).month))
    }
  }

  /// The days of the month that begins on `first`.
  private mutating func month(_ first: CivilDate) -> [Int] {
    let length = CivilDate.length(of: first.month, in: first.year)
    let number = first.dayNumber
    if rule.monthDays.isEmpty, rule.weekdays.isEmpty { return start.day <= length ? [number + start.day - 1] : [] }
    cost += length
    return (1...length).filter { day in
      (rule.monthDays.isEmpty || rule.monthDays.contains(day) || rule.monthDays.contains(day - length - 1))
        && (rule.weekdays.isEmpty || has(number + day - 1, nth: day, of: length))
    }
    .map { number + $0 - 1 }
  }

  private mutating func year(_ year: Int) -> [Int] {
    let isOfYear = !rule.weekdays.isEmpty && rule.months.isEmpty && rule.monthDays.isEmpty
    if isOfYear {
      // Without a month the numbers of weekdays count within the year.
      let first = CivilDate(year: year, month: 1, day: 1).dayNumber
      let length = CivilDate.isLeap(year) ? 366 : 365
      cost += length
      return (1...length).filter { has(first + $0 - 1, nth: $0, of: length) }.map { first + $0 - 1 }
    }
    let months =
      !rule.months.isEmpty
      ? rule.months.sorted() : rule.monthDays.isEmpty && rule.weekdays.isEmpty ? [start.month] : Array(1...12)
    return months.flatMap { month(CivilDate(year: year, month: $0, day: 1)) }
  }

  private func fits(_ date: CivilDate) -> Bool {
    let length = CivilDate.length(of: date.month, in: date.year)
    return (rule.months.isEmpty || rule.months.contains(date.month))
      && (rule.weekdays.isEmpty || has(date.weekday))
      && (rule.monthDays.isEmpty || rule.monthDays.contains(date.day)
        || rule.monthDays.contains(date.day - length - 1))
  }

  private func has(_ weekday: Int) -> Bool { rule.weekdays.contains(.init(ordinal: 0, day: weekday)) }

  /// Whether a day is one of the weekdays, being the `nth` of `length` days of a month or a year.
  private func has(_ day: Int, nth: Int, of length: Int) -> Bool {
    let weekday = CivilDate.weekday(ofDay: day)
    return has(weekday) || rule.weekdays.contains(.init(ordinal: (nth - 1) / 7 + 1, day: weekday))
      || rule.weekdays.contains(.init(ordinal: -((length - nth) / 7 + 1), day: weekday))
  }
}
