/// A day or several in a row, in one year or in every year (docs/language/values.md "Spellings").
package struct DateRange: Encodable, Hashable, Sendable {
  package enum Days: Encodable, Hashable, Sendable {
    case once(CivilDate, CivilDate)
    /// Month times 100 plus day; the last may lie before the first, across New Year.
    case yearly(Int, Int)
  }

  package var days: Days

  package init(_ dates: (first: YearDay, last: YearDay)) {
    if let first = dates.first.year, let last = dates.last.year {
      days = .once(
        CivilDate(year: first, month: dates.first.month, day: dates.first.day),
        CivilDate(year: last, month: dates.last.month, day: dates.last.day))
    } else {
      days = .yearly(dates.first.month * 100 + dates.first.day, dates.last.month * 100 + dates.last.day)
    }
  }

  init(_ first: CivilDate, through last: CivilDate) { days = .once(first, last) }

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
      // Eight years hold a leap day, also around a century that has none.
      return (first.year...min(last.year, first.year + 8)).contains { year in
        let start = year == first.year ? Self.number(first) : 101
        let end = year == last.year ? Self.number(last) : 1_231
        return Self.meet([start...end], other.parts, leapDay: CivilDate.isLeap(year))
      }
    case (.yearly, .yearly): return Self.meet(parts, other.parts, leapDay: true)
    }
  }

  /// Month times 100 plus day.
  private static func number(_ date: CivilDate) -> Int { date.month * 100 + date.day }

  /// The days of a year, in one stretch or around New Year in two.
  private var parts: [ClosedRange<Int>] {
    guard case .yearly(let first, let last) = days else { return [] }
    return first <= last ? [first...last] : [101...last, first...1_231]
  }

  private static func meet(_ parts: [ClosedRange<Int>], _ others: [ClosedRange<Int>], leapDay: Bool) -> Bool {
    parts.contains { part in
      others.contains { other in
        let (start, end) = (max(part.lowerBound, other.lowerBound), min(part.upperBound, other.upperBound))
        return start <= end && (leapDay || start != 229 || end != 229)
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
