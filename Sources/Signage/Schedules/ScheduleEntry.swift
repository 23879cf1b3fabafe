import CastProtocol
package import ScenarioLanguage

/// One of the schedules of a scenario, with its clock and its jitter.
package struct ScheduleEntry: Hashable, Sendable {
  package let schedule: Schedule
  package let zone: TimeZoneRules
  private let seed: UInt64

  /// - Parameter seed: Drives the jitter; another on each computer, so that many do not begin at once.
  package init(_ schedule: Schedule, in zone: TimeZoneRules, seed: UInt64) {
    self.schedule = schedule
    self.zone = zone
    self.seed = seed
  }

  /// What stays the same where only its place in the document changes.
  package var key: String { schedule.text }

  /// The first time after a moment; `nil` where the calendar ends.
  func next(after moment: Int) -> Int? { schedule.nextTimes(after: moment, count: 1, in: zone).first }

  /// The last time after `start` that is not after `end`; however long the stretch is, it is looked at from its end.
  func last(after start: Int, notAfter end: Int) -> Int? {
    guard start < end else { return nil }
    var length = 3_600
    while true {
      let from = max(start + 1, end - length)
      if let last = schedule.times(in: from...end, in: zone).last { return last }
      if from == start + 1 { return nil }
      length *= 24
    }
  }

  /// When the run of a time begins: up to ``Schedule/jitter`` later, but never after the time that follows.
  func begin(of time: Int) -> Double {
    guard schedule.jitter > .zero else { return Double(time) }
    var generator = SeededGenerator(seed: seed.mixed(with: "\(key) \(time)"))
    let room = next(after: time).map { Double($0 - time) } ?? .infinity
    // Milliseconds are enough, and say the same in every report.
    return Double(time) + (generator.fraction() * min(schedule.jitter.seconds, room) * 1000).rounded(.down) / 1000
  }
}
