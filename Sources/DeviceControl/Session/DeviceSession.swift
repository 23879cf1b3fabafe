import CastClient
package import CastProtocol
package import RunReporting
package import ScenarioLanguage
import Synchronization

/// An executor that sessions and who asks them may share.
package actor SessionHome {
  package init() {}
}

/// One session with one device: it alone owns the link to it and what is ours on it, does what it is asked, waits,
/// judges, and tells what it sees.
package actor DeviceSession {
  /// Whose executor it runs on: a scenario and its devices share one, so that a step sees what its device has just seen
  /// and nothing happens between the two.
  private nonisolated let home: SessionHome
  package nonisolated var unownedExecutor: UnownedSerialExecutor { home.unownedExecutor }

  /// Its place among the devices of its run, from 0.
  package nonisolated let number: Int
  /// The role it plays, where the document has roles.
  package nonisolated let role: String?
  package nonisolated let selector: Plan.DeviceSelector
  package nonisolated let policies: SessionPolicies

  nonisolated let access: DeviceAccess
  nonisolated let times: TimeSources
  nonisolated let emitter: EventEmitter
  nonisolated let owner: any SessionOwner
  /// Numbers from 0 to 1 for the waits of reconnecting, which the seed repeats.
  nonisolated let random: @Sendable () -> Double
  /// What others may read at any time.
  private nonisolated let known: Mutex<Known>

  private struct Known {
    var device: FoundDevice?
    var name: String
    var wire: WireContext?
    var executor: (any TaskExecutor)?
  }

  private(set) var link = DeviceLink()
  private(set) var own = OwnApp()
  /// It was asked for a proof that had not come when it was connected.
  private(set) var awaitsProof = false
  private var watching: Task<Void, Never>?
  /// The rules of `watch`, judged for each device by itself.
  private var monitors: [MonitorStateMachine]
  /// The status as the last `status` event left it.
  private var reportedStatus = JSONObject()
  /// The try of a step for which it was reported that it waits for a person.
  private var reportedConsent: String?
  /// Warnings about the device that were reported: each is, once.
  private var reportedWarnings: Set<String> = []
  /// The last observation before each step began, whichever device the step was about.
  private var stepStarts: [String: Int] = [:]
  /// Steps whose begin was seen over a connection that is gone.
  private var lostStarts: Set<String> = []
  /// Under which addresses the device knows files of this computer.
  private let servedFiles = Mutex(ServedFiles())
  /// Tasks that sleep until the device is connected again, by number.
  private var linkWaits: [Int: Task<Void, Never>] = [:]
  private var lastLinkWait = 0

  /// - Parameters:
  ///   - number: Its place among the devices of its run, from 0.
  ///   - monitors: The rules that hold while the owner says so.
  ///   - home: What it shares its executor with.
  ///   - random: Numbers from 0 to 1, for the waits of reconnecting.
  package init(
    number: Int = 0, role: String? = nil, selector: Plan.DeviceSelector, monitors: [Plan.Monitor] = [],
    policies: SessionPolicies, access: DeviceAccess, times: TimeSources, emitter: EventEmitter,
    owner: any SessionOwner, home: SessionHome = SessionHome(), random: @escaping @Sendable () -> Double
  ) {
    self.home = home
    self.number = number
    self.role = role
    self.selector = selector
    self.policies = policies
    self.access = access
    self.times = times
    self.emitter = emitter
    self.owner = owner
    self.random = random
    self.monitors = monitors.map(MonitorStateMachine.init)
    known = Mutex(Known(name: DeviceName.name(of: nil, selector: selector)))
  }

  // MARK: what others may read

  /// How events call the device.
  package nonisolated var name: String { known.withLock { $0.name } }
  /// The device, once it was found.
  package nonisolated var device: FoundDevice? { known.withLock { $0.device } }
  /// Turns messages into events of the step that runs; `nil` before the device was found.
  package nonisolated var wire: WireContext? { known.withLock { $0.wire } }

  /// Where work with the device does best: on the loop that reads its connection, if it has one. For what never blocks.
  package nonisolated var executor: (any TaskExecutor)? { known.withLock { $0.executor } }

  /// What conditions may ask of the device: `device.name` and so on.
  package nonisolated var facts: [String: JSONValue] {
    guard let device else { return [:] }
    var facts: [String: JSONValue] = ["device.name": .string(device.name), "device.ip": .string(device.address.host)]
    facts["device.id"] = device.id.map(JSONValue.string)
    facts["device.model"] = device.model.map(JSONValue.string)
    return facts
  }

  package var isLost: Bool { link.lostAt != nil }
  /// When the connection was lost, on the show clock; `nil`: it is not.
  package var lostAt: Duration? { link.lostAt }
  package var wasConnected: Bool { link.wasConnected }
  /// Whether cleaning up needs a new connection: this one is lost or closed, and no step closed it.
  package var needsConnection: Bool { !link.isOpen && !link.wasDisconnectedByUs }
  package var appLoss: StepFailure? { own.loss }
  package var replacementDeadline: Duration? { own.replacementDeadline }
  package var position: Double? { view().position }

  nonisolated var now: Duration { times.show.now }
  nonisolated var secrets: Secrets { policies.secrets }

  /// The merged status as of now.
  /// - Parameter mark: Where the device stood when the last action step began.
  package func view(since mark: DeviceMark? = nil) -> StatusView {
    var view = StatusView(link.snapshot, at: now, loaded: own.loaded, secrets: secrets)
    view.baseline = mark?.baseline
    return view
  }

  func view(_ scope: ActionScope) -> StatusView { view(since: scope.mark) }

  func status(_ observation: Observation, since mark: DeviceMark? = nil) -> ObservedStatus {
    var view = StatusView(observation.snapshot, at: observation.at, loaded: own.loaded, secrets: secrets)
    view.baseline = mark?.baseline
    return ObservedStatus(view, source: observation.source)
  }

  // MARK: what changes it

  func setDevice(_ device: FoundDevice, as name: String? = nil, wire: WireContext? = nil) {
    known.withLock { known in
      known.device = device
      known.name = name ?? known.name
      known.wire = wire ?? known.wire
    }
  }

  /// Changes the link; nothing else does.
  func changeLink<T>(_ change: (inout DeviceLink) -> T) -> T { change(&link) }

  /// What this computer serves was sent to the device under an address; also by an earlier process.
  /// - Parameter before: What came of the address until then.
  package nonisolated func noteServed(_ file: String, as address: String, after before: LocalMedia.Fetches = .init()) {
    servedFiles.withLock { $0.note(file, as: address, after: before) }
  }

  /// What had come of an address of ours when it was sent to the device last; `nil`: it is none of ours.
  func fetchesBefore(loading address: String) -> LocalMedia.Fetches? { servedFiles.withLock { $0.before(address) } }

  /// Under which address the device knows a file of this computer; `nil`: under none yet.
  nonisolated func servedAddress(of file: String) -> String? { servedFiles.withLock { $0.address(of: file) } }

  /// Changes what is ours; nothing else does.
  func changeOwn<T>(_ change: (inout OwnApp) -> T) -> T { change(&own) }

  /// Notes a new connection: what was seen over an earlier one is out of reach.
  func begin(_ opened: OpenedDevice, seen: Int) {
    link.open(opened.connection, seen: seen)
    known.withLock { $0.executor = opened.connection.executor }
    lostStarts.formUnion(stepStarts.keys)
    stepStarts = [:]
    awaitsProof = opened.authentication.isPending
  }

  /// - Returns: Whether a proof was awaited: the caller alone then reports it.
  func endWaitForProof() -> Bool {
    defer { awaitsProof = false }
    return awaitsProof
  }

  /// - Returns: Whether the warning was not reported before.
  func isFirstReport(of warning: String) -> Bool { reportedWarnings.insert(warning).inserted }

  // MARK: marks of steps

  /// A step begins: what the device has shown so far counts as before it.
  package func begin(step id: String, _ scope: ActionScope) async -> DeviceMark {
    await catchUp(scope)
    return mark(step: id)
  }

  /// Notes where the device stands as a step begins.
  /// - Parameter id: What later steps know it by; `nil`: nothing looks back to it.
  package func mark(step id: String? = nil) -> DeviceMark {
    if let id { stepStarts[id] = link.observed }
    return DeviceMark(
      connection: link.number, observed: link.observed,
      baseline: StatusView.Baseline(StatusView(link.snapshot, at: now, loaded: own.loaded, secrets: secrets)))
  }

  /// The last observation before the last action began.
  func start(of mark: DeviceMark?) -> Int {
    guard let mark, mark.connection == link.number else { return 0 }
    return mark.observed
  }

  /// The last observation before the step `id` began; steps of every role are known by either name.
  /// - Parameter id: What `since` says; `nil`: the last action.
  /// - Throws: `connection_lost` where the connection was made anew since then.
  func start(of id: String?, _ scope: ActionScope) throws(StepFailure) -> Int {
    guard let id else { return start(of: scope.mark) }
    let names = names(of: [id])
    if let start = names.lazy.compactMap({ self.stepStarts[$0] }).first { return start }
    if names.contains(where: lostStarts.contains) {
      throw StepFailure(.connectionLost, "the connection was made anew since \(id) began")
    }
    return start(of: scope.mark)
  }

  /// A step began before this process did: nothing can look back to it.
  package func loseStart(of step: String) { lostStarts.insert(step) }

  /// Lets the connection forget what nothing looks back to any more.
  /// - Parameters:
  ///   - marks: Where actions began that steps may still look back to; `nil`: one that looks back to the beginning.
  ///   - ids: Steps that later ones name by `since`.
  package func forgetHistory(before marks: [DeviceMark?], keeping ids: Set<String>) {
    let starts = marks.map(start(of:)) + names(of: ids).compactMap { stepStarts[$0] }
    // What was not judged yet is still to be.
    guard let oldest = starts.min() else { return }
    link.connection?.forgetObservations(through: min(oldest, link.observed))
  }

  /// What the steps `ids` are known by here: steps of every role have the role behind their id.
  private func names(of ids: some Sequence<String>) -> [String] {
    ids.flatMap { id in [id] + (role.map { ["\(id).\($0)"] } ?? []) }
  }

  // MARK: watching

  /// Follows the device from now on, beside what it is asked to do.
  package func startWatching() {
    watching?.cancel()
    // A status is judged where it was read: no other thread is woken for it.
    watching = times.show.spawn(on: executor) { await self.watch() }
  }

  func stopWatching() async {
    watching?.cancel()
    await watching?.value
    watching = nil
  }

  private func watch() async {
    async let proof: Void = reportLateProof()
    await watchStatuses()
    await proof
  }

  private func watchStatuses() async {
    while !Task.isCancelled, let connection = link.connection {
      // Where the monitors rest, in cleanup and after a loss, so must their timers: one that is due ends each wait at once.
      let checks = owner.judgesRules && !isLosing ? monitors.compactMap(\.nextCheck) : []
      let timer = (checks + [own.replacementDeadline].compactMap { $0 }).min()
      let deadline = min(timer ?? now + .seconds(3600), now + .seconds(3600))
      let new = await connection.nextObservations(after: link.observed, until: deadline)
      if Task.isCancelled { return }
      await catchUp()
      settleLoss()
      fireMonitors(at: now)
      if new.isEmpty, now < deadline { return }
    }
  }

  /// Reports and judges every new observation, in order.
  /// - Parameter scope: The action that asks for it; `nil` where none does.
  package func catchUp(_ scope: ActionScope? = nil) async {
    guard let connection = link.connection else { return }
    let new = await connection.observations(after: link.observed)
    // Meanwhile the device may have been connected anew: these are not of that connection.
    guard link.connection === connection else { return }
    for observation in new where observation.number > link.observed {
      link.receive(observation)
      own.nameTracks(of: link.snapshot)
      own.recordUse(link.snapshot, at: observation.at)
      report(observation, scope)
      if let failure = own.observe(observation, at: now) { owner.isTakenOver(failure) }
      judgeByMonitors(observation, scope)
    }
  }

  /// Checks whether the app is still ours: losses were not looked for while an action of ours changed the app.
  package func lookAgain(_ scope: ActionScope? = nil) async {
    await catchUp(scope)
    if own.isChanging { return }
    if let failure = link.snapshot.receiver.flatMap({ own.observe($0, at: now) }) { owner.isTakenOver(failure) }
  }

  /// Whether statuses count only once it is known whether another app replaced ours.
  package var awaitsReplacement: Bool { owner.endsOnLoss && own.replacementDeadline != nil }

  package func endWaitForReplacement() { own.endWaitForReplacement() }

  /// Reports to the owner that the app is gone, once no other has come in its place.
  package func settleLoss() {
    guard let end = own.replacementDeadline, now >= end else { return }
    own.endWaitForReplacement()
    guard let loss = own.loss, owner.endsOnLoss, !own.isChanging, !own.hasLeftByItself(at: now) else { return }
    owner.isGone(loss, from: self, view: view())
  }

  // MARK: reporting

  private func stepID(_ scope: ActionScope?) -> String? { scope == nil ? owner.runningStep : scope?.stepID }

  func emit(_ kind: EventKind, step: String? = nil) {
    emitter.emit(kind, document: policies.document, device: name, step: step)
  }

  private func report(_ observation: Observation, _ scope: ActionScope?) {
    if observation.scope == .message { return }
    if observation.scope == .connection {
      if !observation.snapshot.isConnected, !link.wasDisconnectedByUs, link.lostAt == nil {
        link.recordLoss(at: now)
        let reason = observation.loss?.message ?? "the connection broke"
        emitter.emit(.deviceLost(.init(reason: reason)), device: name)
      }
      return
    }
    reportConsent(observation, scope)
    let document = reportedView(observation).document
    let (set, unset) = document.changes(since: reportedStatus)
    if observation.scope == .error, set.members.isEmpty, unset.isEmpty { return }
    reportedStatus = document
    var change = EventKind.StatusChange()
    change.source =
      switch observation.source {
      case .push: .push
      case .polled: .polled
      }
    change.scope = observation.scope == .receiver ? .receiver : .media
    if change.scope == .media { change.session = observation.snapshot.media?.mediaSessionID }
    (change.set, change.unset) = (set, unset)
    change.others = observation.others.isEmpty ? nil : observation.others.map(\.text)
    emit(.status(change))
  }

  /// Reports, once for each try, that a launch waits for a person.
  private func reportConsent(_ observation: Observation, _ scope: ActionScope?) {
    guard own.isChanging, observation.scope == .error, let message = observation.message,
      message["type"] == "LAUNCH_STATUS", message["status"] == "USER_PENDING_AUTHORIZATION"
    else { return }
    let step = stepID(scope)
    let attempt = "\(step ?? "") \(scope?.attempt ?? 1)"
    guard attempt != reportedConsent else { return }
    reportedConsent = attempt
    emit(.log(.init("waiting for a person to allow the app on \(device?.name ?? name)")), step: step)
  }

  /// Events report every media session; tracks have our names where the media is ours.
  private func reportedView(_ observation: Observation) -> StatusView {
    let snapshot = observation.snapshot
    guard let media = snapshot.media else { return StatusView(snapshot, at: observation.at, secrets: secrets) }
    let isOurs = own.loaded.map { $0.mediaSessionID == media.mediaSessionID } ?? false
    let names = isOurs ? own.loaded?.trackNames : own.loadingTrackNames
    let source = snapshot.mediaSource ?? EndpointID("")
    let context = LoadedMedia(source: source, mediaSessionID: media.mediaSessionID, trackNames: names ?? [:])
    return StatusView(snapshot, at: observation.at, loaded: context, secrets: secrets)
  }

  // MARK: monitors

  /// Whether statuses say nothing about what the run asserts, since our app is gone.
  private var isLosing: Bool { awaitsReplacement || owner.hasEndedByLoss }

  private func judgeByMonitors(_ observation: Observation, _ scope: ActionScope?) {
    guard owner.judgesRules, !isLosing, observation.scope == .receiver || observation.scope == .media else { return }
    let status = status(observation, since: scope?.mark)
    if observation.scope == .media, status.view.isForeign { return }
    if monitors.isEmpty { return }
    let values = owner.values(for: self)
    for index in monitors.indices {
      let hadStreak = monitors[index].hasStreak
      let violation = monitors[index].observe(status, saved: values)
      if monitors[index].hasStreak != hadStreak {
        owner.noteStreak(of: monitors[index].monitor.name, on: number, isOver: hadStreak)
      }
      if let violation { report(violation, of: monitors[index].monitor, scope) }
    }
  }

  /// Goes on with rules that were broken, though not for long enough to count, when an earlier process died.
  /// - Parameter streaks: For how long, by the rule's name.
  /// - Returns: The names of those that still are.
  package func resumeRules(_ streaks: [String: Duration]) -> [String] {
    let view = StatusView(link.snapshot, at: now, loaded: own.loaded, secrets: secrets)
    let values = owner.values(for: self)
    return monitors.indices.compactMap { index in
      guard let time = streaks[monitors[index].monitor.name] else { return nil }
      monitors[index].resume(brokenFor: time, ObservedStatus(view, source: .polled), saved: values)
      return monitors[index].hasStreak ? monitors[index].monitor.name : nil
    }
  }

  /// The rules that were judged and hold, and how near they came to being broken until `time`.
  package func ruleMargins(at time: Duration) -> [(name: String, margins: [EventKind.Margin])] {
    monitors.compactMap { rule in rule.margins(at: time).map { (rule.monitor.name, $0) } }
  }

  /// Reports the rules that are broken for longer than their `for` at `time`.
  package func fireMonitors(at time: Duration) {
    guard owner.judgesRules, !isLosing else { return }
    for index in monitors.indices {
      if let violation = monitors[index].timerFired(at: time) { report(violation, of: monitors[index].monitor, nil) }
    }
  }

  private func report(_ violation: MonitorStateMachine.Violation, of monitor: Plan.Monitor, _ scope: ActionScope?) {
    owner.noteStreak(of: monitor.name, on: number, isOver: true)
    var failed = EventKind.MonitorFailed()
    (failed.name, failed.want, failed.got) = (monitor.name, violation.want, violation.got)
    failed.since = max(0, emitter.elapsed(at: violation.since))
    failed.place = SourcePlace(monitor.span)
    if !own.hasLoaded, violation.got["player"] == "idle" {
      failed.remark =
        "nothing was loaded yet: a rule with `idle_reason: { exists: true }` does not count the time before the first load"
    }
    if violation.since < emitter.start { failed.remark = "it was broken already when the run was gone on with" }
    failed.isIgnored = monitor.ifFails == .ignore
    emit(.monitorFailed(failed), step: stepID(scope))
    wire?.tellLast(step: stepID(scope))
    owner.isBroken(monitor)
  }

  // MARK: waiting for a connection

  /// Sleeps until `deadline`, or until the device was connected again.
  func sleepUntilReconnected(or deadline: Duration) async {
    let sleep = times.show.spawn { [times] in try? await times.show.sleep(until: deadline) }
    lastLinkWait += 1
    let id = lastLinkWait
    linkWaits[id] = sleep
    await withTaskCancellationHandler {
      await sleep.value
    } onCancel: {
      sleep.cancel()
    }
    linkWaits[id] = nil
  }

  func endLinkWaits() {
    for (_, wait) in linkWaits.sorted(by: { $0.key < $1.key }) { wait.cancel() }
  }
}
