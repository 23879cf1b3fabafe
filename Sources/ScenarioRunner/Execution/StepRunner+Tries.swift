import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// The tries of one step.
extension StepRunner {
  /// Tries until one succeeds or ``StepTries`` gives up.
  /// - Returns: The last failure, `nil` when a try succeeded, and how many there were.
  func tries(
    of step: Plan.Step, _ outer: StepScope, started: Duration
  ) async -> (failure: StepFailure?, attempts: Int) {
    var tries = StepTries(of: step, groupEnd: outer.groupEnd, startedAt: started)
    if let open = outer.openIntent { tries.resume(at: open.attempt) }
    var scope = outer
    while true {
      scope.attempt = tries.number
      let failure = await runTry(tries, of: step, scope)
      // Where a step in it failed, that one has told them.
      if let failure, failure.step == nil { tellLastMessages(of: step, scope) }
      let (next, report) = tries.next(after: failure, stoppedBy: outside(scope), at: now, waits: &retryWaits)
      if let report { emit(.attemptFailed(report), scope, step: step.id) }
      switch next {
      case .passed: return (nil, tries.number)
      case .giveUp(let failure): return (failure, tries.number)
      case .tryAgain(let wait):
        _ = await cancellably(scope) { [times] in try? await times.show.sleep(for: wait) }
        if let stop = tries.endWait(stoppedBy: outside(scope)) { return (stop, tries.number) }
      }
    }
  }

  private func tellLastMessages(of step: Plan.Step, _ scope: StepScope) {
    for device in scope.device == nil ? devices : [device(scope)] { device.wire?.tellLast(step: step.id) }
  }

  /// Runs one try, and finds out what a failure that is about the app comes from.
  private func runTry(_ tries: StepTries, of step: Plan.Step, _ scope: StepScope) async -> StepFailure? {
    device(scope).wire?.enter(step: step.id, attempt: tries.number)
    let outerRetry = stops.set(retriesLoss: tries.retriesLoss || stops.retriesLoss(scope.line), of: scope.line)
    stops.set(awaited: step.action.awaited, of: scope.line)
    defer {
      stops.set(awaited: [], of: scope.line)
      _ = stops.set(retriesLoss: outerRetry, of: scope.line)
    }
    let deadline = tries.deadline(at: now)
    let failure =
      step.isFlow
      ? await runSteps(inside: step, scope, tries, until: deadline)
      : await withCause(await act(step, scope, tries, until: deadline), scope)
    if failure == nil { await acceptLoss(scope) }
    return failure
  }

  /// The steps inside are stopped one by one.
  private func runSteps(
    inside step: Plan.Step, _ outer: StepScope, _ tries: StepTries, until deadline: Duration
  ) async -> StepFailure? {
    var scope = outer
    if step.hasTimeout { scope.groupEnd = deadline }
    return await attempt(step, scope, tries, until: deadline)
  }

  /// One try of a step that acts or judges; stopping the line, or the end of the group's time, cancels it.
  private func act(
    _ step: Plan.Step, _ scope: StepScope, _ tries: StepTries, until deadline: Duration
  ) async -> StepFailure? {
    let timer = scope.groupEnd.map { end in
      times.show.spawn { [times, stops] in
        do { try await times.show.sleep(until: end) } catch { return }
        stops.cancelRunning(scope.line)
      }
    }
    let failure = await cancellably(scope) { await self.attempt(step, scope, tries, until: deadline) } ?? .cancelled
    timer?.cancel()
    await timer?.value
    guard let failure, failure.errorClass == .cancelled else { return failure }
    let loss = stops.retriesLoss(scope.line) ? await device(scope).appLoss : nil
    let isStopped = stops.cause(of: scope.line) != nil
    return tries.failure(ofCancelled: failure, isStopped: isStopped, loss: loss, at: now)
  }

  private func attempt(
    _ step: Plan.Step, _ scope: StepScope, _ tries: StepTries, until deadline: Duration
  ) async -> StepFailure? {
    do {
      let device = device(scope)
      let isLost = tries.number > 1 ? await device.isLost : false
      // A try that an earlier part of the run began was prepared then: what it has sent must not be undone.
      let isPrepared = tries.number > 1 && hadBegun(tries, scope)
      if isLost || !isPrepared,
        let preparation = tries.preparation(
          isLost: isLost, patience: plan.timeouts.step, deadline: deadline, at: now)
      {
        if preparation.reconnects { try await device.makeReachable(until: preparation.deadline) }
        if preparation.relaunches, !isPrepared {
          try await device.relaunch(action(scope, on: device, until: preparation.deadline))
        }
      }
      if try await isSettled(step, scope, tries, until: deadline) { return nil }
      let play = try await commitIntent(step, scope, until: deadline)
      try await perform(step, scope, until: deadline, play: play)
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
    let cause = await cancellably(scope) { await device.cause(of: failure, action) }
    if let cause { return cause }
    return failure.explained(by: await device.appLoss)
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
