/// The days on which something lies, of those that calendars are read for.
struct ICalendarDays {
  /// 1970-01-01 up to and without 2100-01-01, counted from 1970-01-01.
  static let range = 0..<47_482

  /// What looking for days may cost yet, so that endless rules end: of all calendars of a document together.
  struct Budget {
    /// Days looked at.
    static let most = 2_000_000
    private let limit: Int
    private var left: Int

    init(limit: Int = most) {
      self.limit = limit
      left = limit
    }

    mutating func spend(_ days: Int) throws(ICalendar.Failure) {
      left -= days
      if left < 0 { throw .tooManyDays(limit) }
    }
  }

  private var marks = [Bool](repeating: false, count: Self.range.count)

  mutating func insert(_ first: Int, through last: Int, budget: inout Budget) throws(ICalendar.Failure) {
    let (first, last) = (max(first, Self.range.lowerBound), min(last, Self.range.upperBound - 1))
    guard first <= last else { return }
    try budget.spend(last - first + 1)
    for day in first...last { marks[day] = true }
  }

  /// Days in a row are one stretch; ascending.
  var ranges: [DateRange] {
    var result: [DateRange] = []
    var start: Int?
    for day in 0...marks.count {
      if day < marks.count, marks[day] {
        if start == nil { start = day }
      } else if let first = start {
        result.append(DateRange(CivilDate(dayNumber: first), through: CivilDate(dayNumber: day - 1)))
        start = nil
      }
    }
    return result
  }
}
