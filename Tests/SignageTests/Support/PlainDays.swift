import Foundation

/// A calendar that counts days one by one, and clocks of another library.
enum PlainDays {
  struct Day {
    var year: Int
    var month: Int
    var day: Int
    /// 0 is Monday.
    var weekday: Int
  }

  /// Every day from 1970 to 2043.
  static let all: [Day] = {
    var days: [Day] = []
    var weekday = 3
    for year in 1970...2043 {
      let isLeap = year % 400 == 0 || year % 4 == 0 && year % 100 != 0
      for (index, length) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
        for day in 1...length {
          days.append(Day(year: year, month: index + 1, day: day, weekday: weekday))
          weekday = (weekday + 1) % 7
        }
      }
    }
    return days
  }()

  /// Days since 1970-01-01; `nil` where no such day is.
  static func number(_ year: Int, _ month: Int, _ day: Int) -> Int? { numbers[year * 10_000 + month * 100 + day] }

  private static let numbers = Dictionary(
    uniqueKeysWithValues: all.enumerated().map { ($1.year * 10_000 + $1.month * 100 + $1.day, $0) })

  static func offset(_ zone: TimeZone, at time: Int) -> Int {
    zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time)))
  }

  /// The moments of a stretch of time at which clocks change, found by looking at every half hour.
  static func changes(_ zone: TimeZone, in range: Range<Int>) -> [Int] {
    stride(from: range.lowerBound, to: range.upperBound, by: 1_800).filter {
      offset(zone, at: $0) != offset(zone, at: $0 - 1)
    }
  }
}
