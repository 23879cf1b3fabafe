package import CastProtocol
package import RunReporting
package import ScenarioLanguage

/// `expect_together`: a condition holds on several devices at once, and each entered it within a time of the others
/// (docs/language/conditions.md "How they are judged").
package struct TogetherStateMachine: Sendable {
  private struct Member: Sendable {
    /// When the device entered the condition in which it is; `nil` while it is not.
    var since: Duration?
    var mismatches: [FieldMismatch] = []
    var values = JSONObject()
    /// Whether the newest judgement rests on what was calculated since the device's last word.
    var isEstimated = false
  }

  private let judge: ConditionJudge
  private let roles: [String]
  private let skew: Duration?
  private var members: [Member]

  package init(_ action: Plan.TogetherAction, saved: [String: JSONValue]) {
    judge = ConditionJudge(condition: action.condition, saved: saved)
    roles = action.roles
    skew = action.skew
    members = Array(repeating: Member(), count: action.roles.count)
  }

  /// Takes the state of the device of role number `index` at the view's moment.
  package mutating func observe(_ view: StatusView, of index: Int) {
    guard members.indices.contains(index) else { return }
    let mismatches = judge.mismatches(in: view)
    members[index].mismatches = mismatches
    members[index].values = judge.values(in: view, first: mismatches)
    members[index].isEstimated = view.isEstimated(judge.condition)
    members[index].since = mismatches.isEmpty ? members[index].since ?? view.at : nil
  }

  /// When the condition may change by itself on a device.
  package func nextCrossing(of view: StatusView) -> Duration? { judge.crossings(in: view).first { $0 > view.at } }

  package var hasPassed: Bool {
    guard let spread else { return false }
    return skew.map { spread <= $0 } ?? true
  }

  /// How far apart the devices entered the condition; `nil` while not all are in it.
  package var spread: Duration? {
    let times = members.compactMap(\.since)
    guard times.count == members.count, let first = times.min(), let last = times.max() else { return nil }
    return last - first
  }

  /// How near the devices were to being too far apart.
  package var margin: EventKind.Margin? {
    guard hasPassed, let skew, skew > .zero, let spread else { return nil }
    return EventKind.Margin(.timeBetweenDevices, left: (skew - spread).seconds, of: skew.seconds)
  }

  /// Whether any device was judged by what was calculated, and not by what it said.
  package var isEstimated: Bool { members.contains { $0.isEstimated } }

  package var condition: Condition { judge.condition }
  package var want: JSONValue { judge.want(first: []) }

  /// What each device says of the condition.
  package var got: JSONObject { JSONObject(zip(roles, members).map { .init($0, .object($1.values)) }) }

  /// The place in the document of what does not hold.
  package var span: SourceSpan? { members.lazy.compactMap(\.mismatches.first?.span).first }

  /// Why it does not hold.
  package var shortcoming: String {
    let failing = zip(roles, members).filter { $1.since == nil }
    if failing.isEmpty, let spread, let first = members.compactMap(\.since).min() {
      let entries = zip(roles, members).map { role, member in
        "\(role) +\(((member.since ?? first) - first).seconds.decimals(3))s"
      }
      return "entered \(spread.seconds.decimals(3))s apart, at most \(skew?.spelled ?? "") is allowed: "
        + entries.joined(separator: ", ")
    }
    return failing.map { role, member in
      "\(role): \(member.mismatches.isEmpty ? "not seen" : member.mismatches.map(\.text).joined(separator: ", "))"
    }.joined(separator: "; ")
  }
}
