import CastClient
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// Performs each verb: an action of a device, something to wait for or to judge, or steps inside.
extension StepRunner {
  /// Performs one try of a step.
  /// - Parameter play: The name by which a device tells again what it is given to play.
  func perform(
    _ step: Plan.Step, _ scope: StepScope, until deadline: Duration, play: String? = nil
  ) async throws(StepFailure) {
    let device = device(scope)
    let action = action(scope, on: device, until: deadline)
    let asked = try DeviceAction(step.action, appMayBeGone: scope.section.isCleanup) { value(of: $0, scope) }
    if let asked { return try await device.perform(play.flatMap(asked.marked) ?? asked, in: action) }
    switch step.action {
    case .connect, .disconnect, .launch, .stopApp, .volume, .mute, .load, .play, .pause, .stop, .seek, .rate, .tracks,
      .textStyle, .skipAd, .refresh, .queue, .queueInsert, .queueRemove, .queueJump, .queueUpdate, .queueReorder, .send:
      // Never reached while `DeviceAction` takes them all; a step that did nothing must not pass.
      throw StepFailure(.invalidState, "`\(step.verb)` is no action of a device", help: "report this as a fault")
    case .discover(let discover): try await self.discover(discover, of: step)
    case .transfer(let transfer): try await self.transfer(transfer, scope, action)
    case .exec(let exec): try await execute(exec, scope, until: deadline)
    case .probe(let probe): try await self.probe(probe, scope, until: deadline)

    case .wait(let amount): try await sleep(for: .clamped(seconds: max(0, try number(amount, scope))))
    case .waitUntil(let condition): try await device.wait(for: condition, action)
    case .expect(let expect):
      try report(try await device.judge(expect, action), of: step, scope, because: expect.because)
    case .always(let window):
      let verdict = try await device.judge(.always, window, action)
      try report(verdict, of: step, scope, because: window.because, rule: .always)
    case .never(let window):
      let verdict = try await device.judge(.never, window, action)
      try report(verdict, of: step, scope, because: window.because, rule: .never)
    case .expectSequence(let sequence):
      try report(try await device.judge(sequence, action), of: step, scope, because: sequence.because)
    case .expectMessage(let message): try await expect(message, of: step, scope, action)
    case .expectTogether(let together): try await expect(together, of: step, scope)

    case .mark(let text): emit(.mark(.init(resolved(text, scope))), scope, step: step.id)
    case .log(let text): emit(.log(.init(resolved(text, scope))), scope, step: step.id)
    case .fail(let text): throw StepFailure(.expectation, resolved(text, scope))
    case .set(let assignments): assign(assignments, scope)
    // The values are saved when the step ends, as with the `save` modifier.
    case .save: break

    case .group(let group): try await run(group, of: step, scope)
    case .choose(let branches): try await choose(among: branches, of: step, scope)
    case .repeat(let loop): try await `repeat`(loop, of: step, scope)
    case .forEach(let loop): try await forEach(loop, of: step, scope)
    case .parallel(let parallel): try await self.parallel(parallel, of: step, scope)
    }
  }

  func sleep(for duration: Duration) async throws(StepFailure) {
    do { try await times.show.sleep(for: duration) } catch { throw .cancelled }
  }

  // MARK: values of the run

  func number(_ amount: Plan.Amount, _ scope: StepScope) throws(StepFailure) -> Double {
    try amount.number { value(of: $0, scope) }
  }

  /// A text with its values filled in; unknown ones are left out.
  func resolved(_ text: Plan.Template, _ scope: StepScope) -> String {
    let device = device(scope).device
    return text.parts.map { part in
      switch part {
      case .text(let text): return text
      case .value("attempt"): return String(scope.attempt)
      case .value("device.name"): return device?.name ?? ""
      case .value("device.id"): return device?.id ?? ""
      case .value("device.model"): return device?.model ?? ""
      case .value("device.ip"): return device?.address.host ?? ""
      case .value("run.id"): return configuration.runID
      case .value("run.started"): return UTCTime(unixSeconds: startedAt).text
      case .value("run.dir"): return configuration.runDirectory ?? ""
      case .value(let name):
        return value(of: name, scope)?.roundedToMilliseconds.text(as: .free) ?? ""
      }
    }.joined()
  }

  func assign(_ assignments: [Plan.Assignment], _ scope: StepScope) {
    for assignment in assignments {
      switch assignment.value {
      case .literal(let value): set(value, for: assignment.name, scope)
      case .text(let text):
        // A text of one name alone is its value, of any type.
        if text.parts.count == 1, case .value(let name)? = text.parts.first, let value = value(of: name, scope) {
          set(value, for: assignment.name, scope)
        } else {
          set(.string(resolved(text, scope)), for: assignment.name, scope)
        }
      }
    }
  }

  // MARK: verdicts

  private func report(
    _ verdict: Verdict, of step: Plan.Step, _ scope: StepScope, because: String?,
    rule: WindowStateMachine.Rule? = nil
  ) throws(StepFailure) {
    var judged = EventKind.Expectation(verdict, of: step, because: because, elapsed: emitter.elapsed)
    if let rule { judged.want = [rule == .always ? "always" : "never": judged.want] }
    let hasPassed = verdict.outcome == .passed
    emit(hasPassed ? .expectPassed(judged) : .expectFailed(judged), scope, step: step.id)
    if !hasPassed { throw StepFailure(.expectation, VerdictText(judged).oneLine) }
  }

  private func expect(
    _ action: Plan.MessageAction, of step: Plan.Step, _ scope: StepScope, _ asked: ActionScope
  ) async throws(StepFailure) {
    let search = try await device(scope).search(
      for: action.pattern, on: action.namespace, since: action.since, asked.until(now + action.within))
    let judged = EventKind.Expectation(search, of: step, because: action.because)
    let hasPassed = search.found != nil
    emit(hasPassed ? .expectPassed(judged) : .expectFailed(judged), scope, step: step.id)
    if !hasPassed { throw StepFailure(.expectation, search.shortcoming) }
  }

  // MARK: more than one device

  private func discover(_ action: Plan.DiscoverAction, of step: Plan.Step) async throws(StepFailure) {
    let selector = action.selector ?? Plan.DeviceSelector(span: step.span)
    let found: [FoundDevice]
    do {
      // Without `for` it ends as soon as there are enough.
      found = try await access.discoverAll(
        selector, action.listenFor ?? plan.timeouts.discover, action.listenFor == nil ? action.atLeast : nil, action.via
      )
    } catch {
      throw StepFailure(error)
    }
    if Task.isCancelled { throw .cancelled }
    guard found.count >= action.atLeast else {
      let seen = found.map(\.name).joined(separator: ", ")
      throw StepFailure(
        .notFound, "found \(found.count) of at least \(action.atLeast) devices\(seen.isEmpty ? "" : ": \(seen)")")
    }
  }

  /// Continues on another device what plays on this one, which stops only once the other plays.
  private func transfer(
    _ action: Plan.TransferAction, _ scope: StepScope, _ asked: ActionScope
  ) async throws(StepFailure) {
    try await device(scope).transfer(stopsSource: action.stopsSource, asked) { () throws(StepFailure) in
      let session = try await self.target(of: action.target, scope, until: asked.deadline)
      var there = scope
      there.device = session.number
      let scope = await self.action(there, on: session, until: asked.deadline)
      return TransferTarget(session: session, scope: scope)
    }
  }

  private func target(
    of target: Plan.TransferAction.Target, _ scope: StepScope, until deadline: Duration
  ) async throws(StepFailure) -> DeviceSession {
    switch target {
    case .role(let name):
      if let index = deviceIndex(ofRole: name) { return devices[index] }
      throw StepFailure(.notFound, "no device has the role `\(name)`")
    case .device(let selector):
      let found = try await device(scope).find(
        selector, within: min(plan.timeouts.discover, max(.zero, deadline - now)))
      if let known = devices.first(where: { $0.device?.isSame(as: found) == true }) { return known }
      return try await join(found, selector, scope)
    }
  }

  /// Another device takes part from here on.
  private func join(
    _ device: FoundDevice, _ selector: Plan.DeviceSelector, _ scope: StepScope
  ) async throws(StepFailure) -> DeviceSession {
    let name = DeviceName.name(of: device, selector: selector).unique(among: devices.map(\.name))
    let session = makeSession(devices.count, selector)
    // A device of another run does not take part; a later try may have it.
    try await session.policies.hold.lockAtOnce(device)
    add(session)
    try await session.join(device, called: name, action(scope, on: session))
    return session
  }
}
