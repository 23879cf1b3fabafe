import CastClient
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// Waiting for a state, and judging expectations.
extension ScenarioRun {
  /// The open connection.
  func requireConnection() throws(StepFailure) -> CastConnection {
    if lostAt != nil { throw Self.lostBefore }
    guard let connection else {
      throw StepFailure(.invalidState, "the device is disconnected", help: "`connect` opens a connection again")
    }
    return connection
  }

  /// The app of ours.
  func requireApp() throws(StepFailure) -> AppSession {
    if let app { return app }
    if configuration.joinsRunningApp, appLoss == nil { throw StepFailure(.invalidState, "no app is running") }
    throw appLoss
      ?? StepFailure(.invalidState, "no app was launched or joined", help: "begin with `launch` or `load`")
  }

  /// Waits until `isDone` says so of a status; the status of now comes first.
  /// - Parameter start: Errors told after this observation count, too, although they were seen; `nil`: new ones only.
  /// - Throws: `timeout` with `waitingFor` at `deadline`; `connection_lost`; why the app is gone; what `isDone` throws.
  func wait(
    until deadline: Duration, for waitingFor: String, since start: Int? = nil,
    _ isDone: (StatusView, Observation?) throws(StepFailure) -> Bool
  ) async throws(StepFailure) {
    let connection = try requireConnection()
    let hadApp = app != nil
    await catchUp()
    var seen = observed
    if let start {
      for observation in await connection.observations(after: start)
      where observation.number <= seen && observation.scope == .error {
        if try isDone(status(observation).view, observation) { return }
      }
    }
    if try isDone(view, nil) { return }
    while true {
      let new = await connection.nextObservations(after: seen, until: deadline)
      await catchUp()
      if Task.isCancelled { throw .cancelled }
      for observation in new {
        seen = observation.number
        if observation.scope == .connection, !observation.snapshot.isConnected { throw lost(observation) }
        if try isDone(status(observation).view, observation) { return }
      }
      if hadApp, app == nil {
        await settleLosses()
        if Task.isCancelled { throw .cancelled }
        if app == nil { _ = try requireApp() }
      }
      guard new.isEmpty else { continue }
      if lostAt != nil || self.connection !== connection { throw Self.lostBefore }
      if now >= deadline { throw StepFailure(.timeout, "waited for \(waitingFor)") }
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
  func judge(_ machine: some ExpectationStateMachine, from start: Int? = nil) async throws(StepFailure) -> Verdict {
    var machine = machine
    let conditions = machine.conditions
    let isAboutConnection = conditions.contains { $0.leaves.contains { $0.path.parts.first == "connection" } }
    if lostAt != nil, !isAboutConnection { _ = try requireConnection() }
    if connection == nil, !wasDisconnectedByUs { _ = try requireConnection() }
    // One at a time: the next one is asked where the last was not answered.
    var refreshing: Task<Void, Never>?
    var seen = start ?? observed
    var following = connection
    if awaitsReplacement { await settleLosses() }
    if Task.isCancelled { throw .cancelled }
    var effects = machine.begin(with: view)
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
      if connection !== following {
        // Numbers of one connection mean nothing on another.
        let wasConnected = following != nil
        (following, seen) = (connection, 0)
        if connection == nil { effects += machine.observe(ObservedStatus(view, source: .push)) }
        if wasConnected, !isAboutConnection {
          await end(refreshing)
          throw Self.lostBefore
        }
        if !effects.isEmpty { continue }
      }
      if let connection, lostAt == nil {
        let new = await connection.nextObservations(after: seen, until: deadline)
        await catchUp()
        if awaitsReplacement { await settleLosses() }
        for observation in new where effects.hasFinished == false {
          seen = observation.number
          if observation.scope == .connection, !observation.snapshot.isConnected, !isAboutConnection {
            await end(refreshing)
            if Task.isCancelled { throw .cancelled }
            throw lost(observation)
          }
          // A status of an older or another media session never counts.
          let status = status(observation)
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
      if !effects.hasFinished, lostAt != nil, !isAboutConnection {
        await end(refreshing)
        throw Self.lostBefore
      }
      if !effects.hasFinished, now >= deadline { effects += machine.timerFired(at: now) }
    }
  }

  /// Sleeps until `deadline`, or until another line of steps has connected the device again.
  private func sleepUntilReconnected(or deadline: Duration) async {
    let sleep = times.show.spawn { [times] in try? await times.show.sleep(until: deadline) }
    lane.linkWait = sleep
    await withTaskCancellationHandler {
      await sleep.value
    } onCancel: {
      sleep.cancel()
    }
    lane.linkWait = nil
  }

  private func end(_ refresh: Task<Void, Never>?) async {
    refresh?.cancel()
    await refresh?.value
  }

  private static let receiverFields = ["app", "volume", "active_input", "standby"]

  /// Asks for what the conditions speak of; `nil` when there is nobody to ask.
  private func refresh(for conditions: [Condition]) -> Task<Void, Never>? {
    guard let connection, lostAt == nil else { return nil }
    let names = conditions.flatMap(\.leaves).compactMap(\.path.parts.first)
    let asksReceiver = names.contains { Self.receiverFields.contains($0) } || app == nil
    let session = names.contains { !Self.receiverFields.contains($0) } ? app : nil
    return times.show.spawn {
      if let session { try? await connection.refreshMedia(in: session) }
      if asksReceiver { try? await connection.refreshReceiver() }
    }
  }

  // MARK: expectations

  func expect(_ action: Plan.ExpectAction, of step: Plan.Step) async throws(StepFailure) {
    await catchUp()
    let machine = ExpectStateMachine(action, saved: saved, start: now, reply: plan.timeouts.reply)
    try report(try await judge(machine), of: step, because: action.because)
  }

  func expect(_ rule: WindowStateMachine.Rule, _ action: Plan.WindowAction, of step: Plan.Step)
    async throws(StepFailure)
  {
    await catchUp()
    let machine = WindowStateMachine(rule, action, saved: saved, start: now, reply: plan.timeouts.reply)
    try report(try await judge(machine), of: step, because: action.because, rule: rule)
  }

  func expectSequence(_ action: Plan.SequenceAction, of step: Plan.Step) async throws(StepFailure) {
    await catchUp()
    var machine = SequenceStateMachine(action, saved: saved, start: now, reply: plan.timeouts.reply)
    let start = try start(of: action.since)
    let past = await connection?.observations(after: min(start, observed)) ?? []
    let end = observed
    let history = past.filter { $0.number <= end && ($0.scope == .media || $0.scope == .receiver) }.map(status)
      .filter { !$0.view.isForeign }
    if case .finished(let verdict)? = machine.lookBack(on: history).last {
      return try report(verdict, of: step, because: action.because)
    }
    try report(try await judge(machine, from: end), of: step, because: action.because)
  }

  func waitUntil(_ condition: Condition, until deadline: Duration) async throws(StepFailure) {
    await catchUp()
    let action = Plan.ExpectAction(condition: condition, within: deadline - now)
    let machine = ExpectStateMachine(action, saved: saved, start: now, reply: plan.timeouts.reply)
    let verdict = try await judge(machine)
    guard verdict.outcome != .passed else { return }
    let observed = WantText.values(verdict.got)
    throw StepFailure(.timeout, "waited for \(WantText.conditions(verdict.want)), observed \(observed)")
  }

  private func report(
    _ verdict: Verdict, of step: Plan.Step, because: String?, rule: WindowStateMachine.Rule? = nil
  ) throws(StepFailure) {
    var fields = (verdict.mismatches.first?.span ?? step.span).fields
    var want = verdict.want
    if let rule { want = [rule == .always ? "always" : "never": want] }
    fields["want"] = want
    fields["got"] = .object(verdict.got)
    if let nearest = verdict.nearest {
      let moment = JSONObject.Member("e", .milliseconds(emitter.elapsed(at: nearest.at)))
      fields["nearest"] = .object(JSONObject([moment] + nearest.values.members))
    }
    var names: [JSONValue] = []
    for name in verdict.mismatches.map({ JSONValue.string($0.path.text) }) where !names.contains(name) {
      names.append(name)
    }
    fields["mismatches"] = .array(names)
    fields["statuses"] = .int(verdict.statuses)
    fields["estimated"] = .bool(verdict.isEstimated)
    if verdict.isPolled { fields["polled"] = true }
    if verdict.outcome == .inconclusive { fields["inconclusive"] = true }
    fields["remark"] = verdict.remark.map(JSONValue.string)
    fields["because"] = because.map(JSONValue.string) ?? .null
    emit(verdict.outcome == .passed ? .expectPassed : .expectFailed, step: step.id, fields)
    guard verdict.outcome != .passed else { return }
    throw StepFailure(.expectation, VerdictText(fields).oneLine)
  }
}
