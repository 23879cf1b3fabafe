/// A set of seconds of the week, Monday 00:00 first, as sorted ranges that do not touch.
struct WeeklyIntervals: Hashable, Sendable {
  static let day = 86_400
  static let week = 7 * day

  private let seconds: TimeRanges

  var ranges: [Range<Int>] { seconds.ranges }

  static let always = WeeklyIntervals([0..<week])
  static let never = WeeklyIntervals([])

  /// Sorts and joins; ranges may reach past Sunday night and go on at Monday.
  init(_ parts: [Range<Int>]) {
    var wrapped: [Range<Int>] = []
    for part in parts where !part.isEmpty {
      if part.count >= Self.week { wrapped.append(0..<Self.week) }
      let start = part.lowerBound % Self.week
      let end = start + min(part.count, Self.week)
      wrapped.append(start..<min(end, Self.week))
      if end > Self.week { wrapped.append(0..<(end - Self.week)) }
    }
    seconds = TimeRanges(wrapped)
  }

  private init(_ seconds: TimeRanges) { self.seconds = seconds }

  /// Windows of the day on days of the week (0 is Monday); an end at or before its start is on the next day and
  /// belongs to the day it starts.
  init(days: some Sequence<Int>, hours: [(start: Int, end: Int)]) {
    self.init(
      days.flatMap { day in
        hours.map { window in
          let start = day * Self.day + window.start
          let end = day * Self.day + window.end + (window.end <= window.start ? Self.day : 0)
          return start..<end
        }
      })
  }

  func union(_ other: WeeklyIntervals) -> WeeklyIntervals { WeeklyIntervals(ranges + other.ranges) }

  var complement: WeeklyIntervals { WeeklyIntervals.always.subtracting(self) }

  func subtracting(_ other: WeeklyIntervals) -> WeeklyIntervals { WeeklyIntervals(seconds.subtracting(other.seconds)) }

  func contains(_ second: Int) -> Bool { seconds.range(with: second) != nil }

  /// Those of ascending seconds that lie in it.
  func filter(_ seconds: [Int]) -> [Int] {
    var result: [Int] = []
    var index = 0
    for second in seconds {
      while index < ranges.count, ranges[index].upperBound <= second { index += 1 }
      if index < ranges.count, ranges[index].contains(second) { result.append(second) }
    }
    return result
  }

  func isSubset(of other: WeeklyIntervals) -> Bool { union(other) == other }

  /// Seconds in all.
  var total: Int { ranges.reduce(0) { $0 + $1.count } }

  /// The parts of each day in words, days alike that follow each other joined: `Mon 00:00-07:00, Tue to Sun 02:00-07:00`.
  var text: String {
    let names = CivilDate.weekdayNames
    let days = (0..<7).map { day in
      ranges.map { $0.clamped(to: (day * Self.day)..<((day + 1) * Self.day)) }.filter { !$0.isEmpty }
        .map { "\(Self.clock($0.lowerBound - day * Self.day))-\(Self.clock($0.upperBound - day * Self.day))" }
        .joined(separator: " ")
    }
    var parts: [String] = []
    var day = 0
    while day < 7 {
      var last = day
      while last + 1 < 7, days[last + 1] == days[day] { last += 1 }
      if !days[day].isEmpty {
        let label =
          last == day
          ? names[day] : last == day + 1 ? "\(names[day]) and \(names[last])" : "\(names[day]) to \(names[last])"
        parts.append("\(label) \(days[day])")
      }
      day = last + 1
    }
    return parts.joined(separator: ", ")
  }

  /// Seconds of a day as `07:00`, with seconds only where they are.
  static func clock(_ seconds: Int) -> String {
    let text = "\(twoDigits(seconds / 3_600)):\(twoDigits(seconds / 60 % 60))"
    return seconds % 60 == 0 ? text : "\(text):\(twoDigits(seconds % 60))"
  }
}
