package import ScenarioLanguage

/// Seven days of a program, and what is on in them, to be shown as text, JSON or a calendar.
package struct WeekView: Sendable {
  package struct Day: Sendable {
    package var date: CivilDate
    /// Unix times: 23 to 25 hours where clocks change.
    package var range: Range<Int>
    package var stretches: [Program.Stretch]
  }

  package let program: Program
  package let days: [Day]
  /// What is on, over midnights.
  package let stretches: [Program.Stretch]
  /// Those of these days.
  package let clockChanges: [TimeZoneRules.Change]
  /// The first after these days, if it is within a year.
  package let nextClockChange: TimeZoneRules.Change?

  /// What documents and dates on paper have years for; its ends leave a day for zones.
  private static let firsts =
    CivilDate(year: 1, month: 1, day: 2).dayNumber...CivilDate(year: 9_999, month: 12, day: 24).dayNumber

  /// Seven days from `date` on, or as near to it as the years 1 to 9999 have them.
  package init(_ program: Program, from date: CivilDate) {
    self.program = program
    let clock = ClockText(zone: program.zone)
    let first = min(max(date.dayNumber, Self.firsts.lowerBound), Self.firsts.upperBound)
    let starts = (0...7).map { clock.start(of: CivilDate(dayNumber: first + $0)) }
    // A day that a zone leaves out altogether has no moments.
    let whole = starts[0]..<max(starts[0], starts[7])
    let stretches = program.stretches(in: whole)
    self.stretches = stretches
    days = (0..<7).map { index in
      let range = starts[index]..<max(starts[index], starts[index + 1])
      let parts = stretches.filter { $0.range.overlaps(range) }.map {
        Program.Stretch(range: $0.range.clamped(to: range), decision: $0.decision)
      }
      return Day(date: CivilDate(dayNumber: first + index), range: range, stretches: parts)
    }
    clockChanges = program.zone.changes(in: whole)
    nextClockChange = program.zone.changes(in: whole.upperBound..<whole.upperBound + 366 * 86_400).first
  }

  /// The stretches in which nothing is on screen.
  package var gaps: [Program.Stretch] { stretches.filter { $0.decision.content == .nothing } }
}
