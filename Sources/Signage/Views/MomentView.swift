package import CastProtocol
package import ScenarioLanguage

/// What is on when a clock shows a reading, by which line, and what comes next, as text or JSON.
package struct MomentView: Sendable {
  package let program: Program
  package let wall: WallTime
  /// The moments that are explained: two where the clock shows the reading twice; where it never does, the jump.
  package let moments: [Int]
  /// The change of clocks that skips or repeats the reading.
  package let change: TimeZoneRules.Change?

  /// The moment at which the clocks of a program show `wall`, a reading in the years 1 to 9999.
  package init(_ program: Program, at wall: WallTime) {
    self.program = program
    self.wall = wall
    switch program.zone.moments(of: wall) {
    case .once(let moment): (moments, change) = ([moment], nil)
    case .never(let skip): (moments, change) = ([skip.at], skip)
    case .twice(let first, let second):
      (moments, change) = ([first, second], Self.change(of: program.zone, repeating: wall, in: first..<second + 1))
    }
  }

  /// A moment itself, as a Unix time.
  package init(_ program: Program, atTime time: Int) {
    self.program = program
    let time = Program.clamped(time)
    wall = program.zone.wallTime(at: time)
    moments = [time]
    guard case .twice(let first, let second) = program.zone.moments(of: wall) else {
      change = nil
      return
    }
    change = Self.change(of: program.zone, repeating: wall, in: first..<second + 1)
  }

  /// The change that makes clocks show a reading twice.
  private static func change(
    of zone: TimeZoneRules, repeating wall: WallTime, in range: Range<Int>
  ) -> TimeZoneRules.Change? {
    zone.changes(in: range).first { $0.repeated.contains(wall) }
  }

  /// `2026-12-24 18:30` or `2026-12-24T18:30:15`; `nil` for anything else.
  package static func wall(written text: String) -> WallTime? {
    let parts = text.split(maxSplits: 1) { $0 == " " || $0 == "T" }.map(String.init)
    guard parts.count == 2, let date = CivilDate(written: parts[0]), let second = try? TimeScalar.time(parts[1]) else {
      return nil
    }
    return date.at(second: second)
  }

  private var isSkipped: Bool { change.map { $0.skipped.contains(wall) } ?? false }

  /// `first` or `second`, where the clock shows the reading twice.
  private func which(_ time: Int) -> String? {
    guard let change, !isSkipped else { return nil }
    return time < change.at ? "first" : "second"
  }

  // MARK: Text

  /// What `at` prints; a newline at the end.
  package var text: String {
    let clock = ClockText(zone: program.zone)
    var lines = [
      "\(program.plan.title), \(ClockText.day(CivilDate(at: wall))) \(CivilDate.clock(at: wall)), \(program.zoneName)"
    ]
    if let change {
      lines.append("\(clock.sentence(on: change)): \(CivilDate.clock(at: wall)) \(meaning)")
    }
    for moment in moments { lines += [""] + self.lines(moment, clock) }
    return lines.map(TerminalText.escaped).joined(separator: "\n") + "\n"
  }

  /// Which moment of a change is meant.
  private var meaning: String {
    if isSkipped { return "does not exist. This is the moment of the change." }
    guard moments.count == 1, let which = which(moments[0]) else { return "comes twice. This is both." }
    return "comes twice. This is the \(which) time."
  }

  private func lines(_ time: Int, _ clock: ClockText) -> [String] {
    let decision = program.decision(at: time)
    var lines: [String] = []
    if change != nil { lines.append("At \(clock.reading(time)), UTC\(clock.offset(at: time)):") }
    lines.append("on screen    \(program.summary(of: decision))")
    lines.append("decided by   \(decision.decidedBy.text)")
    if let next = program.nextChange(after: time) {
      let wait = Duration.seconds(next.at - time).spelled
      lines.append("next change  \(clock.moment(next.at)), in \(wait): \(program.summary(of: next.decision))")
      lines.append("             \(next.decision.decidedBy.text)")
    } else {
      lines.append("next change  never")
    }
    if let cut = program.nextCut(after: time - 1) {
      let interrupt = program.plan.interrupts[cut.interrupt]
      let items = interrupt.items.map(\.name).joined(separator: ", ")
      lines.append("interrupt    \(clock.moment(cut.at)): \(items) (line \(interrupt.span.line))")
    }
    return lines
  }

  // MARK: JSON

  /// What `at --json` prints.
  package var json: JSONValue {
    let clock = ClockText(zone: program.zone)
    var object = program.heading
    object["reading"] = .string("\(CivilDate(at: wall).iso) \(CivilDate.clock(at: wall))")
    object["exists"] = change == nil ? "once" : isSkipped ? "never" : "twice"
    object["moments"] = .array(
      moments.map { time in
        var object: JSONObject = ["at": .string(clock.stamp(time))]
        object["which"] = which(time).map { .string($0) }
        add(program.decision(at: time), to: &object)
        if let next = program.nextChange(after: time) {
          var change: JSONObject = ["at": .string(clock.stamp(next.at)), "seconds": .int(next.at - time)]
          add(next.decision, to: &change)
          object["next"] = .object(change)
        }
        if let cut = program.nextCut(after: time - 1) {
          let interrupt = program.plan.interrupts[cut.interrupt]
          object["interrupt"] = [
            "at": .string(clock.stamp(cut.at)), "line": .int(interrupt.span.line),
            "play": .array(interrupt.items.map { .string($0.name) }),
          ]
        }
        return .object(object)
      })
    return .object(object)
  }

  private func add(_ decision: Decision, to object: inout JSONObject) {
    for member in program.json(of: decision).members { object[member.name] = member.value }
  }
}
