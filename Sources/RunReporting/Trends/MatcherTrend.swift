package import CastProtocol

/// How near one field of an expectation, or of a rule of `watch`, came to its limit over the runs of its step.
package struct MatcherTrend: Sendable {
  package let field: String
  /// Oldest first; `nil` of runs that do not tell it.
  package let margins: [EventKind.Margin?]

  /// Those of a step, in the order of the newest run in which it was good.
  static func all(of points: [StepTrend.Point]) -> [MatcherTrend] {
    let newest = points.last { $0.isGood }?.margins ?? []
    return newest.map { margin in
      MatcherTrend(
        field: margin.field,
        margins: points.map { point in point.isGood ? point.margins.first { $0.field == margin.field } : nil })
    }
  }

  /// That of the newest run.
  package var newest: EventKind.Margin? { margins.lazy.compactMap(\.self).last }

  /// After how many more runs nothing will be left, where it goes there.
  package var runsLeft: Int? {
    Drift(margins.compactMap { $0.map { -$0.left } })?.runs(until: 0, of: margins.count)
  }

  /// What somebody should know of it.
  func driftText(_ runs: Int) -> String {
    guard runs > 0 else { return "has `\(field)` at its limit" }
    return "has less left of `\(field)` each time: at its limit in about \(runs == 1 ? "1 run" : "\(runs) runs")"
  }

  /// `2% left of 5%`.
  var leftText: String {
    guard let newest else { return "" }
    return "\(newest.shown(newest.left)) left" + (newest.room.map { " of \(newest.shown($0))" } ?? "")
  }

  package var json: JSONValue {
    var json: JSONObject = ["field": .string(field)]
    json["left"] = newest.map { .milliseconds($0.left) }
    json["of"] = newest?.room.map(JSONValue.milliseconds)
    json["runsLeft"] = runsLeft.map(JSONValue.int)
    json["runs"] = .array(margins.map { $0.map { .milliseconds($0.left) } ?? .null })
    return .object(json)
  }
}

/// A device that had other software from some run on.
package struct FirmwareChange: Hashable, Sendable {
  /// The first run with it.
  package var run: String
  /// Unix seconds.
  package var startedAt: Double
  package var from: String
  package var to: String

  /// `1.68 since 2026-11-21 09:00 UTC, run 01JD…; 1.56 before`.
  var text: String { "\(to) since \(TrendText.minute(startedAt)) UTC, run \(run); \(from) before" }

  package var json: JSONValue { ["run": .string(run), "from": .string(from), "to": .string(to)] }
}
