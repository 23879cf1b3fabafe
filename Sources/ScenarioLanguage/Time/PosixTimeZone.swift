/// The rule at the end of zone data: what holds for all years after its table, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
struct PosixTimeZone: Hashable, Sendable {
  /// When clocks change, each year.
  struct Change: Hashable, Sendable {
    enum Day: Hashable, Sendable {
      /// Day of the year from 1, leap days not counted.
      case julian(Int)
      /// Day of the year from 0.
      case dayOfYear(Int)
      /// Weekday (0 is Sunday) of a month, in its first to fifth (5: last) week.
      case weekday(month: Int, week: Int, day: Int)
    }
    var day: Day
    /// Seconds after midnight, from -167 to 167 hours.
    var second = 7_200

    /// On the clock that holds before the change.
    func wallTime(in year: Int) -> WallTime {
      let newYear = CivilDate(year: year, month: 1, day: 1).dayNumber
      let number: Int
      switch day {
      case .julian(let day): number = newYear + day - 1 + (CivilDate.isLeap(year) && day >= 60 ? 1 : 0)
      case .dayOfYear(let day): number = newYear + day
      case .weekday(let month, let week, let day):
        let first = CivilDate(year: year, month: month, day: 1).dayNumber
        let firstWeekday = (CivilDate.weekday(ofDay: first) + 1) % 7
        var candidate = first + (day - firstWeekday + 7) % 7 + (week - 1) * 7
        if candidate >= first + CivilDate.length(of: month, in: year) { candidate -= 7 }
        number = candidate
      }
      return number * WeeklyIntervals.day + second
    }
  }

  /// Seconds east of Greenwich in winter, or always.
  var standard: Int
  var daylight: Daylight?

  struct Daylight: Hashable, Sendable {
    var offset: Int
    var begin: Change
    var end: Change
  }

  /// `nil` for what is no such rule.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count <= 256 else { return nil }
    var rest = bytes
    guard Self.skipName(&rest), let west = Self.offset(&rest) else { return nil }
    standard = -west
    if rest.isEmpty { return }
    guard Self.skipName(&rest) else { return nil }
    var offset = standard + 3_600
    if let first = rest.first, first != UInt8(ascii: ",") {
      guard let west = Self.offset(&rest) else { return nil }
      offset = -west
    }
    guard let begin = Self.change(&rest), let end = Self.change(&rest), rest.isEmpty else { return nil }
    daylight = Daylight(offset: offset, begin: begin, end: end)
  }

  /// When the offset changes in one year, as Unix time with the offset that holds from then on, in order.
  func changes(in year: Int) -> [(at: Int, offset: Int)] {
    guard let daylight else { return [] }
    return [
      (daylight.begin.wallTime(in: year) - standard, daylight.offset),
      (daylight.end.wallTime(in: year) - daylight.offset, standard),
    ].sorted { $0.0 < $1.0 }
  }

  // MARK: Reading

  private static func skipName(_ rest: inout ArraySlice<UInt8>) -> Bool {
    if rest.first == UInt8(ascii: "<") {
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
      rest = rest[(end + 1)...]
      return true
    }
    let name = rest.prefix(while: ScalarText.isLetter)
    rest = rest[name.endIndex...]
    return name.count >= 3
  }

  private static func number(_ rest: inout ArraySlice<UInt8>, upTo limit: Int) -> Int? {
    let digits = rest.prefix(while: ScalarText.isDigit)
    guard (1...3).contains(digits.count) else { return nil }
    rest = rest[digits.endIndex...]
    let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return value <= limit ? value : nil
  }

  private static func skip(_ byte: UInt8, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard rest.first == byte else { return false }
    rest.removeFirst()
    return true
  }

  /// `[+-]h[h[h]][:mm[:ss]]` in seconds.
  private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int? {
    let isNegative = skip(UInt8(ascii: "-"), &rest)
    if !isNegative { _ = skip(UInt8(ascii: "+"), &rest) }
    guard let hours = number(&rest, upTo: 167) else { return nil }
    var total = hours * 3_600
    for unit in [60, 1] where skip(UInt8(ascii: ":"), &rest) {
      guard let part = number(&rest, upTo: 59) else { return nil }
      total += part * unit
    }
    return isNegative ? -total : total
  }

  private static func change(_ rest: inout ArraySlice<UInt8>) -> Change? {
    guard skip(UInt8(ascii: ","), &rest) else { return nil }
    let day: Change.Day
    if skip(UInt8(ascii: "M"), &rest) {
      let dot = UInt8(ascii: ".")
      guard let month = number(&rest, upTo: 12), month >= 1, skip(dot, &rest), let week = number(&rest, upTo: 5),
        week >= 1, skip(dot, &rest), let weekday = number(&rest, upTo: 6)
      else { return nil }
      day = .weekday(month: month, week: week, day: weekday)
    } else if skip(UInt8(ascii: "J"), &rest) {
      guard let number = number(&rest, upTo: 365), number >= 1 else { return nil }
      day = .julian(number)
    } else {
      guard let number = number(&rest, upTo: 365) else { return nil }
      day = .dayOfYear(number)
    }
    var change = Change(day: day)
    if skip(UInt8(ascii: "/"), &rest) {
      guard let second = offset(&rest) else { return nil }
      change.second = second
    }
    return change
  }
}
