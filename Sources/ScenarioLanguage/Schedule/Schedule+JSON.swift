import CastProtocol

extension Schedule {
  var json: JSONValue {
    var object: JSONObject
    switch recurrence {
    case .cron(let cron): object = ["cron": .string(cron.text)]
    case .at(let times, let days):
      object = ["at": .array(times.map { .string(WeeklyIntervals.clock($0)) }), "days": Self.json(days)]
    case .every(let seconds, let days): object = ["every": .int(seconds), "days": Self.json(days)]
    }
    object["timezone"] = timeZone.map { .string($0) }
    object["jitter"] = jitter.json
    object["overlap"] = .string(overlap.rawValue)
    object["missed"] = missedWithin == nil ? "skip" : "run_once"
    object["within"] = missedWithin?.json
    object["dst"] = ["missing": .string(missing.rawValue), "repeated": .string(repeated.rawValue)]
    object["line"] = .int(span.line)
    object["column"] = .int(span.column)
    return .object(object)
  }

  /// What listings print: `cron 30 2 * * * Europe/Paris`.
  package var text: String {
    let when =
      switch recurrence {
      case .cron(let cron): "cron \(cron.text)"
      case .at(let times, let days):
        "at \(times.map(WeeklyIntervals.clock).joined(separator: ", "))\(Self.listed(days))"
      case .every(let seconds, let days): "every \(Duration.seconds(seconds).spelled)\(Self.listed(days))"
      }
    var text = when + (timeZone.map { " \($0)" } ?? "")
    if jitter > .zero { text += ", jitter \(jitter.spelled)" }
    if overlap != .skip { text += ", overlap: \(overlap.rawValue)" }
    if let missedWithin { text += ", missed: run once within \(missedWithin.spelled)" }
    if missing != .runAfter { text += ", a missing time is skipped" }
    if repeated != .once { text += ", a repeated time runs twice" }
    return text
  }

  private static func json(_ days: Set<Int>) -> JSONValue { .array(CivilDate.names(of: days).map { .string($0) }) }

  /// ` on mon, wed`, nothing where it is every day.
  private static func listed(_ days: Set<Int>) -> String {
    days.count == 7 ? "" : " on " + CivilDate.names(of: days).joined(separator: ", ")
  }
}
