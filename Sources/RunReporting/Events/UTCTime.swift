/// A moment in UTC to the millisecond, as `t` of events writes it: RFC 3339, without Foundation's calendars.
package struct UTCTime: Hashable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  package var milliseconds: Int

  package init(milliseconds: Int) { self.milliseconds = milliseconds }

  /// Takes Unix seconds; what is no time of this era (not finite, before year 1, after year 9999) becomes 1970.
  package init(unixSeconds: Double) {
    let rounded = (unixSeconds * 1000).rounded()
    let known = rounded.isFinite && rounded >= -62_135_596_800_000 && rounded < 253_402_300_800_000
    milliseconds = known ? Int(exactly: rounded) ?? 0 : 0
  }

  /// Unix seconds.
  package var unixSeconds: Double { Double(milliseconds) / 1000 }

  /// `2026-11-21T09:00:00.498Z`.
  package var text: String {
    let (year, month, day) = civilDate
    return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))T\(timeOfDay)Z"
  }

  /// `09:00:00.498`.
  package var timeOfDay: String {
    let rest = milliseconds - day * 86_400_000
    let (seconds, fraction) = (rest / 1000, rest % 1000)
    let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { Self.padded($0, 2) }.joined(separator: ":")
    return "\(clock).\(Self.padded(fraction, 3))"
  }

  /// Reads what ``text`` writes; `nil` for anything else.
  package init?(parsing text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 24, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54, bytes[13] == 0x3A,
      bytes[16] == 0x3A, bytes[19] == 0x2E, bytes[23] == 0x5A
    else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for byte in bytes[range] {
        guard byte >= 0x30, byte <= 0x39 else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    guard let year = number(0..<4), let month = number(5..<7), let date = number(8..<10), let hour = number(11..<13),
      let minute = number(14..<16), let second = number(17..<19), let fraction = number(20..<23),
      year > 0, (1...12).contains(month), (1...31).contains(date), hour < 24, minute < 60, second < 60
    else { return nil }
    let seconds = Self.days(year: year, month: month, day: date) * 86_400 + hour * 3600 + minute * 60 + second
    milliseconds = seconds * 1000 + fraction
    // Not every month has 31 days.
    if civilDate != (year, month, date) { return nil }
  }

  /// Whole days since 1970-01-01, rounded down.
  private var day: Int { milliseconds >= 0 ? milliseconds / 86_400_000 : (milliseconds + 1) / 86_400_000 - 1 }

  /// The proleptic Gregorian date, counted in eras of 400 years that begin on 1 March.
  private var civilDate: (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let date = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, date)
  }

  private static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
