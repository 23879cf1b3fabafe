import CastClient
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// Steps one after the other, each with its tries.
extension ScenarioRun {
  /// What became of a list of steps.
  struct ListOutcome {
    /// Why the rest was not run; `nil` when all were.
    var endReason: String?
    /// The first failure that ended the list.
    var failure: StepFailure?
    /// The first failure that did not: `if_fails: continue`, or a list all of which runs.
    var softFailure: StepFailure?
  }

  /// Runs the steps of a section, or of a step that holds others.
  func runSteps(_ steps: [Plan.Step], runsAll: Bool = false) async -> ListOutcome {
    var outcome = ListOutcome()
    for (index, step) in steps.enumerated() {
      // Nothing new is begun before it is known whose the device is.
      if isWatching, plan.takeover == .fail, devices.contains(where: { $0.replacementDeadline != nil }) {
        _ = await stoppable { await self.settleLosses() }
      }
      if let reason = stopReason {
        tellNotRun(Array(steps[index...]), section, reason: reason)
        outcome.endReason = reason
        return outcome
      }
      let end = await run(step)
      guard let failure = end.failure else { continue }
      if end.endsList, !runsAll || stopCause != nil {
        outcome.failure = failure
        outcome.endReason = stopReason ?? "\(failure.step ?? step.id) failed"
        tellNotRun(Array(steps[(index + 1)...]), section, reason: outcome.endReason ?? "")
        return outcome
      }
      outcome.softFailure = outcome.softFailure ?? failure
    }
    return outcome
  }

  /// Why nothing more is to be run in this section.
  var stopReason: String? {
    switch stopCause {
    case nil: nil
    case .interrupted: "interrupted"
    case .deadline(let length):
      section == .setup || section == .steps
        ? "the scenario's \(length.spelled) were over" : "the cleanup's \(length.spelled) were over"
    case .monitor(let name): "monitor failed: \(name)"
    case .branch(let name): "branch \(name) failed"
    case .failure(let failure): failure.message
    }
  }

  /// Tells of steps that were not run, those inside them once each.
  func tellNotRun(_ steps: [Plan.Step], _ section: Section, reason: String) {
    let outer = nesting
    defer { nesting = outer }
    for step in steps {
      if outer == nil { tally.count(.notRun, of: step.id) }
      for (step, parent) in step.withNested(in: outer?.parent) {
        nesting = parent.map { Nesting(parent: $0, pass: $0 == outer?.parent ? outer?.pass : nil) }
        let device = lane.device
        mean(step.role)
        tellFinished(step, in: section, .notRun, reason: reason)
        lane.device = device
      }
    }
  }

  /// Tells of a step that was never begun.
  private func tellFinished(_ step: Plan.Step, in section: Section, _ result: StepResult, reason: String) {
    var fields: JSONObject = ["result": .string(result.rawValue), "reason": .string(reason)]
    fields.members += description(of: step, in: section).members
    emit(.stepFinished, step: step.id, fields)
  }

  /// Verb, name, section where it is not `steps`, what the step stands in, and its place.
  private func description(of step: Plan.Step, in section: Section) -> JSONObject {
    var fields: JSONObject = ["verb": .string(step.verb), "name": .string(step.name)]
    if section != .steps { fields["section"] = .string(section.rawValue) }
    if let nesting { fields["parent"] = .string(nesting.parent) }
    fields["pass"] = nesting?.pass.map(JSONValue.int)
    fields["file"] = .string(step.span.file)
    fields["line"] = .int(step.span.line)
    fields["column"] = .int(step.span.column)
    return fields
  }

  /// What a step came to, for the list it stands in.
  private struct StepEnd {
    /// A failure that counts.
    var failure: StepFailure?
    /// Whether what follows in the list is not run.
    var endsList = false
  }

  /// Runs one step with all its tries, unless it is to be skipped.
  private func run(_ step: Plan.Step) async -> StepEnd {
    let outer = lane.device
    mean(step.role)
    defer { lane.device = outer }
    var obstacle: StepFailure?
    if let reason = step.skip {
      skip(step, reason: reason)
      return StepEnd()
    }
    if let condition = step.condition {
      switch await answer(to: condition) {
      case .yes: break
      case .no(let mismatches):
        skip(step, reason: mismatches.map(\.text).joined(separator: ", "))
        return StepEnd()
      case .unknown(let failure): obstacle = failure
      }
    }
    begunSteps += 1
    if begunSteps > Self.stepLimit {
      obstacle = StepFailure(.invalidState, "more than \(Self.stepLimit) steps were run", help: "loop less often")
    }
    return await run(step, unless: obstacle)
  }

  /// Makes the device of a role the one that is meant.
  private func mean(_ role: Plan.RoleTarget?) {
    if case .one(let name)? = role, let index = deviceIndex(ofRole: name) { lane.device = index }
  }

  /// So many steps are a loop within a loop that nobody waits for.
  private static let stepLimit = 1_000_000

  private func skip(_ step: Plan.Step, reason: String) {
    if nesting == nil { tally.count(.skipped, of: step.id) }
    tellFinished(step, in: section, .skipped, reason: reason)
  }

  /// - Parameter obstacle: Why the step fails before it is tried.
  private func run(_ step: Plan.Step, unless obstacle: StepFailure?) async -> StepEnd {
    let started = now
    let (outerID, outerAttempt, flakyBefore) = (stepID, attempt, flakySteps)
    stepID = step.id
    attempt = 1
    defer { (stepID, attempt) = (outerID, outerAttempt) }
    await onEachDevice { await catchUp() }
    noteStart(of: step)
    var fields = description(of: step, in: section)
    if let limit = limit(of: step) { fields["deadline"] = .milliseconds(emitter.elapsed(at: started + limit)) }
    emit(.stepStarted, step: step.id, fields)

    var failure = obstacle
    if let obstacle {
      emit(.attemptFailed, step: step.id, ["attempt": 1, "error": .object(obstacle.json)])
    } else {
      failure = await tries(of: step, started: started)
    }
    await catchUp()
    var values = JSONObject()
    if failure == nil { values = save(step.save) }
    let result = failure.map { self.result(of: $0) } ?? (attempt > 1 || flakySteps > flakyBefore ? .flaky : .passed)
    if result == .flaky { flakySteps += 1 }
    if failure != nil, failure?.step == nil { failure?.step = step.id }
    let isIgnored = failure != nil && step.ifFails == .ignore && stopCause == nil
    if nesting == nil { tally.count(result, of: failure?.step ?? step.id, isIgnored: isIgnored) }
    var finished: JSONObject = ["result": .string(result.rawValue)]
    if let failure, result == .error || failure.isAboutMonitor || step.isFlow {
      finished["reason"] = .string(failure.message(in: step))
    }
    if let nesting { finished["parent"] = .string(nesting.parent) }
    finished["pass"] = nesting?.pass.map(JSONValue.int)
    finished["attempts"] = .int(attempt)
    finished["duration"] = .seconds(now - started)
    if !values.members.isEmpty { finished["saved"] = .object(values) }
    if isIgnored { finished["ignored"] = true }
    if failure?.isAboutMonitor == true { finished["stoppedBy"] = "monitor" }
    emit(.stepFinished, step: step.id, finished)
    wire?.enter(step: outerID)

    guard let failure, !isIgnored else { return StepEnd() }
    // What cleaning up fails with is no reason to run again what passed.
    if nesting == nil, section == .setup || section == .steps { failureClass = failureClass ?? failure.errorClass }
    // What a step inside another failed with counts when the outermost fails with it.
    if nesting == nil, stopCause == nil || !failure.isFromOutside {
      // What setup expects is about the bench, not about what is tested.
      if section == .setup, failure.isExpectation {
        exits.insert(5)
      } else {
        exits.insert(errorClass: failure.errorClass, isConnected: true)
      }
    }
    return StepEnd(failure: failure, endsList: stopCause != nil || step.ifFails == .stop && !failure.isSoft)
  }

  private func result(of failure: StepFailure) -> StepResult {
    let isFailure = (failure.isExpectation || failure.isAboutMonitor) && section != .setup
    return isFailure ? .failed : .error
  }

  /// How long one try may take: what an expectation waits, else the step's own limit; `nil` where only the scenario's
  /// deadline counts.
  private func limit(of step: Plan.Step) -> Duration? {
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
  /// - Returns: The last failure; `nil` when a try succeeded.
  private func tries(of step: Plan.Step, started: Duration) async -> StepFailure? {
    let policy = step.retry
    let end = policy.within.map { started + $0 }
    let limit = limit(of: step)
    attempt = 1
    while true {
      let number = attempt
      wire?.enter(step: step.id, attempt: number)
      let deadline = [limit.map { now + $0 }, end, groupEnd].compactMap { $0 }.min()
      let outerRetry = lane.retriesLoss
      lane.retriesLoss = outerRetry || number < policy.attempts && policy.errors.contains(.appGone)
      lane.awaited = step.action.awaited
      var failure = await tryOnce(step, number: number, until: deadline)
      if !step.isFlow { failure = await withCause(failure) }
      if failure == nil { await acceptLoss() }
      lane.awaited = []
      lane.retriesLoss = outerRetry
      attempt = number
      let isToldInside = failure?.step != nil
      guard let failure = outside() ?? failure else { return nil }
      let wait = nextWait(after: failure, policy, end: end)
      // The step inside has told its failure. A group tells only that it tries again, or a loss between two of its steps.
      let groupTells = policy.retries || failure.isAboutLoss && !isToldInside
      if step.isFlow ? groupTells : !failure.isExpectation && !failure.isAboutMonitor {
        var fields: JSONObject = ["attempt": .int(number), "error": .object(failure.json)]
        fields["nextTryIn"] = wait.map(JSONValue.seconds)
        emit(.attemptFailed, step: step.id, fields)
      }
      guard let wait else { return failure }
      _ = await stoppable { try? await self.times.show.sleep(for: wait) }
      if let stopped = outside() { return stopped }
      attempt += 1
    }
  }

  /// The failure that stopping from outside is; `nil` when nobody stopped.
  func outside() -> StepFailure? {
    switch stopCause {
    case nil: nil
    case .interrupted: StepFailure(.interrupted, "interrupted")
    case .deadline: StepFailure(.timeout, stopReason ?? "")
    case .monitor(let name): StepFailure(.monitor, "monitor failed: \(name)")
    case .branch: StepFailure(.interrupted, stopReason ?? "")
    case .failure(let failure): failure
    }
  }

  private func nextWait(after failure: StepFailure, _ policy: RetryPolicy, end: Duration?) -> Duration? {
    guard stopCause == nil, attempt < policy.attempts, policy.errors.contains(failure.errorClass) else { return nil }
    let wait = retryWaits.wait(before: attempt + 1, by: policy)
    if let end, now + wait >= end { return nil }
    return wait
  }

  private func tryOnce(_ step: Plan.Step, number: Int, until deadline: Duration?) async -> StepFailure? {
    // The steps inside are stopped one by one.
    if step.isFlow {
      let outerEnd = groupEnd
      if step.hasTimeout { groupEnd = deadline }
      defer { groupEnd = outerEnd }
      return await attempt(step, number: number, until: deadline ?? now + .seconds(400 * 86_400))
    }
    let deadline = deadline ?? now + step.timeout
    let timer = groupEnd.map { end in
      times.show.spawn { [times] in
        do { try await times.show.sleep(until: end) } catch { return }
        await self.cancelRunning()
      }
    }
    let failure = await stoppable { await self.attempt(step, number: number, until: deadline) } ?? .cancelled
    timer?.cancel()
    await timer?.value
    guard let failure, failure.errorClass == StepFailure.cancelled.errorClass, stopCause == nil else { return failure }
    if let groupEnd, now >= groupEnd {
      return StepFailure(.timeout, "the time of the group it stands in was over")
    }
    // Only the try was stopped: the next one may have the app again.
    return lane.retriesLoss ? appLoss ?? failure : failure
  }

  private func cancelRunning() { running?.cancel() }

  private func attempt(_ step: Plan.Step, number: Int, until deadline: Duration) async -> StepFailure? {
    do {
      if number > 1 {
        // A device that restarts may take all of the try's time; nobody at a prompt waits for the length of a film.
        let hasAll = lostAt != nil && !configuration.joinsRunningApp
        let end = hasAll ? deadline : min(deadline, now + plan.timeouts.step)
        try await reset(step.retry.before, until: end)
      }
      try await perform(step, until: deadline)
      return nil
    } catch {
      return error
    }
  }

  /// What is reset between tries; a lost connection is always made again.
  private func reset(_ before: RetryPolicy.Reset, until deadline: Duration) async throws(StepFailure) {
    if before == .reconnect || lostAt != nil { try await makeReachable(until: deadline) }
    if before == .relaunch { try await relaunch(until: deadline) }
  }

  private func save(_ fields: [Plan.SavedField]) -> JSONObject {
    var values = JSONObject()
    for field in fields {
      if secrets.isSaved(field.name), let raw = view.rawValue(of: field.field), !raw.isNull {
        secrets.set(raw.string ?? raw.serialized(), for: field.name)
        saved[field.name] = .string(SecretPlaceholder.text(for: field.name))
        values[field.name] = saved[field.name]
        continue
      }
      let value = view.value(of: field.field)
      saved[field.name] = value
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

extension StepFailure {
  /// The message, with the step inside `step` that it is about.
  func message(in outer: Plan.Step) -> String {
    guard let step, step != outer.id else { return message }
    return "\(step): \(message)"
  }

  var isAboutMonitor: Bool { errorClass == .monitor }
  /// Whether what was ours is another's, or gone.
  var isAboutLoss: Bool { errorClass == .appGone || errorClass == .takenOver }
  /// Whether it was made by what stopped the run, which has its own exit code.
  var isFromOutside: Bool { errorClass == .monitor || errorClass == .interrupted }
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
