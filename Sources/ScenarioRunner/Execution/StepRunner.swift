import CastClient
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// Runs the steps of one try of a scenario, one after the other, each with its tries and conditions. It knows devices
/// only as sessions that are asked.
actor StepRunner {
  /// What became of a list of steps.
  struct ListOutcome {
    /// Why the rest was not run; `nil` when all were.
    var endReason: String?
    /// The first failure that ended the list.
    var failure: StepFailure?
    /// The first failure that did not: `if_fails: continue`, or a list all of which runs.
    var softFailure: StepFailure?
  }

  /// What a line of steps has of its own.
  struct LineState {
    /// Where each device stood when the last action began.
    var marks: [DeviceMark] = []
    /// What the last `exec` wrote.
    var reply: JSONValue?
    /// Steps so far that passed on a later try.
    var flakySteps = 0
  }

  private nonisolated let home: SessionHome
  nonisolated var unownedExecutor: UnownedSerialExecutor { home.unownedExecutor }

  nonisolated let plan: Plan
  nonisolated let configuration: RunConfiguration
  nonisolated let access: DeviceAccess
  nonisolated let times: TimeSources
  nonisolated let emitter: EventEmitter
  nonisolated let stops: StopTree
  nonisolated let variables: Variables
  nonisolated let owner: ScenarioOwner
  /// When the run began, in Unix seconds.
  nonisolated let startedAt: Double
  /// Makes the session of a device that a step adds.
  nonisolated let makeSession: @Sendable (_ number: Int, _ selector: Plan.DeviceSelector) -> DeviceSession

  /// The devices, in the order of the roles; one where there are none.
  private(set) var devices: [DeviceSession]
  private var lines: [StopTree.Line: LineState] = [.main: LineState()]
  private(set) var ledger = Ledger()
  private var retryWaits: RetryWaits
  /// Steps begun so far, each pass of a loop counted.
  private var begunSteps = 0
  /// When every group's `finally` must be over after the run was stopped.
  private var groupCleanupEnd: Duration?

  init(
    _ plan: Plan, on devices: [DeviceSession], access: DeviceAccess, times: TimeSources,
    configuration: RunConfiguration, emitter: EventEmitter, stops: StopTree, variables: Variables,
    owner: ScenarioOwner, home: SessionHome, startedAt: Double, retryWaits: RetryWaits,
    makeSession: @escaping @Sendable (Int, Plan.DeviceSelector) -> DeviceSession
  ) {
    self.home = home
    self.plan = plan
    self.devices = devices
    self.access = access
    self.times = times
    self.configuration = configuration
    self.emitter = emitter
    self.stops = stops
    self.variables = variables
    self.owner = owner
    self.startedAt = startedAt
    self.retryWaits = retryWaits
    self.makeSession = makeSession
  }

  nonisolated var now: Duration { times.show.now }
  nonisolated var secrets: Secrets { configuration.secrets }

  /// The scope of a section's own steps.
  func scope(_ section: StepSection) -> StepScope {
    StepScope(section: section, device: devices.count == 1 ? 0 : nil)
  }

  // MARK: devices

  /// The device that a step is about.
  func device(_ scope: StepScope) -> DeviceSession { devices[scope.device ?? 0] }

  func deviceIndex(ofRole name: String) -> Int? { devices.firstIndex { $0.role == name } }

  /// Another device takes part from here on.
  func add(_ device: DeviceSession) { devices.append(device) }

  /// What a device is told of the step that asks it.
  func action(_ scope: StepScope, on device: DeviceSession, until deadline: Duration = .zero) -> ActionScope {
    let state = lines[scope.line] ?? LineState()
    let caller = StepCaller(
      stops: stops, line: scope.line, variables: variables, local: local(scope), device: device)
    // What watches a device speaks of the document's own step.
    var action = ActionScope(stepID: scope.stepID, deadline: deadline, caller: caller)
    action.attempt = scope.attempt
    action.mark = state.marks.indices.contains(device.number) ? state.marks[device.number] : nil
    return action
  }

  /// Tells and judges what devices have shown since.
  private func catchUpAll(_ scope: StepScope) async {
    for device in devices { await device.catchUp(action(scope, on: device)) }
  }

  // MARK: values

  /// What loops and the line's last `exec` add to what was saved.
  func local(_ scope: StepScope) -> [String: JSONValue] {
    guard let reply = lines[scope.line]?.reply else { return scope.loopValues }
    return scope.loopValues.merging(["reply": reply]) { $1 }
  }

  /// Everything that a name may stand for in a step.
  func values(_ scope: StepScope) -> [String: JSONValue] {
    variables.all(local: local(scope), facts: device(scope).facts)
  }

  func value(of name: String, _ scope: StepScope) -> JSONValue? { ConditionJudge.value(of: name, in: values(scope)) }

  func set(_ value: JSONValue?, for name: String, _ scope: StepScope) {
    if name == "reply", let reply = lines[scope.line]?.reply {
      // A line of steps keeps its own reply, unless the document gives the name another value.
      if value == reply { return }
      lines[scope.line]?.reply = nil
    }
    variables.set(value, for: name)
  }

  func reply(_ value: JSONValue, _ scope: StepScope) { lines[scope.line]?.reply = value }

  // MARK: lines

  /// A line of steps beside this one, which begins where this one stands.
  func openLine(from scope: StepScope, device: Int?) -> StepScope {
    var branch = scope
    branch.line = stops.open(from: scope.line, device: device)
    branch.device = device
    var state = lines[scope.line] ?? LineState()
    state.flakySteps = 0
    lines[branch.line] = state
    return branch
  }

  /// - Returns: What the line came to.
  func closeLine(_ scope: StepScope) -> LineState {
    stops.close(scope.line)
    return lines.removeValue(forKey: scope.line) ?? LineState()
  }

  func addFlaky(_ count: Int, _ scope: StepScope) { lines[scope.line]?.flakySteps += count }
  func replyOfLine(_ scope: StepScope) -> JSONValue? { lines[scope.line]?.reply }

  // MARK: events

  func emit(_ kind: EventKind, _ scope: StepScope, step: String? = nil) {
    emitter.emit(kind, document: plan.id, device: scope.device == nil ? nil : device(scope).name, step: step)
  }

  // MARK: stopping

  /// Runs `body` in a task that stopping the line cancels; `body` must end soon when cancelled.
  nonisolated func cancellably<T: Sendable>(
    _ scope: StepScope, _ body: @escaping @Sendable () async -> T
  ) async -> T? {
    await stops.runCancellably(scope.line, on: times.show, body)
  }

  /// Why nothing more is to be run in this section.
  func stopReason(_ scope: StepScope) -> String? {
    switch stops.cause(of: scope.line) {
    case nil: nil
    case .interrupted: "interrupted"
    case .deadline(let length):
      scope.section.isCleanup
        ? "the cleanup's \(length.spelled) were over" : "the scenario's \(length.spelled) were over"
    case .monitor(let name): "monitor failed: \(name)"
    case .branch(let name): "branch \(name) failed"
    case .failure(let failure): failure.message
    }
  }

  /// The failure that stopping from outside is; `nil` when nobody stopped.
  func outside(_ scope: StepScope) -> StepFailure? {
    switch stops.cause(of: scope.line) {
    case nil: nil
    case .interrupted: StepFailure(.interrupted, "interrupted")
    case .deadline: StepFailure(.timeout, stopReason(scope) ?? "")
    case .monitor(let name): StepFailure(.monitor, "monitor failed: \(name)")
    case .branch: StepFailure(.interrupted, stopReason(scope) ?? "")
    case .failure(let failure): failure
    }
  }

  // MARK: accounts

  func changeLedger<T>(_ change: (inout Ledger) -> T) -> T { change(&ledger) }

  /// The end of what groups may take to clean up once the run was stopped; the first that asks sets it.
  func cleanupEnd() -> Duration {
    let end = groupCleanupEnd ?? now + plan.finallyTimeout
    groupCleanupEnd = end
    return end
  }

  // MARK: lists

  /// Runs the steps of a section, or of a step that holds others.
  func run(_ steps: [Plan.Step], _ scope: StepScope, runsAll: Bool = false) async -> ListOutcome {
    var outcome = ListOutcome()
    for (index, step) in steps.enumerated() {
      await settleLosses(scope)
      if let reason = stopReason(scope) {
        reportNotRun(Array(steps[index...]), scope, reason: reason)
        outcome.endReason = reason
        return outcome
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

  /// Nothing new is begun before it is known whose the devices are.
  private func settleLosses(_ scope: StepScope) async {
    guard owner.endsOnLoss else { return }
    for device in devices where await device.replacementDeadline != nil {
      let action = action(scope, on: device)
      _ = await cancellably(scope) { await device.settleLoss(action) }
    }
  }

  /// Tells of steps that were not run, those inside them once each.
  func reportNotRun(_ steps: [Plan.Step], _ scope: StepScope, reason: String) {
    for step in steps {
      if scope.nesting == nil {
        ledger.settle(Ledger.End(id: step.id, result: .notRun, section: scope.section))
      }
      for (step, parent) in step.withNested(in: scope.nesting?.parent) {
        var inner = scope
        inner.nesting = parent.map {
          StepScope.Nesting(parent: $0, pass: $0 == scope.nesting?.parent ? scope.nesting?.pass : nil)
        }
        reportFinished(step, selecting(step.role, inner), .notRun, reason: reason)
      }
    }
  }

  /// Tells of a step that was never begun.
  private func reportFinished(_ step: Plan.Step, _ scope: StepScope, _ result: StepResult, reason: String) {
    emit(.stepFinished(.init(step, in: scope, neverBegun: result, because: reason)), scope, step: step.id)
  }

  // MARK: one step

  /// What a step came to, for the list it stands in.
  private struct StepEnd {
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
    let scope = selecting(step.role, outer)
    stops.set(device: scope.device, of: scope.line)
    defer { stops.set(device: outer.device, of: outer.line) }
    var obstacle: StepFailure?
    if let reason = step.skip {
      skip(step, scope, reason: reason)
      return StepEnd()
    }
    if let condition = step.condition {
      switch await answer(to: condition, scope) {
      case .yes: break
      case .no(let mismatches):
        skip(step, scope, reason: mismatches.map(\.text).joined(separator: ", "))
        return StepEnd()
      case .unknown(let failure): obstacle = failure
      }
    }
    begunSteps += 1
    if begunSteps > Self.stepLimit {
      obstacle = StepFailure(.invalidState, "more than \(Self.stepLimit) steps were run", help: "loop less often")
    }
    return await run(step, scope, unless: obstacle)
  }

  private func skip(_ step: Plan.Step, _ scope: StepScope, reason: String) {
    ledger.settle(
      Ledger.End(id: step.id, result: .skipped, isNested: scope.nesting != nil, section: scope.section))
    reportFinished(step, scope, .skipped, reason: reason)
  }

  /// - Parameter obstacle: Why the step fails before it is tried.
  private func run(_ step: Plan.Step, _ outer: StepScope, unless obstacle: StepFailure?) async -> StepEnd {
    let started = now
    let flakyBefore = lines[outer.line]?.flakySteps ?? 0
    var scope = outer
    scope.stepID = step.id
    scope.attempt = 1
    if scope.line == .main { owner.runningStep = step.id }
    defer { if outer.line == .main { owner.runningStep = outer.stepID } }
    await catchUpAll(scope)
    await mark(step, scope)
    let deadline = limit(of: step).map { emitter.elapsed(at: started + $0) }
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
    let result = failure.map { self.result(of: $0, scope) } ?? (isFlaky ? .flaky : .passed)
    if result == .flaky { addFlaky(1, outer) }
    if failure != nil, failure?.step == nil { failure?.step = step.id }
    let isStopped = stops.cause(of: scope.line) != nil
    let isIgnored = failure != nil && step.ifFails == .ignore && !isStopped
    ledger.settle(
      Ledger.End(
        id: step.id, result: result, failure: failure, isIgnored: isIgnored, isNested: scope.nesting != nil,
        isStopped: isStopped, section: scope.section))
    var finished = EventKind.StepFinished()
    finished.result = result
    if let failure, result == .error || failure.isAboutMonitor || step.isFlow {
      finished.reason = failure.message(in: step)
    }
    (finished.parent, finished.pass) = (scope.nesting?.parent, scope.nesting?.pass)
    (finished.attempts, finished.duration) = (attempts, (now - started).seconds)
    finished.saved = values.members.isEmpty ? nil : values
    finished.isIgnored = isIgnored
    finished.stoppedBy = failure?.isAboutMonitor == true ? .monitor : nil
    emit(.stepFinished(finished), scope, step: step.id)
    device.wire?.enter(step: outer.stepID)

    guard let failure, !isIgnored else { return StepEnd() }
    return StepEnd(failure: failure, endsList: isStopped || step.ifFails == .stop && !failure.isSoft)
  }

  /// Notes where every device stands as a step begins.
  private func mark(_ step: Plan.Step, _ scope: StepScope) async {
    var marks: [DeviceMark] = []
    for device in devices { marks.append(await device.mark(step: step.id)) }
    if step.isAction { lines[scope.line]?.marks = marks }
  }

  private func result(of failure: StepFailure, _ scope: StepScope) -> StepResult {
    let isFailure = (failure.isExpectation || failure.isAboutMonitor) && scope.section != .setup
    return isFailure ? .failed : .error
  }

  private func save(_ fields: [Plan.SavedField], _ scope: StepScope) async -> JSONObject {
    var values = JSONObject()
    let device = device(scope)
    let view = await device.view(since: action(scope, on: device).mark)
    for field in fields {
      if secrets.isSaved(field.name), let raw = view.rawValue(of: field.field), !raw.isNull {
        secrets.set(raw.string ?? raw.serialized(), for: field.name)
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

  // MARK: tries

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
  /// - Returns: The last failure, `nil` when a try succeeded, and how many there were.
  private func tries(
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
