package import CastProtocol
package import ScenarioLanguage

/// The week of a playlist, day by day, what was planned beside what its screens showed.
package struct ShownWeek: Sendable {
  /// What a screen did in a part of the plan, in seconds.
  package struct Shown: Hashable, Sendable {
    package var screen: String
    /// Of what was planned, or of an interrupt, an alarm or a wish that came into it.
    package var planned = 0.0
    /// Of another line: the fallback, or what an earlier edition of the playlist had.
    package var other = 0.0
    /// An item was on, and nothing that the receiver said proves it.
    package var unproven = 0.0
    package var gaps: [String: Double] = [:]
    /// No record is about it.
    package var unrecorded = 0.0
  }

  package struct Slot: Sendable {
    package var stretch: Program.Stretch
    /// Seconds of it that are over.
    package var elapsed: Double
    package var screens: [Shown]
  }

  package let week: WeekView
  package let days: [(date: CivilDate, slots: [Slot])]

  /// - Parameters:
  ///   - date: A day of the week, which begins on its Monday.
  ///   - screens: Those that are told of.
  ///   - time: Unix time; what is later is only planned.
  package init(_ program: Program, of date: CivilDate, _ log: ShownLog, screens: [String], at time: Double) {
    week = WeekView(program, from: CivilDate(dayNumber: date.dayNumber - date.weekday))
    days = week.days.map { day in
      let slots = day.stretches.map { stretch in
        let range = Double(stretch.range.lowerBound)..<Double(stretch.range.upperBound)
        let end = min(range.upperBound, max(range.lowerBound, time))
        let shown =
          end > range.lowerBound
          ? screens.map { Self.shown(log.stretches[$0] ?? [], of: $0, range.lowerBound..<end, stretch.decision) } : []
        return Slot(stretch: stretch, elapsed: end - range.lowerBound, screens: shown)
      }
      return (day.date, slots)
    }
  }

  private static func shown(
    _ stretches: [ShownLog.Stretch], of screen: String, _ range: Range<Double>, _ decision: Decision
  ) -> Shown {
    var shown = Shown(screen: screen)
    var recorded = 0.0
    for stretch in stretches where stretch.start < range.upperBound && stretch.end > range.lowerBound {
      let length = min(stretch.end, range.upperBound) - max(stretch.start, range.lowerBound)
      recorded += length
      if stretch.isGap {
        shown.gaps[stretch.name, default: 0] += length
        continue
      }
      // What was shown is shared out by length.
      let all = stretch.end - stretch.start
      let proven = all > 0 ? min(length, stretch.shown * length / all) : 0
      shown.unproven += length - proven
      let isPlanned =
        stretch.name == decision.ruleName || ScreenCursor.Part(ledgerName: stretch.name)?.comesBetween ?? false
      if isPlanned { shown.planned += proven } else { shown.other += proven }
    }
    shown.unrecorded = max(0, range.upperBound - range.lowerBound - recorded)
    return shown
  }

  /// What `week --json` has, and `days`, each with the parts of its plan and what the screens did in them.
  package var json: JSONValue {
    var object = week.json.object ?? [:]
    object["days"] = .array(
      days.map { date, slots in ["date": .string(date.iso), "slots": .array(slots.map(json))] })
    return .object(object)
  }

  private func json(_ slot: Slot) -> JSONValue {
    let clock = ClockText(zone: week.program.zone)
    let (decision, range) = (slot.stretch.decision, slot.stretch.range)
    return [
      "from": .string(clock.stamp(range.lowerBound)), "to": .string(clock.stamp(range.upperBound)),
      "name": .string(week.program.name(of: decision)), "shows": .string(week.program.kind(of: decision)),
      "play": .array(week.program.items(of: decision).map { .string($0) }), "line": .int(decision.decidedBy.line),
      "seconds": .int(range.count), "elapsed": JSONValue(LedgerTime.rounded(slot.elapsed)),
      "screens": .array(slot.screens.map(json)),
    ]
  }

  private func json(_ shown: Shown) -> JSONValue {
    func seconds(_ value: Double) -> JSONValue { JSONValue(LedgerTime.rounded(value)) }
    return [
      "screen": .string(shown.screen), "shown": seconds(shown.planned), "other": seconds(shown.other),
      "unproven": seconds(shown.unproven), "unrecorded": seconds(shown.unrecorded),
      "gaps": .object(JSONObject(shown.gaps.sorted { $0.key < $1.key }.map { .init($0.key, seconds($0.value)) })),
    ]
  }
}
