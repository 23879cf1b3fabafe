import CastClient
import CastProtocol
import ScenarioLanguage

/// Steps one after the other, each with its tries.
extension ScenarioRun {
  /// Runs the steps of a section.
  /// - Returns: Why the rest was not run; `nil` when all were.
  func runSteps(_ steps: [Plan.Step]) async -> String? {
    let runsAll = section == .finally || section == .onFailure
    for (index, step) in steps.enumerated() {
      if let reason = stopReason {
        tellNotRun(Array(steps[index...]), section, reason: reason)
        return reason
      }
      let isStopped = await run(step)
      if isStopped, !runsAll {
        let reason = "\(step.id) failed"
        tellNotRun(Array(steps[(index + 1)...]), section, reason: stopReason ?? reason)
        return stopReason ?? reason
      }
    }
    return nil
  }

  /// Why nothing more is to be run in this section.
  private var stopReason: String? {
    switch stopCause {
    case nil: nil
    case .interrupted: "interrupted"
    case .deadline(let length):
      section == .setup || section == .steps
        ? "the scenario's \(length.spelled) were over" : "the cleanup's \(length.spelled) were over"
    case .monitor(let name): "monitor failed: \(name)"
    case .failure(let failure): failure.message
    }
  }

  func tellNotRun(_ steps: [Plan.Step], _ section: Section, reason: String) {
    for step in steps {
      var fields: JSONObject = ["result": "not_run", "reason": .string(reason)]
      fields.members += description(of: step, in: section).members
      emit(.stepFinished, step: step.id, fields)
      tally.count(.notRun, of: step.id)
    }
  }

  /// Verb, name, section where it is not `steps`, and place.
  private func description(of step: Plan.Step, in section: Section) -> JSONObject {
    var fields: JSONObject = ["verb": .string(step.verb), "name": .string(step.name)]
    if section != .steps { fields["section"] = .string(section.rawValue) }
    fields["file"] = .string(step.span.file)
    fields["line"] = .int(step.span.line)
    fields["column"] = .int(step.span.column)
    return fields
  }

  /// Runs one step with all its tries.
  /// - Returns: Whether the section ends with it.
  private func run(_ step: Plan.Step) async -> Bool {
    let started = now
    stepID = step.id
    defer { stepID = nil }
    await catchUp()
    stepStarts[step.id] = observed
    if step.isAction { lastActionStart = observed }
    var fields = description(of: step, in: section)
    fields["deadline"] = .milliseconds(emitter.elapsed(at: started + limit(of: step)))
    emit(.stepStarted, step: step.id, fields)

    let failure = await tries(of: step, started: started)
    await catchUp()
    var values = JSONObject()
    if failure == nil { values = save(step.save) }
    let result = result(of: failure)
    let isIgnored = failure != nil && step.ifFails == .ignore && stopCause == nil
    tally.count(result, of: step.id, isIgnored: isIgnored)
    var finished: JSONObject = ["result": .string(result.rawValue)]
    if let failure, result == .error || failure.isAboutMonitor { finished["reason"] = .string(failure.message) }
    finished["attempts"] = .int(attempt)
    finished["duration"] = .seconds(now - started)
    if !values.members.isEmpty { finished["saved"] = .object(values) }
    if isIgnored { finished["ignored"] = true }
    emit(.stepFinished, step: step.id, finished)
    wire?.enter(step: nil)

    guard let failure, !isIgnored else { return false }
    if stopCause == nil || !failure.isFromOutside {
      exits.insert(
        errorClass: section == .setup && failure.isExpectation ? "setup" : failure.errorClass, isConnected: true)
    }
    return stopCause != nil || step.ifFails == .stop
  }

  private func result(of failure: StepFailure?) -> StepResult {
    guard let failure else { return attempt > 1 ? .flaky : .passed }
    let isFailure = (failure.isExpectation || failure.isAboutMonitor) && section != .setup
    return isFailure ? .failed : .error
  }

  /// How long one try may take: what an expectation waits, else the step's own limit.
  private func limit(of step: Plan.Step) -> Duration {
    switch step.action {
    case .expect(let action): action.within + (action.holdFor ?? .zero)
    case .always(let action), .never(let action): action.during
    case .expectSequence(let action): action.within
    default: step.timeout
    }
  }

  /// Tries until one succeeds or the policy is exhausted.
  /// - Returns: The last failure; `nil` when a try succeeded.
  private func tries(of step: Plan.Step, started: Duration) async -> StepFailure? {
    let policy = step.retry
    let end = policy.within.map { started + $0 }
    attempt = 1
    while true {
      let number = attempt
      wire?.enter(step: step.id, attempt: number)
      let deadline = min(now + limit(of: step), end ?? now + limit(of: step))
      let outcome = await stoppable { await self.tryOnce(step, number: number, until: deadline) }
      let failure = outside() ?? outcome.flatMap { $0 }
      guard let failure else { return nil }
      let wait = nextWait(after: failure, policy, end: end)
      if !failure.isExpectation, !failure.isAboutMonitor {
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
  private func outside() -> StepFailure? {
    switch stopCause {
    case nil: nil
    case .interrupted: StepFailure("interrupted", "interrupted")
    case .deadline: StepFailure("timeout", stopReason ?? "")
    case .monitor(let name): StepFailure("monitor", "monitor failed: \(name)")
    case .failure(let failure): failure
    }
  }

  private func nextWait(after failure: StepFailure, _ policy: RetryPolicy, end: Duration?) -> Duration? {
    guard stopCause == nil, attempt < policy.attempts, policy.errors.contains(failure.errorClass) else { return nil }
    let wait = retryWaits.wait(before: attempt + 1, by: policy)
    if let end, now + wait >= end { return nil }
    return wait
  }

  private func tryOnce(_ step: Plan.Step, number: Int, until deadline: Duration) async -> StepFailure? {
    do {
      if number > 1 { try await reset(step.retry.before, until: deadline) }
      try await perform(step, until: deadline)
      return nil
    } catch {
      return error
    }
  }

  /// What is reset between tries; a lost connection is always made again.
  private func reset(_ before: RetryPolicy.Reset, until deadline: Duration) async throws(StepFailure) {
    if before == .reconnect || lostAt != nil { try await reconnect(until: deadline) }
    guard before == .relaunch, let app, let connection else { return }
    isChangingApp = true
    defer { isChangingApp = false }
    do {
      try await connection.stopApp(app, until: deadline)
      self.app = nil
      loaded = nil
      self.app = try await connection.launch(app.appID, join: .never, until: deadline)
    } catch { throw StepFailure(error) }
  }

  private func save(_ fields: [Plan.SavedField]) -> JSONObject {
    var values = JSONObject()
    for field in fields {
      let value = view.value(of: field.field)
      saved[field.name] = value
      values[field.name] = (value ?? .null).roundedToMilliseconds
    }
    return values
  }
}

extension StepFailure {
  var isAboutMonitor: Bool { errorClass == "monitor" }
  /// Whether it was made by what stopped the run, which has its own exit code.
  var isFromOutside: Bool { errorClass == "monitor" || errorClass == "interrupted" }
}
