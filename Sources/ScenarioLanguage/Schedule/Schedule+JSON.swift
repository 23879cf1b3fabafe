import CastProtocol

extension Schedule {
  var json: JSONValue {
    var object = JSONObject()
    recurrence.add(to: &object)
    switch recurrence {
    case .cron: break
    case .at(_, let days), .every(_, let days): object["days"] = .array(CivilDate.names(of: days).map { .string($0) })
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
    var text = recurrence.text + (timeZone.map { " \($0)" } ?? "")
    if jitter > .zero { text += ", jitter \(jitter.spelled)" }
    if overlap != .skip { text += ", overlap: \(overlap.rawValue)" }
    if let missedWithin { text += ", missed: run once within \(missedWithin.spelled)" }
    if missing != .runAfter { text += ", a missing time is skipped" }
    if repeated != .once { text += ", a repeated time runs twice" }
    return text
  }
}

extension Recurrence {
  /// Its times under the key that documents have them under.
  func add(to object: inout JSONObject) {
    switch self {
    case .cron(let cron): object["cron"] = .string(cron.text)
    case .at(let times, _): object["at"] = .array(times.map { .string(WeeklyIntervals.clock($0)) })
    case .every(let seconds, _): object["every"] = .int(seconds)
    }
  }

  /// `every 30m`, `at 07:00 on mon, wed`.
  var text: String {
    switch self {
    case .cron(let cron): "cron \(cron.text)"
    case .at(let times, let days):
      "at \(times.map(WeeklyIntervals.clock).joined(separator: ", "))\(Self.listed(days))"
    case .every(let seconds, let days): "every \(Duration.seconds(seconds).spelled)\(Self.listed(days))"
    }
  }

  private static func listed(_ days: Set<Int>) -> String {
    days.count == 7 ? "" : " on " + CivilDate.names(of: days).joined(separator: ", ")
  }
}
