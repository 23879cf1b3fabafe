package import CastProtocol
import RunReporting
package import ScenarioLanguage

/// A condition with the values saved so far: what the machines share.
package struct ConditionJudge: Sendable {
  package let condition: Condition
  package var saved: [String: JSONValue]
  private var messages: MessagesRead

  package init(condition: Condition, saved: [String: JSONValue]) {
    self.condition = condition
    self.saved = saved
    messages = MessagesRead(for: condition)
  }

  /// The view that many fields can be read from as cheaply as one; what is judged more than once is prepared first.
  package mutating func prepared(_ view: StatusView) -> StatusView { messages.read(view) }

  private func read(_ view: StatusView) -> StatusView {
    var messages = messages
    return messages.read(view)
  }

  /// The fields that do not fit at the view's moment.
  package func mismatches(
    in view: StatusView, advances: (FieldPath, Double, Double) -> Bool = { _, _, _ in false }
  ) -> [FieldMismatch] {
    let view = read(view)
    return condition.mismatches(
      value: view.value(of:), resolve: { Self.value(of: $0, in: saved) }, before: view.valueBefore(of:),
      advances: advances)
  }

  /// A saved value, or a part of one by its path.
  package static func value(of name: String, in saved: [String: JSONValue]) -> JSONValue? {
    if let value = saved[name] { return value }
    // The name of a library's variable has dots of its own.
    guard let head = name.dottedPrefixes.first(where: { saved[$0] != nil }), let whole = saved[head] else { return nil }
    let rest = name.dropFirst(head.count + 1).split(separator: ".", omittingEmptySubsequences: false)
    return rest.reduce(Optional(whole)) { $0?[String($1)] }
  }

  /// The judged fields, those in `first` before the others; absent ones are `null`.
  package func values(in view: StatusView, first mismatches: [FieldMismatch]) -> JSONObject {
    let view = read(view)
    var object = JSONObject()
    for path in mismatches.map(\.path) + condition.leaves.map(\.path) {
      let value = path.variable.map { Self.value(of: $0, in: saved) } ?? view.value(of: path)
      object.set((value ?? .null).roundedToMilliseconds, at: path.parts[...])
    }
    return object
  }

  /// What was wanted, the fields in `first` before the others.
  package func want(first mismatches: [FieldMismatch]) -> JSONValue {
    guard let members = condition.json(resolve: { Self.value(of: $0, in: saved) }).object?.members else { return .null }
    let missed = Set(mismatches.compactMap(\.path.parts.first))
    return .object(
      JSONObject(members.filter { missed.contains($0.name) } + members.filter { !missed.contains($0.name) }))
  }

  /// How near the fields that fit are to their limits.
  func margins(in view: StatusView) -> [EventKind.Margin] {
    let view = read(view)
    return condition.margins(value: view.value(of:), resolve: { Self.value(of: $0, in: saved) })
  }

  package func crossings(in view: StatusView) -> [Duration] { view.crossings(of: condition, saved: saved) }
}

extension Array where Element == FieldMismatch {
  /// How far from holding, for comparing: first the number of fields, then their distances.
  package var remoteness: (count: Int, distance: Double) {
    (count, reduce(0) { $0 + ($1.mismatch.distance ?? 1e9) })
  }
}

/// Remembers the moment a condition was closest to holding.
package struct NearMissTracker: Sendable {
  package private(set) var nearest: Verdict.NearMiss?
  private var remoteness = (count: Int.max, distance: Double.infinity)

  package mutating func consider(_ mismatches: [FieldMismatch], in view: StatusView) {
    guard !mismatches.isEmpty else { return }
    let found = mismatches.remoteness
    guard found < remoteness else { return }
    remoteness = found
    var values = JSONObject()
    for mismatch in mismatches {
      values.set((mismatch.mismatch.actual ?? .null).roundedToMilliseconds, at: mismatch.path.parts[...])
    }
    nearest = Verdict.NearMiss(at: view.at, values: values)
  }
}
