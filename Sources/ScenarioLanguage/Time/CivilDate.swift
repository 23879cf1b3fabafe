/// A day of the Gregorian calendar, of no zone.
package struct CivilDate: Encodable, Hashable, Comparable, Sendable {
  package var year: Int
  package var month: Int
  package var day: Int

  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day so many days after 1970-01-01; years begin in March so that leap days come last.
  package init(dayNumber: Int) {
    let shifted = dayNumber + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days since 1970-01-01.
  package var dayNumber: Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// 0 is Monday.
  package var weekday: Int { Self.weekday(ofDay: dayNumber) }

  /// 0 is Monday; the first day of 1970 was a Thursday.
  static func weekday(ofDay number: Int) -> Int { ((number + 3) % 7 + 7) % 7 }

  /// How many days a month has.
  static func length(of month: Int, in year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: isLeap(year) ? 29 : 28
    default: 31
    }
  }

  static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  /// Days of the week by names of seven; a stored plan may have any number for a day.
  static func names(of days: Set<Int>, from names: [String] = dayNames) -> [String] {
    days.sorted().compactMap { names.indices.contains($0) ? names[$0] : nil }
  }

  /// As documents have them, Monday first.
  static let dayNames = weekdayNames.map { $0.lowercased() }

  static let weekdayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// `Sun`.
  package var weekdayName: String { Self.weekdayNames[weekday] }

  /// `28 March 2027`.
  package var text: String { "\(day) \(Self.monthNames[(month - 1) % 12]) \(year)" }

  /// `2027-03-28`.
  package var iso: String {
    "\(String(repeating: "0", count: max(0, 4 - "\(year)".count)))\(year)-\(twoDigits(month))-\(twoDigits(day))"
  }

  package static func < (left: CivilDate, right: CivilDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}

/// A number below 100 with two digits.
func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

/// A moment by the clock on the wall: seconds since 1970-01-01 00:00 of the same wall.
package typealias WallTime = Int

extension CivilDate {
  /// The day on which a wall clock shows `wall`.
  package init(at wall: WallTime) { self.init(dayNumber: Self.dayNumber(at: wall)) }

  /// So many seconds after midnight of this day.
  package func at(second: Int) -> WallTime { dayNumber * WeeklyIntervals.day + second }

  /// Days since 1970-01-01, rounded down also before.
  package static func dayNumber(at wall: WallTime) -> Int {
    wall >= 0 ? wall / WeeklyIntervals.day : -((-wall + WeeklyIntervals.day - 1) / WeeklyIntervals.day)
  }

  /// Seconds since midnight.
  package static func secondOfDay(at wall: WallTime) -> Int { wall - dayNumber(at: wall) * WeeklyIntervals.day }

  /// The time of day that a wall clock shows, as `07:00`, with seconds only where they are.
  package static func clock(at wall: WallTime) -> String { WeeklyIntervals.clock(secondOfDay(at: wall)) }
}
