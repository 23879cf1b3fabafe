/// Moments as Unix time.
package enum UnixTime {
  /// Seconds since 1970 of any RFC 3339 timestamp; `nil` for what is none.
  package static func seconds(of text: String) -> Double? {
    (try? TimeScalar.timestamp(text)).flatMap { seconds(timestamp: $0) }
  }

  /// Seconds since 1970 of an RFC 3339 timestamp that its reader has accepted; `nil` for anything else.
  static func seconds(timestamp text: String) -> Double? {
    let scalars = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= scalars.count else { return nil }
      return ScalarText.int(String(decoding: scalars[range], as: UTF8.self))
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
      let minute = number(14..<16), let second = number(17..<19), (1...12).contains(month)
    else { return nil }
    var rest = String(decoding: scalars[19...], as: UTF8.self)
    var fraction = 0.0
    if rest.hasPrefix(".") {
      let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
      fraction = Double("0.\(digits)") ?? 0
      rest = String(rest.dropFirst(1 + digits.count))
    }
    var offset = 0
    if rest.utf8.count == 6, let hours = ScalarText.int(rest.dropFirst().prefix(2)),
      let minutes = ScalarText.int(rest.suffix(2))
    {
      offset = (hours * 3_600 + minutes * 60) * (rest.hasPrefix("-") ? -1 : 1)
    }
    let days = dayNumber(year: year, month: month, day: day)
    return Double(days * 86_400 + hour * 3_600 + minute * 60 + second - offset) + fraction
  }

  /// Days since 1970-01-01 in the Gregorian calendar; years begin in March so that leap days come last.
  static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
