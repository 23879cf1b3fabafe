import CastClient
import CastProtocol
package import RunReporting
package import ScenarioLanguage

/// Expectations of one device, judged on its statuses.
extension DeviceSession {

  /// Judges an `expect`.
  package func judge(_ action: Plan.ExpectAction, _ scope: ActionScope) async throws(StepFailure) -> Verdict {
    await catchUp(scope)
    let machine = ExpectStateMachine(action, saved: scope.caller.values, start: now, reply: policies.timeouts.reply)
    return try await judge(machine, scope)
  }

  /// Judges `always` and `never`.
  package func judge(
    _ rule: WindowStateMachine.Rule, _ action: Plan.WindowAction, _ scope: ActionScope
  ) async throws(StepFailure) -> Verdict {
    await catchUp(scope)
    let machine = WindowStateMachine(
      rule, action, saved: scope.caller.values, start: now, reply: policies.timeouts.reply)
    return try await judge(machine, scope)
  }

  /// Judges an `expect_sequence`, which looks back to where its `since` says.
  package func judge(_ action: Plan.SequenceAction, _ scope: ActionScope) async throws(StepFailure) -> Verdict {
    await catchUp(scope)
    var machine = SequenceStateMachine(
      action, saved: scope.caller.values, start: now, reply: policies.timeouts.reply)
    let start = try start(of: action.since, scope)
    let past = await link.connection?.observations(after: min(start, link.observed)) ?? []
    let end = link.observed
    let history = past.filter { $0.number <= end && ($0.scope == .media || $0.scope == .receiver) }
      .map { status($0, since: scope.mark) }.filter { !$0.view.isForeign }
    if case .finished(let verdict)? = machine.lookBack(on: history).last { return verdict }
    return try await judge(machine, scope, from: end)
  }

  /// Waits until a condition holds.
  /// - Throws: `timeout` with what was seen instead.
  package func wait(for condition: Condition, _ scope: ActionScope) async throws(StepFailure) {
    await catchUp(scope)
    let action = Plan.ExpectAction(condition: condition, within: scope.deadline - now)
    let machine = ExpectStateMachine(action, saved: scope.caller.values, start: now, reply: policies.timeouts.reply)
    let verdict = try await judge(machine, scope)
    guard verdict.outcome != .passed else { return }
    let observed = WantText.values(verdict.got)
    throw StepFailure(.timeout, "waited for \(WantText.conditions(verdict.want)), observed \(observed)")
  }

  // MARK: several devices at once

  /// The statuses since the last action began, the one of before it first and the one of now last, without those of
  /// foreign media sessions.
  package func statusesSinceAction(_ scope: ActionScope) async -> [StatusView] {
    await catchUp(scope)
    var views: [StatusView] = []
    if let baseline = scope.mark?.baseline { views.append(StatusView(baseline, secrets: secrets)) }
    let past = await link.connection?.observations(after: min(start(of: scope.mark), link.observed)) ?? []
    for observation in past where observation.number <= link.observed {
      guard observation.scope == .media || observation.scope == .receiver else { continue }
      let view = status(observation, since: scope.mark).view
      if !view.isForeign { views.append(view) }
    }
    return views + [view(scope)]
  }

  /// Gives each status to `observe`, from now on, until that says stop, the deadline or the end of the connection.
  /// - Parameters:
  ///   - wake: When `observe` wants the status of the moment at the latest, whatever comes.
  ///   - observe: Answers whether to go on.
  /// - Throws: Why the device is lost.
  package func follow(
    _ scope: ActionScope, wake: @Sendable (StatusView) -> Duration?, observe: @Sendable (StatusView) -> Bool
  ) async throws(StepFailure) {
    var seen = link.observed
    var refreshAt: Duration? = now + policies.timeouts.reply
    while !Task.isCancelled, let connection = link.connection {
      let next = [wake(view(scope)), refreshAt].compactMap { $0 }.min() ?? scope.deadline
      let new = await connection.nextObservations(after: seen, until: min(next, scope.deadline))
      await catchUp(scope)
      if awaitsReplacement { await settleLoss(scope) }
      if Task.isCancelled || scope.caller.isStopped { return }
      for observation in new {
        seen = observation.number
        if observation.scope == .connection, !observation.snapshot.isConnected { throw lost(observation) }
        guard observation.scope == .media || observation.scope == .receiver else { continue }
        refreshAt = nil
        let view = status(observation, since: scope.mark).view
        if !view.isForeign, !observe(view) { return }
      }
      if !observe(view(scope)) { return }
      if new.isEmpty, link.lostAt != nil || now >= scope.deadline { return }
      if let due = refreshAt, now >= due, let app = own.session {
        refreshAt = nil
        try? await connection.refreshMedia(in: app)
      }
    }
  }
}
