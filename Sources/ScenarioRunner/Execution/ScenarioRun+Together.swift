import CastClient
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// `expect_together`: several devices judged at the same time.
extension ScenarioRun {
  func expectTogether(_ action: Plan.TogetherAction, of step: Plan.Step) async throws(StepFailure) {
    let key = Lane.current
    let indices = action.roles.compactMap { deviceIndex(ofRole: $0) }
    guard indices.count == action.roles.count else { throw StepFailure(.invalidState, "a role has no device") }
    for index in indices where devices[index].connection == nil || devices[index].lostAt != nil {
      _ = try await onDevice(index) { () async throws(StepFailure) in try requireConnection() }
    }
    let deadline = now + action.within
    together[key] = TogetherStateMachine(action, saved: saved)
    defer { together[key] = nil }
    var failure: StepFailure?
    for (number, index) in indices.enumerated() { await onDevice(index) { await lookBack(as: number, for: key) } }
    if together[key]?.hasPassed == false, action.within > .zero {
      failure = await follow(indices, for: key, until: deadline)
    }
    if let failure { throw failure }
    if Task.isCancelled { throw .cancelled }
    guard let machine = together[key] else { return }
    let hasPassed = machine.hasPassed
    var fields = (machine.span ?? step.span).fields
    fields["want"] = machine.want
    fields["got"] = .object(machine.got)
    fields["mismatches"] = []
    fields["skew"] = machine.spread.map { .seconds($0) }
    fields["estimated"] = false
    if !hasPassed { fields["remark"] = .string(machine.shortcoming) }
    fields["because"] = action.because.map(JSONValue.string) ?? .null
    emit(hasPassed ? .expectPassed : .expectFailed, step: step.id, fields)
    if !hasPassed { throw StepFailure(.expectation, machine.shortcoming) }
  }

  /// Tells the machine when the device entered the state it is in: not before the last action began.
  private func lookBack(as number: Int, for key: Int) async {
    await catchUp()
    if let baseline {
      together[key]?.observe(StatusView(baseline, secrets: secrets), of: number)
    }
    let past = await connection?.observations(after: min(lastActionStart, observed)) ?? []
    for observation in past where observation.number <= observed {
      guard observation.scope == .media || observation.scope == .receiver else { continue }
      let status = status(observation)
      if !status.view.isForeign { together[key]?.observe(status.view, of: number) }
    }
    together[key]?.observe(view, of: number)
  }

  /// Follows all devices at once until the machine is content or the time is over.
  private func follow(_ indices: [Int], for key: Int, until deadline: Duration) async -> StepFailure? {
    let lanes = indices.map { openLane(on: $0) }
    defer { for lane in lanes { self.lanes[lane] = nil } }
    let tasks = lanes.enumerated().map { number, lane in
      times.show.spawn {
        await Lane.$current.withValue(lane) { await self.follow(as: number, for: key, until: deadline) }
      }
    }
    togetherTasks[key] = tasks
    await withTaskCancellationHandler {
      for task in tasks { await task.value }
    } onCancel: {
      for task in tasks { task.cancel() }
    }
    togetherTasks[key] = nil
    return lanes.lazy.compactMap { self.lanes[$0]?.outcome?.failure }.first
  }

  private func follow(as number: Int, for key: Int, until deadline: Duration) async {
    var seen = observed
    var refreshAt: Duration? = now + plan.timeouts.reply
    while !Task.isCancelled, let machine = together[key], !machine.hasPassed, let connection {
      let wake = [machine.nextCrossing(of: view), refreshAt].compactMap { $0 }.min() ?? deadline
      let new = await connection.nextObservations(after: seen, until: min(wake, deadline))
      await catchUp()
      if awaitsReplacement { await settleLosses() }
      if Task.isCancelled || stopCause != nil { return }
      for observation in new where together[key]?.hasPassed == false {
        seen = observation.number
        if observation.scope == .connection, !observation.snapshot.isConnected {
          lane.outcome = ListOutcome(failure: lost(observation))
          return endFollowing(key)
        }
        guard observation.scope == .media || observation.scope == .receiver else { continue }
        refreshAt = nil
        let status = status(observation)
        if !status.view.isForeign { together[key]?.observe(status.view, of: number) }
      }
      if together[key]?.hasPassed == false { together[key]?.observe(view, of: number) }
      if together[key]?.hasPassed == true { return endFollowing(key) }
      if new.isEmpty, lostAt != nil || now >= deadline { return }
      if let due = refreshAt, now >= due, let app {
        refreshAt = nil
        try? await connection.refreshMedia(in: app)
      }
    }
  }

  /// One device decided it: nobody waits any longer.
  private func endFollowing(_ key: Int) {
    for task in togetherTasks[key] ?? [] { task.cancel() }
  }
}
