import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// What a later process needs to go on is written down, and what an earlier one wrote is taken over: its steps are told
/// again, with what they came to, and nothing of them is sent.
extension StepRunner {
  // MARK: taking over

  /// A step that an earlier part of the run has done.
  func takeOver(_ past: JournalEntry.Done, _ step: Plan.Step, _ scope: StepScope) async -> StepEnd {
    let inner = step.isFlow ? earlier.dones(inside: scope.key) : []
    for done in inner + [past] {
      apply(done, scope)
      // Steps of every role have the role behind their id.
      guard lookedBackTo.contains(where: { done.step == $0 || done.step.hasPrefix($0 + ".") }) else { continue }
      for device in devices { await device.loseStart(of: done.step) }
    }
    emitter.tellAgain(past, with: inner, document: plan.id)
    if past.result == .flaky { addFlaky(1, scope) }
    let failure = past.failure?.failure
    ledger.settle(
      Ledger.End(
        id: step.id, result: past.result, failure: failure, isIgnored: past.isIgnored, isNested: scope.nesting != nil,
        isStopped: past.isStopped, section: scope.section))
    if past.isStopped, let journal, let cleanup = earlier.cleanup(of: journal.key) { end(as: cleanup) }
    return StepEnd(failure: past.isIgnored ? nil : failure, endsList: past.endsList)
  }

  private func apply(_ past: JournalEntry.Done, _ scope: StepScope) {
    for member in past.set.members { variables.set(member.value, for: member.name) }
    for name in past.unset { variables.set(nil, for: name) }
    if let reply = past.reply { self.reply(reply, scope) }
  }

  /// The steps had been ended before: those that are not done are not begun now.
  func endAsBefore(_ step: Plan.Step, _ scope: StepScope) {
    guard let journal, !scope.section.isCleanup,
      let cleanup = earlier.cleanup(of: journal.key) ?? earlier.interruption,
      pastDone(step, scope) == nil
    else { return }
    end(as: cleanup)
  }

  private func end(as cleanup: JournalEntry.Cleanup) {
    guard stops.cause == nil, let cause = cleanup.cause else { return }
    switch cause {
    case .interrupted: stops.interrupt(.interrupt)
    case .terminated: stops.interrupt(.terminate)
    case .deadline: stops.stop(.deadline(plan.timeout))
    case .monitor: stops.stop(.monitor(cleanup.failure?.message ?? ""))
    case .failure: stops.stop(.failure(cleanup.failure?.failure ?? StepFailure(.interrupted, "interrupted")))
    }
  }

  /// What a step came to in an earlier part of the run; `nil` where that did not end it.
  func pastDone(_ step: Plan.Step, _ scope: StepScope) -> JournalEntry.Done? {
    earlier.done(scope.path.step(step.id))
  }

  /// Tells a step of an earlier part of the run that this part does not come to.
  func tellDone(_ past: JournalEntry.Done, _ step: Plan.Step, _ scope: StepScope) {
    let inner = step.isFlow ? earlier.dones(inside: past.key) : []
    emitter.tellAgain(past, with: inner, document: plan.id)
    if scope.nesting != nil { return }
    ledger.settle(
      Ledger.End(
        id: step.id, result: past.result, failure: past.failure?.failure, isIgnored: past.isIgnored,
        isStopped: past.isStopped, section: scope.section))
  }

  /// What an earlier part of the run has done of the steps inside one that is not done.
  func pastSteps(inside step: Plan.Step, _ scope: StepScope) -> Set<String> {
    step.isFlow ? Set(earlier.dones(inside: scope.path.step(step.id)).map(\.step)) : []
  }

  // MARK: what was under way

  /// Whether an earlier part of the run had begun a try, and prepared it.
  func hadBegun(_ tries: StepTries, _ scope: StepScope) -> Bool {
    if let open = scope.openIntent { return tries.number == open.attempt }
    return earlier.hasBegun(tryOf: scope.key, tries.number)
  }

  /// Finds out what became of a step that was under way.
  /// - Returns: Whether the device has what the step asks for: nothing more is to be sent.
  func isSettled(
    _ step: Plan.Step, _ scope: StepScope, _ tries: StepTries, until deadline: Duration
  ) async throws(StepFailure) -> Bool {
    guard let open = scope.openIntent, tries.number == open.attempt, lines[scope.line]?.resumed == nil else {
      return false
    }
    let device = device(scope)
    let asked = try DeviceAction(step.action, appMayBeGone: false) { value(of: $0, scope) }
    if step.resumeRule == .adopt, let play = open.play, let asked,
      try await device.adopt(asked, play: play, in: action(scope, on: device, until: deadline))
    {
      lines[scope.line]?.resumed = .adopted
      return true
    }
    try await endIfTakenOver(step, scope, until: deadline)
    if open.changesApp { await device.endUnsettled() }
    lines[scope.line]?.resumed = .replayed
    return false
  }

  /// Ends the steps where another sender has taken the device while nobody went on with a load that was under way.
  func endIfTakenOver(_ step: Plan.Step, _ scope: StepScope, until deadline: Duration) async throws(StepFailure) {
    guard let open = scope.openIntent, let before = open.before else { return }
    let device = device(scope)
    let asked = try DeviceAction(step.action, appMayBeGone: false) { value(of: $0, scope) }
    guard let asked else { return }
    let scoped = action(scope, on: device, until: deadline)
    guard let takeover = try await device.takeover(of: asked, play: open.play, since: before, in: scoped) else {
      return
    }
    owner.isTakenOver(takeover)
    if stops.cause(of: scope.line) != nil { throw .cancelled }
  }

  /// What a step has sent that nobody goes on with may still come.
  func settleSkipped(_ step: Plan.Step, _ scope: StepScope) async {
    guard scope.openIntent?.changesApp == true, stops.cause(of: scope.line) == nil else { return }
    let device = device(scope)
    let asked = try? DeviceAction(step.action, appMayBeGone: false) { value(of: $0, scope) }
    if let asked {
      let scoped = action(scope, on: device, until: now + plan.timeouts.reply)
      _ = await cancellably(scope) { await device.awaitApp(of: asked, in: scoped) }
    }
    await device.endUnsettled()
  }

  /// Writes down that a step is about to change something, and waits until that is on the disk.
  /// - Returns: The name by which the device can tell what it is given to play.
  func commitIntent(
    _ step: Plan.Step, _ scope: StepScope, until deadline: Duration
  ) async throws(StepFailure) -> String? {
    guard let journal, step.leavesTraces else { return nil }
    var intent = JournalEntry.Intent()
    (intent.key, intent.attempt, intent.device) = (scope.key, scope.attempt, scope.device)
    if step.resumeRule == .adopt { intent.play = journal.nextPlay() }
    intent.changesApp = step.changesApp
    if step.changesApp, let asked = try DeviceAction(step.action, saved: { value(of: $0, scope) }) {
      let device = device(scope)
      intent.before = await device.running(before: asked, in: action(scope, on: device, until: deadline))
    }
    // What cleans up is done in any case.
    if await journal.commit(.intent(intent)) || scope.section.isCleanup { return intent.play }
    throw StepFailure(.interrupted, "the journal of the run cannot be written")
  }

  // MARK: writing down

  /// Notes which devices have something else of ours than before.
  func keepApps(after step: Plan.Step) async {
    guard step.leavesTraces else { return }
    for device in devices { await keep(device) }
  }

  private func keep(_ device: DeviceSession) async {
    let kept = await device.keptApp
    guard keptApps[device.number] != kept else { return }
    keptApps[device.number] = kept
    changedApps[device.number] = kept
  }

  func noteUnkept(_ name: String, _ scope: StepScope) { if journal != nil { unkept.insert(name) } }

  /// Writes down what a step came to.
  func noteDone(
    _ step: Plan.Step, _ scope: StepScope, _ finished: EventKind.StepFinished, failure: StepFailure?,
    _ conclusion: StepConclusion
  ) {
    guard let journal else { return }
    var told = finished
    (told.verb, told.name, told.section) = (step.verb, step.name, scope.section)
    (told.parent, told.pass) = (scope.nesting?.parent, scope.nesting?.pass)
    told.place = SourcePlace(startOf: step.span)
    told.resumed = nil
    var done = JournalEntry.Done()
    (done.key, done.step) = (scope.key, step.id)
    done.device = scope.device == nil ? nil : device(scope).name
    done.told = told.emitted(hiding: secrets).fields
    (done.result, done.isIgnored) = (conclusion.result, conclusion.isIgnored)
    (done.endsList, done.isStopped) = (conclusion.endsList, stops.cause(of: scope.line) != nil)
    done.failure = failure.map { JournalEntry.Failure($0).emitted(hiding: secrets) }
    keepValues(of: step, in: &done, scope)
    for (number, kept) in changedApps.sorted(by: { $0.key < $1.key }) {
      done.own[String(number)] = kept.emitted(hiding: secrets).json
    }
    changedApps = [:]
    done.hasJoined = devices.count > max(1, plan.roles.count)
    done.changesConnection = conclusion.result != .skipped && step.changesConnection
    // What failed must not pass when it is done again.
    journal.append(.done(done), isDurable: step.leavesTraces || failure != nil)
  }

  private func keepValues(of step: Plan.Step, in done: inout JournalEntry.Done, _ scope: StepScope) {
    for (name, value) in (lines[scope.line]?.changes ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard let value else {
        done.unset.append(name)
        continue
      }
      // No file may have it, and without it nobody can go on.
      if secrets.hidden(value) == value { done.set[name] = value } else { unkept.insert(name) }
    }
    if case .exec = step.action, let reply = lines[scope.line]?.reply {
      if secrets.hidden(reply) == reply { done.reply = reply } else { unkept.insert("reply") }
    }
    done.unkept = unkept.sorted()
    unkept = []
    lines[scope.line]?.changes = [:]
  }
}

extension Plan.Step {
  /// Whether a later process, which connects as the document says, does not have the connection that the step left.
  fileprivate var changesConnection: Bool {
    switch action {
    case .connect(let host, let authentication): host != nil || authentication != nil
    case .disconnect: true
    default: false
    }
  }
}
