/// A day or several in a row, in one year or in every year (language.md 2.1, `dates`).
package struct DateRange: Hashable, Sendable {
  package enum Days: Hashable, Sendable {
    case once(CivilDate, CivilDate)
    /// Month times 100 plus day; the last may lie before the first, across New Year.
    case yearly(Int, Int)
  }

  package var days: Days

  init(_ dates: (first: TimeScalar.Day, last: TimeScalar.Day)) {
    if let first = dates.first.year, let last = dates.last.year {
      days = .once(
        CivilDate(year: first, month: dates.first.month, day: dates.first.day),
        CivilDate(year: last, month: dates.last.month, day: dates.last.day))
    } else {
      days = .yearly(dates.first.month * 100 + dates.first.day, dates.last.month * 100 + dates.last.day)
    }
  }

  package func contains(_ date: CivilDate) -> Bool {
    switch days {
    case .once(let first, let last): return first <= date && date <= last
    case .yearly(let first, let last):
      let day = date.month * 100 + date.day
      return first <= last ? first <= day && day <= last : day >= first || day <= last
    }
  }

  /// Whether some day is in both.
  func overlaps(_ other: DateRange) -> Bool {
    switch (days, other.days) {
    case (.once(let first, let last), .once(let from, let to)): return first <= to && from <= last
    case (.yearly, .once): return other.overlaps(self)
    case (.once(let first, let last), .yearly):
      let start = first.dayNumber
      // Four years and a day hold every day of the year, the leap day included; but around a century without one.
      return (start...min(last.dayNumber, start + 8 * 366)).contains { other.contains(CivilDate(dayNumber: $0)) }
    case (.yearly, .yearly):
      let leapYear = UnixTime.dayNumber(year: 2_000, month: 1, day: 1)
      return (leapYear..<leapYear + 366).contains {
        let date = CivilDate(dayNumber: $0)
        return contains(date) && other.contains(date)
      }
    }
  }

  /// As documents spell it: `2026-12-24..2026-12-26`, `12-24`.
  package var text: String {
    switch days {
    case .once(let first, let last): first == last ? first.iso : "\(first.iso)..\(last.iso)"
    case .yearly(let first, let last):
      first == last ? Self.spelled(first) : "\(Self.spelled(first))..\(Self.spelled(last))"
    }
  }

  private static func spelled(_ day: Int) -> String { "\(twoDigits(day / 100))-\(twoDigits(day % 100))" }
}
