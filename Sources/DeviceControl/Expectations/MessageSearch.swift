package import CastClient
package import CastProtocol
package import RunReporting
package import ScenarioLanguage

/// Looks for the first message that fits a pattern, and remembers the one that came nearest.
package struct MessageSearch: Sendable {
  /// What events call the message, so that its members are no status fields.
  package static let field = "message"

  private let pattern: Plan.MessagePattern
  private let namespace: Namespace
  private let saved: [String: JSONValue]
  private let secrets: Secrets
  /// Messages on the namespace so far.
  package private(set) var count = 0
  /// The message that fits.
  package private(set) var found: JSONValue?
  /// What keeps the nearest message from fitting.
  package private(set) var mismatches: [FieldMismatch] = []
  private var nearest: JSONValue?

  package init(_ pattern: Plan.MessagePattern, on namespace: String, saved: [String: JSONValue], secrets: Secrets) {
    self.pattern = pattern
    self.namespace = Namespace(rawValue: namespace)
    self.saved = saved
    self.secrets = secrets
  }

  /// Whether this is the message that was looked for.
  package mutating func takes(_ observation: Observation) -> Bool {
    guard observation.namespace == namespace, let message = observation.message else { return false }
    return takes(message)
  }

  package mutating func takes(_ message: JSONValue) -> Bool {
    count += 1
    // Secrets that come back are known by their names.
    let message = secrets.hidden(message)
    let differences = pattern.mismatches(in: message) { ConditionJudge.value(of: $0, in: saved) }
    if differences.isEmpty {
      (found, nearest, mismatches) = (message, message, [])
      return true
    }
    // Of two that are as near the later one says more.
    if nearest == nil || differences.count <= mismatches.count { (nearest, mismatches) = (message, differences) }
    return false
  }

  package var want: JSONValue {
    [Self.field: pattern.json { ConditionJudge.value(of: $0, in: saved) }]
  }

  /// What the nearest message says of what was asked; absent members are `null`.
  package var got: JSONObject {
    var object = JSONObject()
    guard let nearest else { return object }
    for path in mismatches.map(\.path) + pattern.condition.leaves.map(\.path) {
      object.set(nearest.member(at: path.parts) ?? .null, at: ([Self.field] + path.parts)[...])
    }
    return object
  }

  /// Why nothing fits.
  package var shortcoming: String {
    guard count > 0 else { return "no message came on \(namespace.rawValue)" }
    return mismatches.map { mismatch in
      let observed = mismatch.mismatch.actual.map { $0.text(as: .free) } ?? "none"
      return "\(mismatch.path.text): expected \(mismatch.mismatch.expected.text(as: .free)), observed \(observed)"
    }.joined(separator: ", ")
  }
}
