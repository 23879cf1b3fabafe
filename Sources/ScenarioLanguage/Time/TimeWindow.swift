/// A stretch of the hours of a day, such as `17:00-01:00`.
package struct TimeWindow: Hashable, Sendable {
  /// All day.
  static let day = TimeWindow(start: 0, end: WeeklyIntervals.day)

  /// Seconds since midnight.
  package var start: Int
  /// Seconds since midnight, up to 86400; at or below `start`: on the next day.
  package var end: Int

  /// As documents spell it: `17:00-01:00`, `all-day`.
  package var text: String {
    self == .day ? "all-day" : "\(WeeklyIntervals.clock(start))-\(WeeklyIntervals.clock(end))"
  }
}

/// A day of one year or of each.
package struct YearDay: Hashable, Sendable {
  /// `nil`: every year.
  package var year: Int?
  package var month: Int
  package var day: Int
}
