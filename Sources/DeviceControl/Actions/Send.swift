import CastClient
import CastProtocol
package import RunReporting
package import ScenarioLanguage

/// `send`: a message on a namespace that only an app knows, and the reply where one is asked for.
struct Send: DeviceVerb {
  let action: Plan.SendAction

  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    let connection = try device.requireConnection()
    let payload: CastMessage.Payload =
      switch action.payload {
      case nil: .text(try device.secrets.revealed(action.message).serialized())
      case .text(let text): .text(text)
      case .bytes(let bytes): .binary(bytes)
      }
    let namespace = Namespace(rawValue: action.namespace)
    let session = action.destination == .receiver || action.waitsForApp ? nil : try device.requireApp()
    await device.catchUp(scope)
    let start = device.link.observed
    do {
      if action.waitsForApp {
        try await connection.sendToNextApp(payload, on: namespace, until: scope.deadline)
      } else {
        try await connection.send(payload, on: namespace, to: session, until: scope.deadline)
      }
    } catch { throw StepFailure(error) }
    guard let pattern = action.reply else { return }
    var search = MessageSearch(
      pattern, on: action.namespace, saved: scope.caller.values, secrets: device.secrets)
    try await device.look(for: &search, after: start, scope)
    guard search.found == nil else { return }
    throw StepFailure(.timeout, "no reply fits: \(search.shortcoming)")
  }
}

extension DeviceSession {
  /// Looks for a message from where the step says on, until the scope's deadline.
  /// - Parameter since: The id of the step whose begin the look-back reaches to; `nil`: the last action.
  package func search(
    for pattern: Plan.MessagePattern, on namespace: String, since: String?, _ scope: ActionScope
  ) async throws(StepFailure) -> MessageSearch {
    await catchUp(scope)
    let start = min(try start(of: since, scope), link.observed)
    var search = MessageSearch(pattern, on: namespace, saved: scope.caller.values, secrets: secrets)
    try await look(for: &search, after: start, scope)
    return search
  }

  /// Feeds a search what came after observation `start` and what comes until the deadline.
  fileprivate func look(
    for search: inout MessageSearch, after start: Int, _ scope: ActionScope
  ) async throws(StepFailure) {
    var seen = start
    let connection = try requireConnection()
    for observation in await connection.observations(after: seen) {
      seen = max(seen, observation.number)
      if search.takes(observation) { return }
    }
    while now < scope.deadline {
      let new = await connection.nextObservations(after: seen, until: scope.deadline)
      await catchUp(scope)
      if awaitsReplacement { await settleLoss(scope) }
      if Task.isCancelled { throw .cancelled }
      for observation in new {
        seen = observation.number
        if observation.scope == .connection, !observation.snapshot.isConnected { throw lost(observation) }
        if search.takes(observation) { return }
      }
      if new.isEmpty {
        _ = try requireConnection()
        if link.connection !== connection { throw Self.lostBefore }
      }
    }
  }
}
