package import CastProtocol

/// How near one field of an expectation, or of a rule of `watch`, came to its limit over the runs of its step.
package struct MatcherTrend: Sendable {
  package let subject: EventKind.Margin.Subject
  /// Oldest first; `nil` of runs that do not tell it.
  package let margins: [EventKind.Margin?]

  /// Those of a step, in the order of the newest run that tells any.
  static func all(of points: [StepTrend.Point]) -> [MatcherTrend] {
    let told = points.map { point in
      Dictionary((point.isGood ? point.step.margins : []).map { ($0.subject, $0) }) { first, _ in first }
    }
    let newest = points.last { !$0.step.margins.isEmpty }?.step.margins ?? []
    return newest.map { margin in MatcherTrend(subject: margin.subject, margins: told.map { $0[margin.subject] }) }
  }

  /// That of the newest run that tells one.
  package var newest: EventKind.Margin? { margins.lazy.compactMap(\.self).last }

  /// After how many more runs nothing will be left, where it goes there. Runs with another limit are not compared.
  package var runsLeft: Int? {
    guard let newest else { return nil }
    let alike = margins.compactMap(\.self).reversed().prefix { $0.hasSameLimit(as: newest) }.reversed()
    return Drift(alike.map { -$0.left })?.runs(until: 0, of: alike.count)
  }

  /// What somebody should know of it.
  func driftText(_ runs: Int) -> String {
    guard runs > 0 else { return "has `\(subject.word)` at its limit" }
    return "has less left of `\(subject.word)` each time: at its limit in about \(runs == 1 ? "1 run" : "\(runs) runs")"
  }

  /// `2% left of 5%`.
  var leftText: String {
    guard let newest else { return "" }
    return "\(newest.shown(newest.left)) left" + (newest.room.map { " of \(newest.shown($0))" } ?? "")
  }

  package var json: JSONValue {
    var json: JSONObject = ["field": subject.json]
    json["left"] = newest.map { JSONValue($0.left) }
    json["of"] = newest?.room.map { JSONValue($0) }
    json["limit"] = newest?.limit.map { JSONValue($0) }
    json["runsLeft"] = runsLeft.map(JSONValue.int)
    json["runs"] = .array(margins.map { $0.map { JSONValue($0.left) } ?? .null })
    return .object(json)
  }
}

/// The software of the devices of a scenario, as they called it.
package struct ScenarioFirmware: Hashable, Sendable {
  /// By role; of a scenario without roles under the empty one. Devices that told none are left out.
  package var versions: [String: String]

  package init(_ versions: [String: String]) { self.versions = versions }

  /// A text without roles, else an object of them; `nil` where no device told any.
  package var json: JSONValue? {
    if let only = versions[""] { return .string(only) }
    guard !versions.isEmpty else { return nil }
    return .object(JSONObject(versions.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }))
  }

  /// Reads what ``json`` writes; anything else tells nothing.
  package init(_ json: JSONValue?) {
    versions = json?.string.map { ["": $0] } ?? [:]
    for member in json?.object?.members ?? [] { versions[member.name] = member.value.string }
  }
}

/// A device that had other software from some run on.
package struct FirmwareChange: Hashable, Sendable {
  /// The first run with it.
  package var run: String
  /// Unix seconds.
  package var startedAt: Double
  /// The device's role; empty where the scenario has none.
  package var role: String
  package var from: String
  package var to: String

  /// `1.68 since 2026-11-21 09:00 UTC, run 01JD…; 1.56 before`, with roles `left 1.68 since …`.
  var text: String {
    "\(role.isEmpty ? "" : role + " ")\(to) since \(TrendText.minute(startedAt)) UTC, run \(run); \(from) before"
  }

  package var json: JSONValue {
    var json: JSONObject = ["run": .string(run)]
    if !role.isEmpty { json["role"] = .string(role) }
    (json["from"], json["to"]) = (.string(from), .string(to))
    return .object(json)
  }
}
