package import ScenarioLanguage

/// A playlist and the clocks of its zone: what should be on at a moment, by the clock alone.
///
/// What counts is what the clock shows. In an hour that comes twice a window is on both times, one that lies in a
/// skipped hour does not come that night (docs/language/playlist.md "When clocks change").
package struct Program: Sendable {
  package let plan: PlaylistPlan
  package let zone: TimeZoneRules
  /// What may win, the strongest first; what can never win is left out.
  let entries: [Entry]
  /// What is on when no entry is.
  let otherwise: Decision
  /// Quiet hours during which the program goes on.
  let silentHours: TimeCondition?
  /// What ``timetable`` worked out.
  let days = Timetable.Days()

  /// For those who ask again and again about moments of the same days.
  var timetable: Timetable { Timetable(self) }

  struct Entry: Sendable {
    var time: TimeCondition
    /// The days on which it has something to show; `nil`: all.
    var validity: TimeCondition?
    var decision: Decision

    var isAlways: Bool { validity == nil && time.isAlways }
    var rule: Int? { if case .rule(let index) = decision.content { index } else { nil } }
  }

  /// A program by the clocks of `zone`, which are those of the plan's time zone, else the computer's.
  package init(_ plan: PlaylistPlan, in zone: TimeZoneRules) {
    self.plan = plan
    self.zone = zone
    var all: [Entry] = []
    var silentHours: TimeCondition?
    if let quiet = plan.quiet {
      if quiet.screen == .keep { silentHours = quiet.condition } else { all.append(Entry(quiet)) }
    }
    all += plan.program.enumerated().map { Entry($1, index: $0) }
    // Below one that is always on, and never through, nothing comes.
    let last = all.firstIndex { entry in
      entry.isAlways && entry.rule.map { plan.program[$0].repeats } ?? true
    }
    entries = last.map { Array(all[...$0]) } ?? all
    self.silentHours = silentHours
    otherwise = Decision(otherwiseOf: plan)
  }

  /// What is on at a Unix time.
  /// - Parameter finished: Rules with `repeat: false` that are through since their window opened.
  package func decision(at time: Int, finished: Set<Int> = []) -> Decision {
    let wall = zone.wallTime(at: Self.clamped(time))
    var decision =
      entries.first { entry in
        entry.time.isOn(at: wall) && entry.validity?.isOn(at: wall) ?? true && !entry.isAmong(finished)
      }?.decision ?? otherwise
    if let quiet = plan.quiet, silentHours?.isOn(at: wall) == true { decision.keepQuiet(quiet) }
    return decision
  }

  /// The years 1 to 9999: what documents can name, far from the limits of arithmetic.
  static let times = -62_135_596_800..<253_402_300_800

  /// How many days are looked ahead: 29 February on a given day of the week comes again within 40 years.
  static let lookaheadDays = 41 * 366

  static func clamped(_ time: Int) -> Int { min(max(time, times.lowerBound), times.upperBound - 1) }
}

extension Program.Entry {
  init(_ quiet: PlaylistPlan.Quiet) {
    let reason = Decision.Reason(part: "quiet", daypart: nil, time: quiet.condition.text, line: quiet.span.line)
    time = quiet.condition
    decision = Decision(content: .quiet(quiet.screen), isQuiet: true, mutes: quiet.mutes, decidedBy: reason)
  }

  init(_ rule: PlaylistPlan.Rule, index: Int) {
    time = rule.during.condition
    if rule.items.allSatisfy({ $0.valid != nil }) {
      var days = TimeCondition()
      days.dates = rule.items.compactMap(\.valid)
      validity = days
    }
    let reason = Decision.Reason(
      part: "program[\(index)]", daypart: rule.during.name, time: rule.during.condition.text, line: rule.span.line,
      daypartLine: rule.during.name == nil ? nil : rule.during.span?.line)
    decision = Decision(content: .rule(index), decidedBy: reason)
  }

  func isAmong(_ finished: Set<Int>) -> Bool { !finished.isEmpty && rule.map { finished.contains($0) } ?? false }
}

extension Decision {
  fileprivate init(otherwiseOf plan: PlaylistPlan) {
    if let first = plan.fallback.first {
      let reason = Reason(part: "fallback", daypart: nil, time: "no rule is on", line: first.span.line)
      self.init(content: .fallback, decidedBy: reason)
    } else {
      let time = "no rule is on, and there is no fallback"
      self.init(
        content: .nothing, decidedBy: Reason(part: "program", daypart: nil, time: time, line: plan.span.line))
    }
  }

  mutating func keepQuiet(_ quiet: PlaylistPlan.Quiet) {
    isQuiet = true
    mutes = quiet.mutes
  }
}
