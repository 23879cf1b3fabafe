/// Five fields of cron: minute, hour, day of the month, month, day of the week.
package struct CronExpression: Hashable, Sendable {
  /// As written.
  package let text: String
  /// Ascending.
  let minutes: [Int]
  let hours: [Int]
  let days: SmallNumbers
  let months: SmallNumbers
  /// 0 is Monday.
  let weekdays: SmallNumbers
  /// Fields that begin with `*` leave the choice of the day to the other one.
  let isDayFree: Bool
  let isWeekdayFree: Bool
  /// Every hour, however it is written: it runs in every hour there is, whatever clocks do.
  let isHourly: Bool
  /// Where minute and hour are written, in Unicode scalars of the text.
  let timeRange: Range<Int>

  /// Whether any year has such a day.
  var comesTrue: Bool {
    if !isWeekdayFree { return true }
    return months.contains { month in days.contains { $0 <= CivilDate.length(of: month, in: 2_000) } }
  }

  /// Both the day and the weekday are chosen: either is enough.
  var joinsDaysByOr: Bool { !isDayFree && !isWeekdayFree }

  /// Whether it runs on a day. As in cron, day and weekday are joined by "or" where both are chosen.
  func includes(_ date: CivilDate) -> Bool {
    guard months.contains(date.month) else { return false }
    let (isDay, isWeekday) = (days.contains(date.day), weekdays.contains(date.weekday))
    return isDayFree || isWeekdayFree ? isDay && isWeekday : isDay || isWeekday
  }
}
