import Testing

@testable import ScenarioLanguage

/// Sets of seconds of the week, checked second by second against plain sets of hours.
@Suite struct WeeklyIntervalsTests {
  static let hour = 3_600

  /// The hours of the week in which a set holds, each asked at its first and last second.
  static func hours(_ week: WeeklyIntervals) -> Set<Int> {
    Set((0..<168).filter { week.contains($0 * hour) && week.contains($0 * hour + hour - 1) })
  }

  static func week(_ hours: Set<Int>) -> WeeklyIntervals { WeeklyIntervals(hours.map { $0 * hour..<($0 + 1) * hour }) }

  @Test("Joining, taking away and turning around are those of sets", arguments: 0..<40)
  func sets(seed: Int) {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 99
    func next() -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 40)
    }
    func random() -> Set<Int> {
      var result: Set<Int> = []
      for _ in 0..<(next() % 6) {
        let start = next() % 168
        for offset in 0...(next() % 60) { result.insert((start + offset) % 168) }
      }
      return result
    }
    let (a, b) = (random(), random())
    let (x, y) = (Self.week(a), Self.week(b))
    #expect(Self.hours(x) == a)
    #expect(Self.hours(x.union(y)) == a.union(b))
    #expect(Self.hours(x.subtracting(y)) == a.subtracting(b))
    #expect(Self.hours(x.complement) == Set(0..<168).subtracting(a))
    #expect(x.complement.complement == x)
    #expect(x.isSubset(of: y) == a.isSubset(of: b))
    #expect(x.total == a.count * Self.hour)
    let seconds = (0..<168).map { $0 * Self.hour + 1_800 }
    #expect(x.filter(seconds) == seconds.filter { a.contains($0 / Self.hour) })
  }

  static let shapes: [(parts: [Range<Int>], ranges: [Range<Int>])] = [
    ([], []), ([5..<5], []), ([0..<10, 10..<20], [0..<20]), ([0..<10, 11..<20], [0..<10, 11..<20]),
    ([10..<20, 0..<15], [0..<20]),
    ([0..<100, 10..<20], [0..<100]),
    // Past Sunday night it goes on at Monday.
    (
      [WeeklyIntervals.week - 10..<WeeklyIntervals.week + 10],
      [0..<10, WeeklyIntervals.week - 10..<WeeklyIntervals.week]
    ),
    ([WeeklyIntervals.week + 5..<WeeklyIntervals.week + 10], [5..<10]),
    ([0..<WeeklyIntervals.week], [0..<WeeklyIntervals.week]),
    ([100..<WeeklyIntervals.week + 200], [0..<WeeklyIntervals.week]),
  ]

  @Test("Ranges are sorted, joined where they touch, and go on at Monday", arguments: shapes)
  func checksShapes(parts: [Range<Int>], ranges: [Range<Int>]) { #expect(WeeklyIntervals(parts).ranges == ranges) }

  static let texts: [(days: [Int], hours: [(start: Int, end: Int)], text: String)] = [
    ([0], [(0, 86_400)], "Mon 00:00-24:00"), ([0, 1], [(0, 3_600)], "Mon and Tue 00:00-01:00"),
    ([0, 2], [(0, 3_600)], "Mon 00:00-01:00, Wed 00:00-01:00"), ([2, 3, 4], [(0, 3_600)], "Wed to Fri 00:00-01:00"),
    ([6], [(82_800, 3_600)], "Mon 00:00-01:00, Sun 23:00-24:00"),
    ([5], [(43_200, 43_200)], "Sat 12:00-24:00, Sun 00:00-12:00"),
    ([0, 1, 2, 3, 4, 5, 6], [(79_200, 21_600)], "Mon to Sun 00:00-06:00 22:00-24:00"), ([], [(0, 3_600)], ""),
    ([3], [], ""), ([4], [(61_200, 3_600)], "Fri 17:00-24:00, Sat 00:00-01:00"),
    ([6], [(79_200, 7_200)], "Mon 00:00-02:00, Sun 22:00-24:00"),
  ]

  @Test(
    "A week is told by days that are alike; a window across midnight belongs to the day it starts", arguments: texts)
  func text(days: [Int], hours: [(start: Int, end: Int)], text: String) {
    #expect(WeeklyIntervals(days: days, hours: hours).text == text)
  }

  @Test("What is missing in a week is named by days that are alike")
  func gaps() {
    let day = WeeklyIntervals(days: 0...5, hours: [(7 * Self.hour, 2 * Self.hour)])
    let gaps = day.union(WeeklyIntervals(days: [6], hours: [(7 * Self.hour, 24 * Self.hour)])).complement
    #expect(gaps.text == "Mon 00:00-07:00, Tue to Sun 02:00-07:00")
    #expect(gaps.total == 37 * Self.hour)
    let halves = WeeklyIntervals(days: 0..<7, hours: [(0, 12 * Self.hour), (12 * Self.hour, 24 * Self.hour)])
    #expect(halves == .always)
    #expect(halves.complement == .never)
  }

  @Test(
    "A clock shows seconds only where there are any",
    arguments: [(0, "00:00"), (59, "00:00:59"), (60, "00:01"), (86_399, "23:59:59"), (86_400, "24:00")])
  func clock(seconds: Int, text: String) { #expect(WeeklyIntervals.clock(seconds) == text) }
}
