import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// The tries of one step.
extension StepRunner {
  /// How long one try may take: what an expectation waits, else the step's own limit; `nil` where only the scenario's
  /// deadline counts.
  func limit(of step: Plan.Step) -> Duration? {
    switch step.action {
    case .expect(let action): action.within + (action.holdFor ?? .zero)
    case .always(let action), .never(let action): action.during
    case .expectSequence(let action): action.within
    case .expectMessage(let action): action.within
    case .expectTogether(let action): action.within
    case _ where step.isFlow: step.hasTimeout ? step.timeout : nil
    default: step.timeout
    }
  }

  /// Tries until one succeeds or the policy is exhausted.
  /// - Returns: The last failure, `nil` when a try succeeded, and how many there were.
  func tries(
    of step: Plan.Step, _ outer: StepScope, started: Duration
  ) async -> (failure: StepFailure?, attempts: Int) {
    let policy = step.retry
    let end = policy.within.map { started + $0 }
    let limit = limit(of: step)
    var scope = outer
    while true {
      device(scope).wire?.enter(step: step.id, attempt: scope.attempt)
      let deadline = [limit.map { now + $0 }, end, scope.groupEnd].compactMap { $0 }.min()
      let isRetried = scope.attempt < policy.attempts && policy.errors.contains(.appGone)
      let outerRetry = stops.set(retriesLoss: isRetried || stops.retriesLoss(scope.line), of: scope.line)
      stops.set(awaited: step.action.awaited, of: scope.line)
      var failure = await tryOnce(step, scope, until: deadline)
      if !step.isFlow { failure = await withCause(failure, scope) }
      if failure == nil { await acceptLoss(scope) }
      stops.set(awaited: [], of: scope.line)
      _ = stops.set(retriesLoss: outerRetry, of: scope.line)
      let isToldInside = failure?.step != nil
      guard let failure = outside(scope) ?? failure else { return (nil, scope.attempt) }
      let wait = nextWait(after: failure, policy, scope, end: end)
      // The step inside has told its failure. A group tells only that it tries again, or a loss between two of its steps.
      let groupTells = policy.retries || failure.isAboutLoss && !isToldInside
      if step.isFlow ? groupTells : !failure.isExpectation && !failure.isAboutMonitor {
        emit(
          .attemptFailed(.init(attempt: scope.attempt, error: .init(failure), nextTryIn: wait?.seconds)), scope,
          step: step.id)
      }
      guard let wait else { return (failure, scope.attempt) }
      _ = await cancellably(scope) { [times] in try? await times.show.sleep(for: wait) }
      if let stopped = outside(scope) { return (stopped, scope.attempt) }
      scope.attempt += 1
    }
  }

  private func nextWait(
    after failure: StepFailure, _ policy: RetryPolicy, _ scope: StepScope, end: Duration?
  ) -> Duration? {
    guard stops.cause(of: scope.line) == nil, scope.attempt < policy.attempts,
      policy.errors.contains(failure.errorClass)
    else { return nil }
    let wait = retryWaits.wait(before: scope.attempt + 1, by: policy)
    if let end, now + wait >= end { return nil }
    return wait
  }

  private func tryOnce(_ step: Plan.Step, _ scope: StepScope, until deadline: Duration?) async -> StepFailure? {
    // The steps inside are stopped one by one.
    if step.isFlow {
      var inner = scope
      if step.hasTimeout { inner.groupEnd = deadline }
      return await attempt(step, inner, until: deadline ?? now + .seconds(400 * 86_400))
    }
    let deadline = deadline ?? now + step.timeout
    let timer = scope.groupEnd.map { end in
      times.show.spawn { [times, stops] in
        do { try await times.show.sleep(until: end) } catch { return }
        stops.cancelRunning(scope.line)
      }
    }
    let failure = await cancellably(scope) { await self.attempt(step, scope, until: deadline) } ?? .cancelled
    timer?.cancel()
    await timer?.value
    guard let failure, failure.errorClass == .cancelled, stops.cause(of: scope.line) == nil else { return failure }
    if let groupEnd = scope.groupEnd, now >= groupEnd {
      return StepFailure(.timeout, "the time of the group it stands in was over")
    }
    // Only the try was stopped: the next one may have the app again.
    guard stops.retriesLoss(scope.line) else { return failure }
    return await device(scope).appLoss ?? failure
  }

  private func attempt(_ step: Plan.Step, _ scope: StepScope, until deadline: Duration) async -> StepFailure? {
    do {
      if scope.attempt > 1 {
        let device = device(scope)
        let isLost = await device.isLost
        // A device that restarts may take all of the try's time; nobody at a prompt waits for the length of a film.
        let hasAll = isLost && device.policies.join == .ownAppsOnly
        let end = hasAll ? deadline : min(deadline, now + plan.timeouts.step)
        // A lost connection is always made again.
        if step.retry.before == .reconnect || isLost { try await device.makeReachable(until: end) }
        if step.retry.before == .relaunch { try await device.relaunch(action(scope, on: device, until: end)) }
      }
      try await perform(step, scope, until: deadline)
      return nil
    } catch {
      return error
    }
  }

  /// Replaces `app_gone` by what really became of the app, once that is known.
  private func withCause(_ failure: StepFailure?, _ scope: StepScope) async -> StepFailure? {
    guard let failure, failure.isAboutLoss else { return failure }
    let device = device(scope)
    let action = action(scope, on: device)
    _ = await cancellably(scope) {
      await device.lookAgain(action)
      await device.settleLoss(action)
    }
    guard let loss = await device.appLoss, loss.errorClass == .takenOver || loss.errorClass == failure.errorClass
    else { return failure }
    return loss
  }

  /// The step waited for just this loss: it waits for no other app.
  private func acceptLoss(_ scope: StepScope) async {
    if stops.awaited(by: scope.line).isEmpty { return }
    for device in scope.device == nil ? devices : [device(scope)] {
      await device.acceptLoss(action(scope, on: device))
    }
  }
}

extension Plan.Action {
  /// What has to come true for the step to pass.
  fileprivate var awaited: [Condition] {
    switch self {
    case .expect(let action): [action.condition]
    case .waitUntil(let condition): [condition]
    case .expectSequence(let action): action.entries.map(\.condition)
    case .expectTogether(let action): [action.condition]
    default: []
    }
  }
}
