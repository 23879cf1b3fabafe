package import CastProtocol
import ScenarioLanguage

/// A failed expectation in words, from its event alone: what was expected, observed, nearest, and seen.
package struct VerdictText {
  private let judged: EventKind.Expectation
  private let statuses: [RunTranscript.SeenStatus]
  private let polled: Int

  /// - Parameter fields: Those of an `expect.failed` event.
  package init(_ fields: JSONObject) { self.init(EventKind.Expectation(fields: fields)) }

  /// - Parameters:
  ///   - statuses: The last that came while it was judged.
  ///   - polled: How many of all had to be asked for.
  package init(_ judged: EventKind.Expectation, statuses: [RunTranscript.SeenStatus] = [], polled: Int = 0) {
    self.judged = judged
    self.statuses = statuses
    self.polled = polled
  }

  package init(_ step: RunTranscript.Step) {
    self.init(step.failedExpectation ?? EventKind.Expectation(), statuses: step.statuses, polled: step.polledStatuses)
  }

  /// The first field that did not fit; `expect` when none is to blame.
  package var field: String { judged.mismatches.first ?? "" }

  /// `position 10.0s ± 1s, break none`.
  package var expected: String { WantText.conditions(judged.want) }

  /// `position 18.0s, break none (estimated)`: with what docs/language/conditions.md "How they are judged" marks.
  package var observed: String {
    let marks = [judged.isEstimated ? "estimated" : nil, judged.isPolled ? "polled" : nil].compactMap(\.self)
    return WantText.values(judged.got) + (marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))")
  }

  /// `position 12.1s at +31.3s`; `nil` when nothing came near.
  package var nearest: String? {
    guard let nearest = judged.nearest,
      nearest.values.members.contains(where: { judged.got[$0.name] != $0.value })
    else { return nil }
    return "\(WantText.values(nearest.values)) at +\(nearest.elapsed.decimals(1, padded: true))s"
  }

  /// `position: expected 10.0s ± 1s, observed 18.0s, nearest 12.1s`.
  package var oneLine: String {
    let path = FieldPath(field.split(separator: ".").map(String.init))
    let wants = WantText.leaves(judged.want).filter { $0.path == path }
    guard !path.parts.isEmpty, !wants.isEmpty else {
      return remark ?? "expected \(expected), observed \(WantText.values(judged.got))"
    }
    let type = StatusField.type(of: path)
    func shown(_ object: JSONObject?) -> String? {
      path.parts.reduce(object.map(JSONValue.object)) { $0?[$1] }?.text(as: type)
    }
    let want = wants.map(\.text).joined(separator: ", ")
    var text = "\(path.text): expected \(want), observed \(shown(judged.got) ?? "none")"
    if nearest != nil, let near = shown(judged.nearest?.values) { text += ", nearest \(near)" }
    return text
  }

  /// `+31.3 playing 12.1 no break · +36.1 playing 16.9 no break   (9 in window, none polled)`.
  package var statusLine: String? {
    let count = judged.statuses ?? statuses.count
    if count == 0 { return "none came in the window" }
    let total = "(\(count) in window, \(polled == 0 ? "none" : "\(polled)") polled)"
    guard !statuses.isEmpty else { return total }
    let paths = WantText.leaves(judged.want).compactMap(\.path.parts.first)
    let seen = statuses.suffix(2).map { status in
      "+\(status.elapsed.decimals(1, padded: true)) \(StatusText.summary(of: status.values, also: paths))"
    }
    return "\(seen.joined(separator: " · "))   \(total)"
  }

  package var because: String? { judged.because }
  package var remark: String? { judged.remark }
}

/// A merged status on one line.
package enum StatusText {
  /// The player's state, position and break, then the fields in `also`.
  package static func summary(of values: JSONObject, also names: [String] = []) -> String {
    var parts = [values["player"]?.string ?? "no media"]
    if let position = values["position"]?.number { parts.append(position.decimals(1, padded: true)) }
    parts.append(values["break"].map { "break \(breakName($0))" } ?? "no break")
    var told = ["player", "position", "position_reported", "break"]
    for name in names where !told.contains(name) {
      told.append(name)
      let value = values[name] ?? .null
      parts.append("\(name) \(WantText.value(value, at: FieldPath([name])))")
    }
    return parts.joined(separator: " ")
  }

  /// `mid/car`.
  package static func breakName(_ value: JSONValue) -> String {
    [value["id"]?.string, value["clip"]?.string].compactMap { $0 }.joined(separator: "/")
  }
}
