import CastClient
package import CastProtocol
package import RunReporting
import ScenarioLanguage

/// Waiting for a state, and judging statuses as they come.
extension DeviceSession {
  /// The open connection.
  func requireConnection() throws(StepFailure) -> CastConnection {
    if link.lostAt != nil { throw Self.lostBefore }
    guard let connection = link.connection else {
      throw StepFailure(.invalidState, "the device is disconnected", help: "`connect` opens a connection again")
    }
    return connection
  }

  /// Throws where there is no open connection.
  package func checkConnection() throws(StepFailure) { _ = try requireConnection() }

  /// Why nothing can be asked of the device; `nil` while it is connected.
  package var connectionProblem: StepFailure? {
    do throws(StepFailure) {
      try checkConnection()
      return nil
    } catch {
      return error
    }
  }

  /// The media session that commands are for.
  func requireMedia(_ scope: ActionScope) throws(StepFailure) -> Int {
    if let media = view(scope).media { return media.mediaSessionID }
    if let running = link.snapshot.receiver?.application, running.sessionID == own.session?.sessionID,
      !running.namespaces.isEmpty, !running.playsMedia
    {
      throw StepFailure(.noMedia(running))
    }
    throw StepFailure(.invalidState, "nothing is loaded")
  }

  /// Waits until `isDone` says so of a status; the status of now comes first.
  /// - Parameter start: Errors told after this observation count, too, although they were seen; `nil`: new ones only.
  /// - Throws: `timeout` with `waitingFor` at the deadline; `connection_lost`; why the app is gone; what `isDone` throws.
  func wait(
    _ scope: ActionScope, for waitingFor: String, since start: Int? = nil,
    _ isDone: (StatusView, Observation?) throws(StepFailure) -> Bool
  ) async throws(StepFailure) {
    let connection = try requireConnection()
    let hadApp = own.session != nil
    await catchUp(scope)
    var seen = link.observed
    if let start {
      for observation in await connection.observations(after: start)
      where observation.number <= seen && observation.scope == .error {
        if try isDone(status(observation, since: scope.mark).view, observation) { return }
      }
    }
    if try isDone(view(scope), nil) { return }
    while true {
      let new = await connection.nextObservations(after: seen, until: scope.deadline)
      await catchUp(scope)
      if Task.isCancelled { throw .cancelled }
      for observation in new {
        seen = observation.number
        if observation.scope == .connection, !observation.snapshot.isConnected { throw lost(observation) }
        if try isDone(status(observation, since: scope.mark).view, observation) { return }
      }
      if hadApp, own.session == nil {
        await settleLoss(scope)
        if Task.isCancelled { throw .cancelled }
        if own.session == nil { _ = try requireApp() }
      }
      guard new.isEmpty else { continue }
      if link.lostAt != nil || link.connection !== connection { throw Self.lostBefore }
      if now >= scope.deadline { throw StepFailure(.timeout, "waited for \(waitingFor)") }
    }
  }

  /// `connection_lost`, or `protocol` where the device broke the rules.
  func lost(_ observation: Observation) -> StepFailure {
    guard let loss = observation.loss else { return Self.lostBefore }
    var failure = StepFailure(loss)
    if loss.class == .connectionLost { failure.message = "the connection to the device broke: \(loss.message)" }
    return failure
  }

  static let lostBefore = StepFailure(.connectionLost, "the connection to the device is lost")

  /// Feeds a machine until it has a verdict.
  func judge(
    _ machine: some ExpectationStateMachine, _ scope: ActionScope, from start: Int? = nil
  ) async throws(StepFailure) -> Verdict {
    var machine = machine
    let conditions = machine.conditions
    let isAboutConnection = conditions.contains { $0.leaves.contains { $0.path.parts.first == "connection" } }
    if link.lostAt != nil, !isAboutConnection { _ = try requireConnection() }
    if link.connection == nil, !link.wasDisconnectedByUs { _ = try requireConnection() }
    // One at a time: the next one is asked where the last was not answered.
    var refreshing: Task<Void, Never>?
    var seen = start ?? link.observed
    var following = link.connection
    if awaitsReplacement { await settleLoss(scope) }
    if Task.isCancelled { throw .cancelled }
    var effects = machine.begin(with: view(scope))
    while true {
      for effect in effects {
        switch effect {
        case .finished(let verdict):
          await end(refreshing)
          return verdict
        case .refresh:
          await end(refreshing)
          refreshing = refresh(for: conditions)
        }
      }
      effects = []
      let deadline = machine.nextCheck
      if link.connection !== following {
        // Numbers of one connection mean nothing on another.
        let wasConnected = following != nil
        (following, seen) = (link.connection, 0)
        if link.connection == nil { effects += machine.observe(ObservedStatus(view(scope), source: .push)) }
        if wasConnected, !isAboutConnection {
          await end(refreshing)
          throw Self.lostBefore
        }
        if !effects.isEmpty { continue }
      }
      if let connection = link.connection, link.lostAt == nil {
        let new = await connection.nextObservations(after: seen, until: deadline)
        await catchUp(scope)
        if awaitsReplacement { await settleLoss(scope) }
        for observation in new where effects.hasFinished == false {
          seen = observation.number
          if observation.scope == .connection, !observation.snapshot.isConnected, !isAboutConnection {
            await end(refreshing)
            if Task.isCancelled { throw .cancelled }
            throw lost(observation)
          }
          // A status of an older or another media session never counts.
          let status = status(observation, since: scope.mark)
          if observation.scope == .media, status.view.isForeign { continue }
          if observation.scope == .error, observation.snapshot.media == nil { continue }
          if observation.scope == .message { continue }
          effects += machine.observe(status)
        }
      } else {
        await sleepUntilReconnected(or: deadline)
      }
      if Task.isCancelled {
        await end(refreshing)
        throw .cancelled
      }
      if !effects.hasFinished, link.lostAt != nil, !isAboutConnection {
        await end(refreshing)
        throw Self.lostBefore
      }
      if !effects.hasFinished, now >= deadline { effects += machine.timerFired(at: now) }
    }
  }

  private func end(_ refresh: Task<Void, Never>?) async {
    refresh?.cancel()
    await refresh?.value
  }

  private static let receiverFields = ["app", "volume", "active_input", "standby"]

  /// Asks the device for the fields of the conditions; `nil` where there is no connection.
  private func refresh(for conditions: [Condition]) -> Task<Void, Never>? {
    guard let connection = link.connection, link.lostAt == nil else { return nil }
    let names = conditions.flatMap(\.leaves).compactMap(\.path.parts.first)
    let asksReceiver = names.contains { Self.receiverFields.contains($0) } || own.session == nil
    let session = names.contains { !Self.receiverFields.contains($0) } ? own.session : nil
    return times.show.spawn(on: executor) {
      if let session { try? await connection.refreshMedia(in: session) }
      if asksReceiver { try? await connection.refreshReceiver() }
    }
  }

  // MARK: apps that are gone

  /// Whether what the caller waits for is that the app is gone.
  private func waitsForLoss(_ scope: ActionScope) -> Bool {
    let view = view(scope)
    return scope.caller.awaited.contains { $0.isMetByLoss(view, saved: scope.caller.values) }
  }

  /// Waits until it is known what became of an app that is gone, unless that is what the caller waits for.
  package func settleLoss(_ scope: ActionScope) async {
    while !Task.isCancelled, !scope.caller.isStopped, !waitsForLoss(scope) {
      await catchUp(scope)
      settleLoss()
      guard let next = own.replacementDeadline, !scope.caller.isStopped else { return }
      do { try await times.show.sleep(until: next) } catch { return }
    }
  }

  /// What really became of an app whose end made an action fail, once that is known; any other failure as it is.
  package func cause(of failure: StepFailure, _ scope: ActionScope) async -> StepFailure {
    guard failure.isAboutLoss else { return failure }
    await lookAgain(scope)
    await settleLoss(scope)
    return failure.explained(by: appLoss)
  }

  /// The caller waited for just this loss: it waits for no other app.
  package func acceptLoss(_ scope: ActionScope) {
    if waitsForLoss(scope) { endWaitForReplacement() }
  }
}

extension StepFailure {
  /// Whether what was ours is another's, or gone.
  package var isAboutLoss: Bool { errorClass == .appGone || errorClass == .takenOver }

  /// The same, or what became of the app, where that says more than that it is gone.
  package func explained(by loss: StepFailure?) -> StepFailure {
    guard isAboutLoss, let loss, loss.errorClass == .takenOver || loss.errorClass == errorClass else { return self }
    return loss
  }
}

extension Condition {
  /// Whether a part of it that asks for the app holds in `view`, where the app is gone.
  package func isMetByLoss(_ view: StatusView, saved: [String: JSONValue]) -> Bool {
    func holds() -> Bool { ConditionJudge(condition: self, saved: saved).mismatches(in: view).isEmpty }
    switch self {
    case .field(let path, _, _): return path.parts.first == "app" && holds()
    case .all(let parts), .any(let parts): return parts.contains { $0.isMetByLoss(view, saved: saved) }
    case .not(let inner): return inner.leaves.allSatisfy { $0.path.parts.first == "app" } && holds()
    }
  }
}
