/// Finds the next night on which changing clocks take away or repeat a reading that something waits for (P606).
struct ClockChangeCheck {
  let zone: String
  let today: CivilDate
  /// Those of the coming year.
  private let changes: [TimeZoneRules.Change]

  init(zone: String, rules: TimeZoneRules, today: CivilDate) {
    self.zone = zone
    self.today = today
    let start = today.at(second: 0)
    changes = rules.changes(in: start - WeeklyIntervals.day..<start + 400 * WeeklyIntervals.day)
  }

  /// Readings of one night with the change that concerns them.
  struct Night {
    var change: TimeZoneRules.Change
    var times: [WallTime]
  }

  /// What happens then, in the words of the document.
  struct Handling {
    /// `dst: { missing: run_after }` (default), with the verb that follows: "it runs".
    var missing: Schedule.Missing
    var repeated: Schedule.Repeated
    /// The document says itself what it wants: nothing to warn of.
    var saysMissing = false
    var saysRepeated = false
    /// Whether `dst:` may be written there.
    var hasRules = true
    var verb = "runs"
  }

  /// What is wrong on the next such night.
  enum Trouble {
    /// Readings that do not exist, and the night on which others come twice.
    case missing(Night, repeated: Night?)
    case repeated(Night)
  }

  /// The trouble, if the coming year has such a night.
  func trouble(_ recurrence: Recurrence, _ handling: Handling) -> Trouble? {
    if recurrence.ignoresClockChanges { return nil }
    let missing = first(\.skipped, of: recurrence)
    let repeated = first(\.repeated, of: recurrence)
    if let missing, !handling.saysMissing { return .missing(missing, repeated: repeated) }
    if let repeated, !handling.saysRepeated { return .repeated(repeated) }
    return nil
  }

  /// The warning of a trouble; `part` of the text at `node` is what comes at those readings.
  func warning(
    _ trouble: Trouble, _ handling: Handling, at node: YAMLNode, part: Range<Int>? = nil
  ) -> Diagnostic {
    switch trouble {
    case .missing(let missing, let repeated): warning(missing: missing, repeated, handling, node, part)
    case .repeated(let repeated): warning(repeated: repeated, handling, node, part)
    }
  }

  /// The first night, from today, of which the changed readings have some of a recurrence.
  private func first(_ readings: (TimeZoneRules.Change) -> Range<WallTime>, of recurrence: Recurrence) -> Night? {
    for change in changes {
      let times = recurrence.times(in: readings(change))
      if !times.isEmpty, CivilDate(at: times[0]) >= today { return Night(change: change, times: times) }
    }
    return nil
  }

  private func warning(
    missing: Night, _ repeated: Night?, _ handling: Handling, _ node: YAMLNode, _ part: Range<Int>?
  ) -> Diagnostic {
    let (change, times) = (missing.change, missing.times)
    let isOne = times.count == 1
    let (before, after) = (clock(change.skipped.lowerBound), clock(change.skipped.upperBound))
    let once = isOne ? "" : "once, "
    let rule = handling.hasRules ? "with `dst: { missing: run_after }` (default) " : ""
    var note = "\(rule)it \(handling.verb) \(once)at \(after) that \(night(change.skipped.lowerBound))"
    if let repeated {
      let only = repeated.times.count == 1
      let count = handling.repeated == .once ? "once" : "twice"
      note +=
        "; on \(date(repeated)), when \(words(repeated.times)) \(only ? "comes" : "come") twice, "
        + "\(only ? "it" : "each") \(handling.verb) \(count)"
    }
    return Diagnostic(
      .warning, .p606, "\(words(times)) \(isOne ? "does" : "do") not exist on \(date(missing)) in \(zone)", at: node,
      part: part, "clocks jump from \(before) to \(after)", footers: [.note(note)])
  }

  private func warning(repeated: Night, _ handling: Handling, _ node: YAMLNode, _ part: Range<Int>?) -> Diagnostic {
    let (change, times) = (repeated.change, repeated.times)
    let isOne = times.count == 1
    let (from, to) = (clock(change.repeated.upperBound), clock(change.repeated.lowerBound))
    let rule = handling.hasRules ? "with `dst: { repeated: once }` (default) " : ""
    return Diagnostic(
      .warning, .p606, "\(words(times)) \(isOne ? "comes" : "come") twice on \(date(repeated)) in \(zone)", at: node,
      part: part, "clocks go back from \(from) to \(to)",
      footers: [.note("\(rule)\(isOne ? "it" : "each") \(handling.verb) the first time only")])
  }

  // MARK: Words

  private func words(_ times: [WallTime]) -> String {
    guard let first = times.first, let last = times.last, first != last else { return times.first.map(clock) ?? "" }
    return "\(clock(first)) \(times.count == 2 ? "and" : "to") \(clock(last))"
  }

  private func clock(_ wall: WallTime) -> String { WeeklyIntervals.clock(CivilDate.secondOfDay(at: wall)) }

  private func date(_ night: Night) -> String { CivilDate(at: night.times.first ?? 0).text }

  private func night(_ wall: WallTime) -> String { CivilDate.secondOfDay(at: wall) < 6 * 3_600 ? "night" : "day" }
}
