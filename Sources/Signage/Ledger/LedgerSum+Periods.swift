import ScenarioLanguage

extension LedgerSum {
  /// The number of the day or month in which a wall clock shows so many milliseconds since 1970.
  func number(_ wall: Int) -> Int {
    guard let period else { return 0 }
    let date = CivilDate(at: (wall - (wall % 1_000 + 1_000) % 1_000) / 1_000)
    return period == .day ? date.dayNumber : date.year * 12 + date.month - 1
  }

  /// When a day or a month begins, in milliseconds by the clock on the wall.
  static func milliseconds(ofStart number: Int, _ period: Period?) -> Int {
    date(number, period).at(second: 0) * 1_000
  }

  private static func date(_ number: Int, _ period: Period?) -> CivilDate {
    period == .month ? CivilDate(year: number / 12, month: number % 12 + 1, day: 1) : CivilDate(dayNumber: number)
  }

  /// `2026-11-23`, `2026-11`; `nil` where all is one.
  func text(ofPeriod number: Int) -> String? {
    guard let period else { return nil }
    let date = Self.date(number, period).iso
    return period == .day ? date : String(date.prefix(7))
  }
}
