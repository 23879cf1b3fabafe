import ScenarioLanguage

/// Moments as ledgers have them: ISO 8601 with milliseconds and the offset of the playlist's zone.
enum LedgerTime {
  /// A moment as it is written, and what the clock of its place was ahead of Greenwich then.
  struct Stamp: Hashable {
    /// Since 1970.
    var milliseconds: Int
    /// In seconds.
    var offset: Int
  }

  /// The nearest whole number of milliseconds, within the years 1 to 9999.
  static func milliseconds(_ seconds: Double) -> Int {
    let limits = Double(Program.times.lowerBound)...Double(Program.times.upperBound - 1)
    // What is no number is neither more nor less than a limit.
    guard seconds == seconds else { return 0 }
    return Int((min(max(seconds, limits.lowerBound), limits.upperBound) * 1_000).rounded())
  }

  /// Whole milliseconds in seconds.
  static func seconds(_ milliseconds: Int) -> Double { Double(milliseconds) / 1_000 }

  /// A number of seconds as it is kept.
  static func rounded(_ seconds: Double) -> Double { self.seconds(milliseconds(seconds)) }

  /// `2026-11-23T07:00:10.212+01:00`.
  static func text(_ seconds: Double, in zone: TimeZoneRules) -> String {
    let milliseconds = milliseconds(seconds)
    let (second, rest) = parts(milliseconds)
    let stamp = ClockText(zone: zone).stamp(second)
    // `2026-11-23T07:00:10`, and the offset behind it.
    return "\(stamp.prefix(19)).\(threeDigits(rest))\(stamp.dropFirst(19))"
  }

  /// `2026-11-23T06:00:10.212Z`.
  static func utc(_ milliseconds: Int) -> String {
    let (second, rest) = parts(milliseconds)
    return "\(ClockText(zone: .utc).stamp(second).dropLast(6)).\(threeDigits(rest))Z"
  }

  /// Whole seconds, rounded down also before 1970, and the milliseconds behind them.
  private static func parts(_ milliseconds: Int) -> (second: Int, rest: Int) {
    let rest = (milliseconds % 1_000 + 1_000) % 1_000
    return ((milliseconds - rest) / 1_000, rest)
  }

  private static func threeDigits(_ number: Int) -> String { String("\(number + 1_000)".dropFirst()) }

  /// Reads what ``text(_:in:)`` writes; `nil` for anything else.
  static func read(_ text: String) -> Stamp? {
    let bytes = Array(text.utf8)
    // An offset of old times has seconds, too.
    guard bytes.count == 29 || bytes.count == 32 else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      bytes[range].reduce(0 as Int?) { sum, byte in
        guard let sum, (0x30...0x39).contains(byte) else { return nil }
        return sum * 10 + Int(byte - 0x30)
      }
    }
    let marks: [(Int, Character)] = [
      (4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":"), (19, "."), (26, ":"), (29, ":"),
    ]
    guard marks.allSatisfy({ place, mark in place >= bytes.count || bytes[place] == mark.asciiValue }),
      bytes[23] == UInt8(ascii: "+") || bytes[23] == UInt8(ascii: "-"),
      let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
      let minute = number(14..<16), let second = number(17..<19), let rest = number(20..<23),
      let offsetHour = number(24..<26), let offsetMinute = number(27..<29),
      let offsetSecond = bytes.count == 32 ? number(30..<32) : 0,
      year > 0, (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60,
      offsetHour < 27, offsetMinute < 60, offsetSecond < 60
    else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    // 30 February would be another day.
    guard CivilDate(dayNumber: date.dayNumber) == date else { return nil }
    let distance = offsetHour * 3_600 + offsetMinute * 60 + offsetSecond
    let offset = bytes[23] == UInt8(ascii: "-") ? -distance : distance
    let wall = date.at(second: hour * 3_600 + minute * 60 + second)
    return Stamp(milliseconds: (wall - offset) * 1_000 + rest, offset: offset)
  }
}
