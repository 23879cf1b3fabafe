import CastClient
import CastProtocol
import ScenarioLanguage

/// `send` and `expect_message`: channels that only an app knows.
extension ScenarioRun {
  func send(_ action: Plan.SendAction, until deadline: Duration) async throws(StepFailure) {
    let connection = try requireConnection()
    let payload: CastMessage.Payload =
      switch action.payload {
      case nil: .text(try secrets.revealed(action.message).serialized())
      case .text(let text): .text(text)
      case .bytes(let bytes): .binary(bytes)
      }
    let namespace = Namespace(rawValue: action.namespace)
    let session = action.destination == .receiver || action.waitsForApp ? nil : try requireApp()
    await catchUp()
    let start = observed
    do {
      if action.waitsForApp {
        try await connection.sendToNextApp(payload, on: namespace, until: deadline)
      } else {
        try await connection.send(payload, on: namespace, to: session, until: deadline)
      }
    } catch { throw StepFailure(error) }
    guard let pattern = action.reply else { return }
    var search = MessageSearch(pattern, on: action.namespace, saved: saved, secrets: secrets)
    try await look(for: &search, after: start, until: deadline)
    guard search.found == nil else { return }
    throw StepFailure(.timeout, "no reply fits: \(search.shortcoming)")
  }

  func expectMessage(_ action: Plan.MessageAction, of step: Plan.Step) async throws(StepFailure) {
    let deadline = now + action.within
    await catchUp()
    let start = min(try self.start(of: action.since), observed)
    var search = MessageSearch(action.pattern, on: action.namespace, saved: saved, secrets: secrets)
    try await look(for: &search, after: start, until: deadline)
    var fields = (search.mismatches.first?.span ?? step.span).fields
    fields["want"] = search.want
    fields["got"] = .object(search.got)
    fields["mismatches"] = .array(search.mismatches.map { .string("\(MessageSearch.field).\($0.path.text)") })
    fields["messages"] = .int(search.count)
    fields["estimated"] = false
    if search.count == 0 { fields["remark"] = .string(search.shortcoming) }
    fields["because"] = action.because.map(JSONValue.string) ?? .null
    emit(search.found == nil ? .expectFailed : .expectPassed, step: step.id, fields)
    if search.found == nil { throw StepFailure(.expectation, search.shortcoming) }
  }

  /// Feeds a search what came after observation `start` and what comes until `deadline`.
  private func look(
    for search: inout MessageSearch, after start: Int, until deadline: Duration
  ) async throws(StepFailure) {
    var seen = start
    let connection = try requireConnection()
    for observation in await connection.observations(after: seen) {
      seen = max(seen, observation.number)
      if search.takes(observation) { return }
    }
    while now < deadline {
      let new = await connection.nextObservations(after: seen, until: deadline)
      await catchUp()
      if awaitsReplacement { await settleLosses() }
      if Task.isCancelled { throw .cancelled }
      for observation in new {
        seen = observation.number
        if observation.scope == .connection, !observation.snapshot.isConnected { throw lost(observation) }
        if search.takes(observation) { return }
      }
      if new.isEmpty {
        _ = try requireConnection()
        if self.connection !== connection { throw Self.lostBefore }
      }
    }
  }
}

/// Looks for the first message that fits a pattern, and remembers the one that came nearest.
struct MessageSearch: Sendable {
  /// What events call the message, so that its members are no status fields.
  static let field = "message"

  private let pattern: Plan.MessagePattern
  private let namespace: Namespace
  private let saved: [String: JSONValue]
  private let secrets: Secrets
  /// Messages on the namespace so far.
  private(set) var count = 0
  /// The message that fits.
  private(set) var found: JSONValue?
  /// What keeps the nearest message from fitting.
  private(set) var mismatches: [FieldMismatch] = []
  private var nearest: JSONValue?

  init(_ pattern: Plan.MessagePattern, on namespace: String, saved: [String: JSONValue], secrets: Secrets) {
    self.pattern = pattern
    self.namespace = Namespace(rawValue: namespace)
    self.saved = saved
    self.secrets = secrets
  }

  /// Whether this is the message that was looked for.
  mutating func takes(_ observation: Observation) -> Bool {
    guard observation.namespace == namespace, let message = observation.message else { return false }
    return takes(message)
  }

  mutating func takes(_ message: JSONValue) -> Bool {
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

  var want: JSONValue {
    [Self.field: pattern.json { ConditionJudge.value(of: $0, in: saved) }]
  }

  /// What the nearest message says of what was asked; absent members are `null`.
  var got: JSONObject {
    var object = JSONObject()
    guard let nearest else { return object }
    for path in mismatches.map(\.path) + pattern.condition.leaves.map(\.path) {
      object.set(nearest.member(at: path.parts) ?? .null, at: ([Self.field] + path.parts)[...])
    }
    return object
  }

  /// Why nothing fits.
  var shortcoming: String {
    guard count > 0 else { return "no message came on \(namespace.rawValue)" }
    return mismatches.map { mismatch in
      let observed = mismatch.mismatch.actual.map { $0.text(as: .free) } ?? "none"
      return "\(mismatch.path.text): expected \(mismatch.mismatch.expected.text(as: .free)), observed \(observed)"
    }.joined(separator: ", ")
  }
}

extension JSONValue {
  /// The value at names of members, from the outside in; a number counts the elements of a list from 0.
  fileprivate func member(at path: [String]) -> JSONValue? {
    path.reduce(Optional(self)) { value, name in
      switch value {
      case .object(let object)?: object[name]
      case .array(let elements)?: Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
      default: nil
      }
    }
  }
}
