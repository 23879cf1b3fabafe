import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// Runs lists of steps, and one step with its events.
extension StepRunner {
  /// Runs the steps of a section, or of a step that holds others.
  func run(_ steps: [Plan.Step], _ scope: StepScope, runsAll: Bool = false) async -> ListOutcome {
    var outcome = ListOutcome()
    for (index, step) in steps.enumerated() {
      // What an earlier part of the run has done is told, whatever ends this one.
      if pastDone(step, scope) == nil {
        await settleLosses(scope)
        endAsBefore(step, scope)
        if let reason = stopReason(scope) {
          reportNotRun(Array(steps[index...]), scope, reason: reason)
          outcome.endReason = reason
          return outcome
        }
      }
      let end = await run(step, scope)
      guard let failure = end.failure else { continue }
      if end.endsList, !runsAll || stops.cause(of: scope.line) != nil {
        outcome.failure = failure
        outcome.endReason = stopReason(scope) ?? "\(failure.step ?? step.id) failed"
        reportNotRun(Array(steps[(index + 1)...]), scope, reason: outcome.endReason ?? "")
        return outcome
      }
      outcome.softFailure = outcome.softFailure ?? failure
    }
    return outcome
  }

  /// No step begins before it is known whether another sender has a device.
  private func settleLosses(_ scope: StepScope) async {
    guard owner.endsOnLoss else { return }
    for device in devices where await device.replacementDeadline != nil {
      let action = action(scope, on: device)
      _ = await cancellably(scope) { await device.settleLoss(action) }
    }
  }

  /// Reports steps that were not run, and those inside them, once each.
  func reportNotRun(_ steps: [Plan.Step], _ scope: StepScope, reason: String) {
    for step in steps {
      if let past = pastDone(step, scope) {
        tellDone(past, step, scope)
        continue
      }
      if scope.nesting == nil {
        ledger.settle(Ledger.End(id: step.id, result: .notRun, section: scope.section))
      }
      let done = pastSteps(inside: step, scope)
      for (step, parent) in step.withNested(in: scope.nesting?.parent) where !done.contains(step.id) {
        var inner = scope
        inner.nesting = parent.map {
          StepScope.Nesting(parent: $0, pass: $0 == scope.nesting?.parent ? scope.nesting?.pass : nil)
        }
        reportFinished(step, selecting(step.role, inner), .notRun, reason: reason)
      }
    }
  }

  /// Reports a step that never began.
  private func reportFinished(_ step: Plan.Step, _ scope: StepScope, _ result: StepResult, reason: String) {
    emit(.stepFinished(.init(step, in: scope, neverBegun: result, because: reason)), scope, step: step.id)
  }

  // MARK: one step

  /// How a step ended, for the list that holds it.
  struct StepEnd {
    /// A failure that counts.
    var failure: StepFailure?
    /// Whether what follows in the list is not run.
    var endsList = false
  }

  /// The most steps that one try may run: only nested loops without end reach it.
  private static let stepLimit = 1_000_000

  /// The scope with the device of a role.
  private func selecting(_ role: Plan.RoleTarget?, _ scope: StepScope) -> StepScope {
    guard case .one(let name)? = role, let index = deviceIndex(ofRole: name) else { return scope }
    var scope = scope
    scope.device = index
    return scope
  }

  /// Runs one step with all its tries, unless it is to be skipped.
  private func run(_ step: Plan.Step, _ outer: StepScope) async -> StepEnd {
    var scope = selecting(step.role, outer)
    stops.set(device: scope.device, of: scope.line)
    defer { stops.set(device: outer.device, of: outer.line) }
    var obstacle: StepFailure?
    if journal != nil { scope.key = outer.path.step(step.id) }
    if let past = earlier.done(scope.key) {
      return await takeOver(past, step, scope)
    }
    if let reason = step.skip {
      skip(step, scope, reason: reason)
      return StepEnd()
    }
    // What an earlier part of the run began has met its condition.
    let hasStarted = earlier.hasStarted(scope.key)
    if let condition = step.condition, !hasStarted {
      switch await answer(to: condition, scope) {
      case .yes: break
      case .no(let mismatches):
        skip(step, scope, reason: mismatches.map(\.text).joined(separator: ", "))
        return StepEnd()
      case .unknown(let failure): obstacle = failure
      }
    }
    if let journal, step.isFlow, !hasStarted { journal.append(.start(.init(key: scope.key))) }
    scope.openIntent = earlier.intent(scope.key)
    if scope.openIntent != nil, step.resumeRule == .skip {
      // Where it cannot be told, the next step that needs the device tells why.
      try? await endIfTakenOver(step, scope, until: now + plan.timeouts.reply)
      await settleSkipped(step, scope)
      skip(step, scope, reason: Self.skippedOnResume, resumed: .skipped)
      return StepEnd()
    }
    begunSteps += 1
    if begunSteps > Self.stepLimit {
      obstacle = StepFailure(.invalidState, "more than \(Self.stepLimit) steps were run", help: "loop less often")
    }
    return await run(step, scope, unless: obstacle)
  }

  private func skip(
    _ step: Plan.Step, _ scope: StepScope, reason: String, resumed: EventKind.StepFinished.Resumption? = nil
  ) {
    ledger.settle(
      Ledger.End(id: step.id, result: .skipped, isNested: scope.nesting != nil, section: scope.section))
    var finished = EventKind.StepFinished(step, in: scope, neverBegun: .skipped, because: reason)
    finished.resumed = resumed
    emit(.stepFinished(finished), scope, step: step.id)
    noteDone(step, scope, finished, failure: nil, StepConclusion(skipped: reason))
  }

  private static let skippedOnResume =
    "the run before ended while it was under way, and `on_resume: skip` forbids to do it again"

  /// - Parameter obstacle: Why the step fails before it is tried.
  private func run(_ step: Plan.Step, _ outer: StepScope, unless obstacle: StepFailure?) async -> StepEnd {
    let started = now
    let flakyBefore = lines[outer.line]?.flakySteps ?? 0
    var scope = outer
    scope.stepID = step.id
    scope.attempt = scope.openIntent?.attempt ?? 1
    lines[scope.line]?.changes = [:]
    lines[scope.line]?.resumed = nil
    if scope.line == .main { owner.runningStep = step.id }
    defer { if outer.line == .main { owner.runningStep = outer.stepID } }
    await begin(step, scope)
    let deadline = step.tryLimit.map { emitter.elapsed(at: started + $0) }
    emit(.stepStarted(.init(step, in: scope, deadline: deadline)), scope, step: step.id)

    var failure = obstacle
    var attempts = 1
    if let obstacle {
      emit(.attemptFailed(.init(attempt: 1, error: .init(obstacle))), scope, step: step.id)
    } else {
      (failure, attempts) = await tries(of: step, scope, started: started)
    }
    let device = device(scope)
    await device.catchUp(action(scope, on: device))
    var values = JSONObject()
    if failure == nil, !step.save.isEmpty { values = await save(step.save, scope) }
    let isFlaky = attempts > 1 || (lines[outer.line]?.flakySteps ?? 0) > flakyBefore
    if failure != nil, failure?.step == nil {
      failure?.step = step.id
      await keepPicture(of: device, scope, step)
    }
    let isStopped = stops.cause(of: scope.line) != nil
    let conclusion = StepConclusion(
      step, failure: failure, isFlaky: isFlaky, section: scope.section, isStopped: isStopped)
    if conclusion.result == .flaky { addFlaky(1, outer) }
    ledger.settle(
      Ledger.End(
        id: step.id, result: conclusion.result, failure: failure, isIgnored: conclusion.isIgnored,
        isNested: scope.nesting != nil, isStopped: isStopped, section: scope.section))
    var finished = EventKind.StepFinished()
    (finished.result, finished.reason) = (conclusion.result, conclusion.reason)
    (finished.isIgnored, finished.stoppedBy) = (conclusion.isIgnored, conclusion.stoppedBy)
    (finished.parent, finished.pass) = (scope.nesting?.parent, scope.nesting?.pass)
    (finished.attempts, finished.duration) = (attempts, (now - started).seconds)
    finished.saved = values.members.isEmpty ? nil : values
    finished.resumed = lines[scope.line]?.resumed
    if journal != nil { await keepApps(after: step) }
    noteDone(step, scope, finished, failure: failure, conclusion)
    emit(.stepFinished(finished), scope, step: step.id)
    device.wire?.enter(step: outer.stepID)

    return StepEnd(failure: conclusion.isIgnored ? nil : failure, endsList: conclusion.endsList)
  }

  /// Keeps what the device's receiver page looks like, where it shows one.
  private func keepPicture(of device: DeviceSession, _ scope: StepScope, _ step: Plan.Step) async {
    guard let pages = configuration.pages, let receiver = device.device?.name else { return }
    if let picture = await pages.picture(receiver, step.id) { emit(.screenshot(picture), scope, step: step.id) }
  }

  /// Has every device report and judge what it has shown so far, and marks where it stands.
  private func begin(_ step: Plan.Step, _ scope: StepScope) async {
    var marks: [DeviceMark] = []
    for device in devices { marks.append(await device.begin(step: step.id, action(scope, on: device))) }
    if !step.isAction { return }
    lines[scope.line]?.marks = marks
    for device in devices {
      let marks = lines.values.map { $0.marks.indices.contains(device.number) ? $0.marks[device.number] : nil }
      await device.forgetHistory(before: marks, keeping: lookedBackTo)
    }
  }

  private func save(_ fields: [Plan.SavedField], _ scope: StepScope) async -> JSONObject {
    var values = JSONObject()
    let device = device(scope)
    let view = await device.view(since: action(scope, on: device).mark)
    for field in fields {
      if secrets.isSaved(field.name), let raw = view.rawValue(of: field.field), !raw.isNull {
        secrets.set(raw.string ?? raw.serialized(), for: field.name)
        noteUnkept(field.name, scope)
        let placeholder = JSONValue.string(SecretPlaceholder.text(for: field.name))
        set(placeholder, for: field.name, scope)
        values[field.name] = placeholder
        continue
      }
      let value = view.value(of: field.field)
      set(value, for: field.name, scope)
      values[field.name] = (value ?? .null).roundedToMilliseconds
    }
    return values
  }
}

extension Plan.Step {
  /// The step and those inside it, each with the id of the step it stands in.
  fileprivate func withNested(in parent: String?) -> [(step: Plan.Step, parent: String?)] {
    guard isFlow else { return [(self, parent)] }
    var result: [(step: Plan.Step, parent: String?)] = []
    var stack = [(step: self, parent: parent)]
    while let (step, parent) = stack.popLast() {
      result.append((step, parent))
      for list in step.nestedLists.reversed() { stack += list.reversed().map { ($0, step.id) } }
    }
    return result
  }
}
