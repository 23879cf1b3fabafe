/// What is wrong with a value of an iCalendar text, as a lowercase fragment.
struct ICalendarValueError: Error {
  var message: String

  init(_ message: String) { self.message = message }
}

/// A day, or a moment by some clock, of an iCalendar text (RFC 5545 3.3.4 and 3.3.5).
struct ICalendarTime {
  var wall: WallTime
  /// Whose clock shows it; for days, and for times of no zone, the playlist's own.
  var clock: TimeZoneRules
  /// A whole day: `wall` is its midnight.
  var isDay: Bool

  var day: Int { CivilDate.dayNumber(at: wall) }

  /// Reads `20261225`, `20261225T183000` or `20261225T183000Z`.
  /// - Parameter clock: Whose clock shows a time that is not in UTC.
  init(_ text: some StringProtocol, clock: TimeZoneRules) throws(ICalendarValueError) {
    var digits = Array(text.utf8)
    let isUTC = digits.last == UInt8(ascii: "Z") || digits.last == UInt8(ascii: "z")
    if isUTC { digits.removeLast() }
    let isDate = digits.count == 8 && !isUTC
    guard isDate || digits.count == 15 && digits[8] | 0x20 == UInt8(ascii: "t"),
      digits.enumerated().allSatisfy({ $0.offset == 8 || ScalarText.isDigit($0.element) })
    else { throw ICalendarValueError("\(ScalarText.quoted(text)) is no date and no date-time") }
    func number(_ range: Range<Int>) -> Int? { ScalarText.int(String(decoding: digits[range], as: UTF8.self)) }
    guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8), year > 0,
      (1...12).contains(month), (1...CivilDate.length(of: month, in: year)).contains(day)
    else { throw ICalendarValueError("\(ScalarText.quoted(text)) is on a day that does not exist") }
    var second = 0
    isDay = isDate
    if !isDay {
      guard let hour = number(9..<11), let minute = number(11..<13), let rest = number(13..<15), hour < 24,
        minute < 60, rest <= 60
      else { throw ICalendarValueError("\(ScalarText.quoted(text)) is at a time that does not exist") }
      // A leap second is part of the minute before.
      second = hour * 3_600 + minute * 60 + min(rest, 59)
    }
    wall = CivilDate(year: year, month: month, day: day).at(second: second)
    self.clock = isUTC ? .utc : clock
  }

  /// Unix time of a reading of this clock. A reading that clocks jump over counts by the offset in front of the jump, one
  /// that comes twice is the first (RFC 5545 3.3.5).
  func moment(of wall: WallTime) -> Int {
    let before = clock.offset(at: wall - 2 * WeeklyIntervals.day)
    guard before != clock.offset(at: wall + 2 * WeeklyIntervals.day) else { return wall - before }
    switch clock.moments(of: wall) {
    case .once(let moment), .twice(let moment, _): return moment
    case .never(let change): return wall - change.before
    }
  }

  /// What `clock` shows then.
  func wall(on other: TimeZoneRules) -> WallTime {
    isDay || clock == other ? wall : other.wallTime(at: moment(of: wall))
  }
}

/// How long an event goes on: days by the clock, then seconds that pass.
struct ICalendarLength: Equatable {
  var days = 0
  var seconds = 0

  init(days: Int = 0, seconds: Int = 0) {
    self.days = days
    self.seconds = seconds
  }

  /// From a start to its exclusive end.
  init(from start: ICalendarTime, to end: ICalendarTime) throws(ICalendarValueError) {
    guard start.isDay == end.isDay else {
      throw ICalendarValueError("a day and a time cannot be start and end of one event")
    }
    if start.isDay {
      days = end.day - start.day
    } else {
      seconds = end.moment(of: end.wall) - start.moment(of: start.wall)
    }
    guard days >= 0, seconds >= 0 else { throw ICalendarValueError("the end lies before the start") }
  }

  /// Reads `P15DT5H0M20S` or `P7W` (RFC 5545 3.3.6).
  init(_ text: some StringProtocol) throws(ICalendarValueError) {
    let fault = ICalendarValueError("\(ScalarText.quoted(text)) is no duration of an event")
    var body = Substring(text.uppercased())
    if body.first == "+" { body.removeFirst() }
    guard body.popFirst() == "P", !body.isEmpty else { throw fault }
    var isTime = false
    while let next = body.first {
      if next == "T", !isTime {
        body.removeFirst()
        isTime = true
        continue
      }
      let digits = body.prefix { $0.isASCII && $0.isNumber }
      body = body.dropFirst(digits.count)
      guard let number = ScalarText.int(digits, upTo: 9), let unit = body.popFirst() else { throw fault }
      switch (isTime, unit) {
      case (false, "W"): days += number * 7
      case (false, "D"): days += number
      case (true, "H"): seconds += number * 3_600
      case (true, "M"): seconds += number * 60
      case (true, "S"): seconds += number
      default: throw fault
      }
      // So that a text of very many parts adds up to nothing that overflows.
      guard days <= 9_999_999_999, seconds <= 9_999_999_999_999 else { throw fault }
    }
  }
}
