import CastClient
import CastProtocol
import DeviceControl
import RunReporting
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
