package import CastProtocol
package import ScenarioLanguage

/// A time at which a scenario runs by its schedule, with what its clock does there.
package struct ScheduledTime: Hashable, Sendable {
  /// Unix time.
  package var time: Int
  /// By whose clock it is written.
  private var zone: TimeZoneRules
  /// The IANA name, where the schedule has one.
  private var zoneName: String?
  /// The schedule's place in its document.
  private var line: Int

  /// The next times of a schedule.
  /// - Parameters:
  ///   - start: Only those after it, by the schedule's clock; `nil`: after now.
  ///   - now: Unix time.
  package static func next(
    _ count: Int, of schedule: Schedule, from start: MomentText? = nil, now: Int, in zone: TimeZoneRules
  ) -> [ScheduledTime] {
    // What runs at the moment that is named is among them.
    let after = start.map { Self.moment($0, now: now, in: zone) - 1 } ?? now
    return schedule.nextTimes(after: after, count: count, in: zone).map {
      ScheduledTime(time: $0, zone: zone, zoneName: schedule.timeZone, line: schedule.span.line)
    }
  }

  /// The Unix time of a moment that somebody wrote.
  package static func moment(_ written: MomentText, now: Int, in zone: TimeZoneRules) -> Int {
    func moment(of wall: WallTime) -> Int {
      switch zone.moments(of: wall) {
      case .once(let moment), .twice(let moment, _): moment
      case .never(let change): change.at
      }
    }
    switch written {
    case .now: return now
    case .time(let time): return time
    case .wall(let wall): return moment(of: wall)
    case .today(let second):
      let wall = zone.wallTime(at: now)
      return moment(of: CivilDate(at: wall).at(second: second))
    }
  }

  /// Why the clock does not show the time that the schedule names, or shows it twice.
  private var note: String? {
    if zone.offset(at: time) > zone.offset(at: time - 1) { return "clocks go forward here" }
    if case .twice = zone.moments(of: zone.wallTime(at: time)) { return "the clock shows this twice" }
    return nil
  }

  /// `Thu 24 December 2026 04:30 Europe/Paris`.
  package var text: String {
    ClockText(zone: zone).moment(time) + (zoneName.map { " \($0)" } ?? "") + (note.map { ", \($0)" } ?? "")
  }

  package var json: JSONValue {
    var object: JSONObject = ["t": .string(ClockText(zone: zone).stamp(time)), "unix": .int(time)]
    object["timezone"] = zoneName.map { .string($0) }
    object["line"] = .int(line)
    object["note"] = note.map { .string($0) }
    return .object(object)
  }
}
