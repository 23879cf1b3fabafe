import Testing

@testable import ScenarioLanguage

@Suite struct WeekTimeTests {
  static func hour(_ hour: Int) -> Int { hour * 3_600 }

  @Test("A window that crosses midnight belongs to the day it starts")
  func midnight() {
    let evening = WeeklyIntervals(days: [4], hours: [(Self.hour(17), Self.hour(1))])
    #expect(evening.text == "Fri 17:00-24:00, Sat 00:00-01:00")
    let sunday = WeeklyIntervals(days: [6], hours: [(Self.hour(22), Self.hour(2))])
    #expect(sunday.text == "Mon 00:00-02:00, Sun 22:00-24:00")
    #expect(sunday.total == Self.hour(4))
  }

  @Test("What is missing in a week is named by days that are alike")
  func gaps() {
    let day = WeeklyIntervals(days: 0...5, hours: [(Self.hour(7), Self.hour(2))])
    let sunday = WeeklyIntervals(days: [6], hours: [(Self.hour(7), Self.hour(24))])
    let gaps = day.union(sunday).complement
    #expect(gaps.text == "Mon 00:00-07:00, Tue to Sun 02:00-07:00")
    #expect(gaps.total == Self.hour(37))
  }

  @Test("Joining what touches leaves one range; a full week has no gaps")
  func full() {
    let all = WeeklyIntervals(days: 0..<7, hours: [(0, Self.hour(12)), (Self.hour(12), Self.hour(24))])
    #expect(all == .always)
    #expect(all.complement == .never)
    #expect(WeeklyIntervals(days: [0], hours: [(0, Self.hour(1))]).isSubset(of: all))
    #expect(!all.isSubset(of: WeeklyIntervals(days: [0], hours: [(0, Self.hour(1))])))
    #expect(WeeklyIntervals.clock(30_630) == "08:30:30")
  }
}
