/// A recurrence rule (RFC 5545 3.3.10), as far as it names days.
struct ICalendarRule {
  enum Frequency: String {
    case daily = "DAILY"
    case weekly = "WEEKLY"
    case monthly = "MONTHLY"
    case yearly = "YEARLY"
  }

  /// `MO`, or `-1FR`: the last Friday of a month or a year.
  struct Weekday: Hashable {
    /// 0: each.
    var ordinal: Int
    /// 0 is Monday.
    var day: Int
  }

  enum End {
    case never
    case count(Int)
    case until(ICalendarTime)
  }

  var frequency = Frequency.daily
  var interval = 1
  var end = End.never
  var weekdays: Set<Weekday> = []
  var months: Set<Int> = []
  var monthDays: Set<Int> = []
  /// Which days of each period count, from 1 or from its end, -1.
  var positions: Set<Int> = []
  var weekStart = 0

  private static let dayNames = CivilDate.weekdayNames.map { $0.prefix(2).uppercased() }
  /// More than the distinct values any part can have.
  private static let mostValues = 400

  /// - Parameter clock: Whose clock shows an `UNTIL` that is not in UTC.
  init(_ text: String, clock: TimeZoneRules) throws(ICalendarValueError) {
    var seen: Set<String> = []
    for part in text.split(separator: ";", maxSplits: 40) {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else { throw ICalendarValueError("\(ScalarText.quoted(part)) is no part of a rule") }
      let name = pair[0].uppercased()
      guard seen.insert(name).inserted else {
        throw ICalendarValueError("\(ScalarText.quoted(name)) stands twice in a rule")
      }
      try read(name, pair[1].uppercased(), clock)
    }
    guard seen.contains("FREQ") else { throw ICalendarValueError("a rule without `FREQ` is not understood") }
    guard !seen.contains("COUNT") || !seen.contains("UNTIL") else {
      throw ICalendarValueError("`COUNT` and `UNTIL` exclude each other")
    }
    try checkParts()
  }

  private mutating func read(_ name: String, _ value: String, _ clock: TimeZoneRules) throws(ICalendarValueError) {
    let fault = ICalendarValueError("`\(name)=\(ScalarText.shown(value))` is not understood")
    switch name {
    case "FREQ":
      guard let known = Frequency(rawValue: value) else { throw fault }
      frequency = known
    case "INTERVAL":
      guard let number = ScalarText.int(value, upTo: 9), number > 0 else { throw fault }
      interval = number
    case "COUNT":
      guard let number = ScalarText.int(value, upTo: 9), number > 0 else { throw fault }
      end = .count(number)
    case "UNTIL": end = .until(try ICalendarTime(value, clock: clock))
    case "BYDAY":
      for item in try Self.list(value, fault) {
        guard let day = Self.dayNames.firstIndex(of: String(item.suffix(2))) else { throw fault }
        let digits = item.dropLast(2)
        let ordinal = digits.isEmpty ? 0 : try Self.number(digits, upTo: 53, fault)
        weekdays.insert(Weekday(ordinal: ordinal, day: day))
      }
    case "BYMONTH":
      for item in try Self.list(value, fault) {
        guard let month = ScalarText.int(item), (1...12).contains(month) else { throw fault }
        months.insert(month)
      }
    case "BYMONTHDAY":
      for item in try Self.list(value, fault) { monthDays.insert(try Self.number(item, upTo: 31, fault)) }
    case "BYSETPOS":
      for item in try Self.list(value, fault) { positions.insert(try Self.number(item, upTo: 366, fault)) }
    case "WKST":
      guard let day = Self.dayNames.firstIndex(of: value) else { throw fault }
      weekStart = day
    default: throw fault
    }
  }

  private static func list(_ value: String, _ fault: ICalendarValueError) throws(ICalendarValueError) -> [Substring] {
    let items = value.split(separator: ",", maxSplits: mostValues, omittingEmptySubsequences: false)
    guard items.count <= mostValues else { throw fault }
    return items
  }

  /// `2`, `+2` or `-1`, but not 0.
  private static func number(
    _ text: Substring, upTo limit: Int, _ fault: ICalendarValueError
  ) throws(ICalendarValueError) -> Int {
    let isSigned = text.first == "-" || text.first == "+"
    guard let number = ScalarText.int(isSigned ? text.dropFirst() : text, upTo: 3), (1...limit).contains(number) else {
      throw fault
    }
    return text.first == "-" ? -number : number
  }

  /// Parts that RFC 5545 forbids beside each other, or that mean something only it knows.
  private func checkParts() throws(ICalendarValueError) {
    let hasOrdinals = weekdays.contains { $0.ordinal != 0 }
    if hasOrdinals, frequency == .daily || frequency == .weekly {
      throw ICalendarValueError("`BYDAY` with a number is not understood with `FREQ=\(frequency.rawValue)`")
    }
    if !monthDays.isEmpty, frequency == .weekly {
      throw ICalendarValueError("`BYMONTHDAY` is not understood with `FREQ=WEEKLY`")
    }
    if !positions.isEmpty, weekdays.isEmpty, months.isEmpty, monthDays.isEmpty {
      throw ICalendarValueError("`BYSETPOS` without another `BY` is not understood")
    }
  }
}
