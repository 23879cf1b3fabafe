package import CastProtocol
import ScenarioLanguage

extension WeekView {
  /// What `week --json` prints: stretches over midnights, clock changes, interrupts.
  package var json: JSONValue {
    let clock = ClockText(zone: program.zone)
    let range = (days.first?.range.lowerBound ?? 0)..<(days.last?.range.upperBound ?? 0)
    var object = program.heading
    object["from"] = .string(clock.stamp(range.lowerBound))
    object["to"] = .string(clock.stamp(range.upperBound))
    object["stretches"] = .array(
      stretches.map { stretch in
        var object: JSONObject = [
          "from": .string(clock.stamp(stretch.range.lowerBound)), "to": .string(clock.stamp(stretch.range.upperBound)),
          "seconds": .int(stretch.range.count),
        ]
        for member in program.json(of: stretch.decision).members { object[member.name] = member.value }
        return .object(object)
      })
    let gapSeconds = gaps.reduce(0) { $0 + $1.range.count }
    object["gapSeconds"] = .int(gapSeconds)
    object["clockChanges"] = .array(
      clockChanges.map { change in
        [
          "at": .string(clock.stamp(change.at)), "before": .int(change.before), "after": .int(change.after),
        ]
      })
    let cuts = Dictionary(grouping: program.cuts(in: range), by: \.interrupt)
    object["interrupts"] = .array(
      program.plan.interrupts.enumerated().map { index, interrupt in
        let times = (cuts[index] ?? []).map(\.at)
        var object: JSONObject = [
          "when": .string(interrupt.when), "line": .int(interrupt.span.line),
          "play": .array(interrupt.items.map { .string($0.name) }), "count": .int(times.count),
        ]
        object["first"] = times.first.map { .string(clock.stamp($0)) }
        return .object(object)
      })
    return .object(object)
  }
}
