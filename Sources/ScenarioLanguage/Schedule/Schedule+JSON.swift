import CastProtocol

extension Schedule {
  var json: JSONValue {
    var object: JSONObject
    switch recurrence {
    case .cron(let cron): object = ["cron": .string(cron.text)]
    case .at(let times, let days):
      object = ["at": .array(times.map { .string(WeeklyIntervals.clock($0)) }), "days": .array(days.dayNames)]
    case .every(let seconds, let days): object = ["every": .int(seconds), "days": .array(days.dayNames)]
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
      case .at(let times, let days): "at \(times.map(WeeklyIntervals.clock).joined(separator: ", "))\(days.listed)"
      case .every(let seconds, let days): "every \(Duration.seconds(seconds).spelled)\(days.listed)"
      }
    var text = when + (timeZone.map { " \($0)" } ?? "")
    if jitter > .zero { text += ", jitter \(jitter.spelled)" }
    if overlap != .skip { text += ", overlap: \(overlap.rawValue)" }
    if let missedWithin { text += ", missed: run once within \(missedWithin.spelled)" }
    if missing != .runAfter { text += ", a missing time is skipped" }
    if repeated != .once { text += ", a repeated time runs twice" }
    return text
  }
}

extension Set<Int> {
  /// Days of the week, 0 being Monday, by their names.
  var dayNames: [JSONValue] {
    sorted().compactMap { TimeScalar.dayNames.indices.contains($0) ? .string(TimeScalar.dayNames[$0]) : nil }
  }

  /// ` on mon, wed`, nothing where it is every day.
  var listed: String {
    count == 7 ? "" : " on " + dayNames.compactMap(\.string).joined(separator: ", ")
  }
}
