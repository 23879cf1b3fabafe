package import ScenarioLanguage

/// Moments as the clocks of a program show them.
package struct ClockText {
  let zone: TimeZoneRules

  package init(zone: TimeZoneRules) { self.zone = zone }

  /// `Thu 24 December 2026`.
  static func day(_ date: CivilDate) -> String { "\(date.weekdayName) \(date.text)" }

  /// `Thu 24 Dec`.
  static func shortDay(_ date: CivilDate) -> String {
    let parts = date.text.split(separator: " ")
    let month = parts.count > 1 ? String(parts[1].prefix(3)) : ""
    return "\(date.weekdayName) \(date.day < 10 ? " " : "")\(date.day) \(month)"
  }

  /// `Thu 24 December 2026 18:30`, and which of two where the clock shows it twice.
  func moment(_ time: Int) -> String { "\(Self.day(date(at: time))) \(reading(time))" }

  /// `18:30`; `02:30 (first time)` where the clock shows it twice.
  func reading(_ time: Int) -> String {
    let clock = CivilDate.clock(at: zone.wallTime(at: time))
    guard case .twice(let first, _) = zone.moments(of: zone.wallTime(at: time)) else { return clock }
    return "\(clock) (\(time == first ? "first" : "second") time)"
  }

  func date(at time: Int) -> CivilDate { CivilDate(at: zone.wallTime(at: time)) }

  /// `2026-12-24T18:30:00+01:00`. Offsets with seconds, of clocks of long ago, are rounded: the moment is the same
  /// (RFC 3339 5.8).
  package func stamp(_ time: Int) -> String {
    let exact = zone.offset(at: time)
    let minutes = (abs(exact) + 30) / 60 * 60
    let offset = exact < 0 ? -minutes : minutes
    let wall = time + offset
    let clock = CivilDate.clock(at: wall)
    return "\(CivilDate(at: wall).iso)T\(clock.utf8.count == 5 ? clock + ":00" : clock)\(Self.text(ofOffset: offset))"
  }

  /// `+01:00`.
  func offset(at time: Int) -> String { Self.text(ofOffset: zone.offset(at: time)) }

  private static func text(ofOffset offset: Int) -> String {
    "\(offset < 0 ? "-" : "+")\(CivilDate.clock(at: abs(offset)))"
  }

  /// `20261224T173000Z`.
  static func utc(_ time: Int) -> String {
    let clock = CivilDate.clock(at: time).filter { $0 != ":" }
    return "\(CivilDate(at: time).iso.filter { $0 != "-" })T\(clock.utf8.count == 4 ? clock + "00" : clock)Z"
  }

  /// The moment at which a day begins.
  func start(of date: CivilDate) -> Int {
    switch zone.moments(of: date.at(second: 0)) {
    case .once(let moment), .twice(let moment, _): moment
    case .never(let change): change.at
    }
  }

  /// What clocks do at a change, as a sentence without a full stop.
  func sentence(on change: TimeZoneRules.Change) -> String {
    let (before, after) = (
      CivilDate.clock(at: change.at + change.before), CivilDate.clock(at: change.at + change.after)
    )
    let day = Self.day(CivilDate(at: change.at + change.before))
    let goes = change.before < change.after ? "go forward" : "go back"
    return "Clocks \(goes) on \(day), from \(before) to \(after)"
  }
}
