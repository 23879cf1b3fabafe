import Foundation
import ScenarioLanguage
import Signage
import Testing

/// A year of schedules, against a slow reading that looks at the clock every minute.
@Suite struct ScheduleYearTests {
  static let cases: [(zone: String, schedule: String, reading: Reading)] = ["Europe/Paris", "America/New_York"].flatMap
  {
    zone -> [(String, String, Reading)] in
    [
      ("at: \"02:30\"", Reading(minutes: [150])),
      (
        "at: \"02:30\", dst: { missing: skip, repeated: twice }",
        Reading(minutes: [150], runsAfter: false, isTwice: true)
      ),
      ("at: [\"01:30\", \"02:00\", \"23:59\"], days: \"sat,sun\"", Reading(minutes: [90, 120, 1_439], days: [5, 6])),
      ("cron: \"*/20 1-3 * * sun\"", Reading(minutes: [60, 80, 100, 120, 140, 160, 180, 200, 220], days: [6])),
      ("cron: \"15 * * * mon\"", Reading(minutes: Set((0..<24).map { $0 * 60 + 15 }), days: [0], isPlain: true)),
      ("at: \"00:00\", days: mon", Reading(minutes: [0], days: [0])),
    ].map { (zone, "{ \($0.0), timezone: \(zone) }", $0.1) }
  }

  /// What a schedule says, for who reads clocks minute by minute.
  struct Reading: Sendable {
    var minutes: Set<Int>
    /// 0 is Monday.
    var days = Set(0...6)
    var runsAfter = true
    var isTwice = false
    /// It comes every hour, whatever clocks do.
    var isPlain = false

    func says(_ minute: Int) -> Bool {
      let day = minute.quotientAndRemainder(dividingBy: 1_440).quotient
      // 1 January 1970 was a Thursday.
      return days.contains((day + 3) % 7) && minutes.contains(minute % 1_440)
    }

    /// The minutes, since 1970, at which it runs.
    func runs(_ zone: TimeZone, in range: Range<Int>) -> [Int] {
      var runs: [Int] = []
      var shown: Set<Int> = []
      func wall(_ minute: Int) -> Int { minute + PlainDays.offset(zone, at: minute * 60) / 60 }
      var last = wall(range.lowerBound - 1)
      for minute in range {
        let now = wall(minute)
        let isJumpedOver = now > last + 1 && (last + 1..<now).contains(where: says)
        let isRepeated = !shown.insert(now).inserted
        let runsNow = says(now) && (!isRepeated || isTwice || isPlain)
        if runsNow || isJumpedOver && runsAfter && !isPlain { runs.append(minute) }
        last = now
      }
      return runs
    }
  }

  @Test(
    "Each run of a year begins when a clock that is watched shows its time, both nights of change included",
    arguments: cases)
  func year(zone: String, schedule: String, reading: Reading) throws {
    let plain = try #require(TimeZone(identifier: zone))
    var keeping = try Keeping(schedule, at: "2026-12-31 12:00", runs: 20)
    let begin = Int(keeping.now) / 60
    let length = 366 * 1_440
    keeping.pass(Double(length * 60), lookingEvery: .infinity)
    #expect(keeping.starts.map { Int($0.at) / 60 } == reading.runs(plain, in: begin + 1..<begin + length + 1))
    #expect(keeping.starts.allSatisfy { $0.at == Double($0.time) } && keeping.starts.count > 50)
  }
}
