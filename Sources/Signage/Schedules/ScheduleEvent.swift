package import CastProtocol
package import RunReporting
package import ScenarioLanguage

/// What happens with a scenario that runs by its schedules.
package enum ScheduleEvent: Sendable {
  package typealias Occurrence = ScheduleKeeper.Occurrence

  /// How a run ended.
  package struct End: Sendable {
    package var run: String
    package var verdict: RunVerdict?
    package var exit: RunExit
    /// Of the document's time.
    package var seconds: Double?
    /// What failed, and the verdict, in the words of `run -q`.
    package var lines: [String]

    package init(run: String, verdict: RunVerdict?, exit: RunExit, seconds: Double?, lines: [String]) {
      self.run = run
      self.verdict = verdict
      self.exit = exit
      self.seconds = seconds
      self.lines = lines
    }
  }

  case began(Occurrence, run: String)
  case ended(Occurrence, End)
  /// It could not begin, and why.
  case notRun(Occurrence, message: String, help: String?)
  case waits(Occurrence, behind: Occurrence)
  /// The run under way is ended, as another takes its place.
  case replaced(Occurrence, by: Occurrence)
  case skipped(Occurrence, ScheduleKeeper.Reason)
  /// An edit counts from the next run on.
  case reloaded
  /// An edit took the schedules away.
  case unscheduled

  /// One line: when by the clock of its first schedule, which scenario, what.
  package func line(_ scenario: String, at time: Double, in zone: TimeZoneRules) -> String {
    let wall = zone.wallTime(at: Int(time.rounded(.down)))
    let clock = CivilDate.clock(at: wall)
    let full = clock.utf8.count == 5 ? clock + ":00" : clock
    let text = text { Self.clock($0.time, seenFrom: wall, in: zone) }
    return TerminalText.escaped("\(CivilDate(at: wall).iso) \(full)  \(scenario)  \(text)")
  }

  /// The time of day, with the date where it is another.
  private static func clock(_ time: Int, seenFrom wall: WallTime, in zone: TimeZoneRules) -> String {
    let other = zone.wallTime(at: time)
    let isSameDay = CivilDate.dayNumber(at: other) == CivilDate.dayNumber(at: wall)
    return (isSameDay ? "" : "\(CivilDate(at: other).iso) ") + CivilDate.clock(at: other)
  }

  private func text(_ clock: (Occurrence) -> String) -> String {
    switch self {
    case .began(let occurrence, let run):
      "begins the run of \(clock(occurrence))\(occurrence.isLate ? ", late" : ""): \(run)"
    case .ended(_, let end): Self.joined(end.lines) + ": \(end.run)"
    case .notRun(let occurrence, let message, let help):
      "no run of \(clock(occurrence)): \(message)" + (help.map { " (\($0))" } ?? "")
    case .waits(let occurrence, let other): "the run of \(clock(occurrence)) waits for that of \(clock(other))"
    case .replaced(let old, let new): "ends the run of \(clock(old)): that of \(clock(new)) takes its place"
    case .skipped(let occurrence, .overlaps(let other)):
      "no run of \(clock(occurrence)): that of \(clock(other)) goes on"
    case .skipped(let occurrence, .queueIsFull(let count)): "no run of \(clock(occurrence)): \(count) wait already"
    case .skipped(let occurrence, .replaced(let other)):
      "no run of \(clock(occurrence)): that of \(clock(other)) takes its place"
    case .skipped(let occurrence, .missed): "the run of \(clock(occurrence)) was missed"
    case .reloaded: "goes by the edited scenario from the next run on"
    case .unscheduled: "has no schedule any more, and is not run"
    }
  }

  /// However much failed, it is one line.
  private static func joined(_ lines: [String]) -> String {
    let most = 5
    let shown = lines.count > most ? Array(lines.prefix(most - 1)) + ["…"] + lines.suffix(1) : lines
    // Below a failure stand lines that are set in columns.
    return shown.map { $0.split(separator: " ").joined(separator: " ").prefix(500) }.joined(separator: "; ")
  }

  /// One object.
  package func json(_ scenario: String, at time: Double, in zone: TimeZoneRules) -> JSONValue {
    let clock = ClockText(zone: zone)
    var object: JSONObject = [
      "t": .string(clock.stamp(Int(time.rounded(.down)))), "scenario": .string(scenario), "event": .string(word),
    ]
    func stamp(_ occurrence: Occurrence) -> JSONValue { .string(clock.stamp(occurrence.time)) }
    if let occurrence {
      object["scheduled"] = stamp(occurrence)
      object["line"] = .int(occurrence.line)
      if occurrence.isLate { object["late"] = true }
    }
    switch self {
    case .began(_, let run): object["run"] = .string(run)
    case .ended(_, let end):
      object["run"] = .string(end.run)
      object["result"] = end.verdict.map { .string($0.rawValue) } ?? .null
      object["exit"] = .int(Int(end.exit.rawValue))
      object["seconds"] = end.seconds.map { JSONValue($0) }
      object["text"] = .string(Self.joined(end.lines))
    case .notRun(_, let message, let help):
      object["message"] = .string(message)
      object["help"] = help.map { .string($0) }
    case .waits(_, let other): object["behind"] = stamp(other)
    case .replaced(_, let other): object["by"] = stamp(other)
    case .skipped(_, let reason):
      object["reason"] = .string(reason.word)
      switch reason {
      case .overlaps(let other), .replaced(let other): object["by"] = stamp(other)
      case .queueIsFull, .missed: break
      }
    case .reloaded, .unscheduled: break
    }
    return .object(object)
  }

  private var occurrence: Occurrence? {
    switch self {
    case .began(let occurrence, _), .ended(let occurrence, _), .notRun(let occurrence, _, _), .waits(let occurrence, _),
      .replaced(let occurrence, _), .skipped(let occurrence, _):
      occurrence
    case .reloaded, .unscheduled: nil
    }
  }

  /// Its name in JSON.
  private var word: String {
    switch self {
    case .began: "run_begun"
    case .ended: "run_ended"
    case .notRun: "not_run"
    case .waits: "waits"
    case .replaced: "replaced"
    case .skipped: "skipped"
    case .reloaded: "reloaded"
    case .unscheduled: "unscheduled"
    }
  }
}

extension ScheduleKeeper.Reason {
  fileprivate var word: String {
    switch self {
    case .overlaps: "overlaps"
    case .queueIsFull: "queue_is_full"
    case .replaced: "replaced"
    case .missed: "missed"
    }
  }
}
