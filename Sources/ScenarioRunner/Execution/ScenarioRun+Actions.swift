import CastClient
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// The verbs: what each sends, and when it is done (language.md 2.7).
extension ScenarioRun {
  /// Performs one try of a step.
  func perform(_ step: Plan.Step, until deadline: Duration) async throws(StepFailure) {
    switch step.action {
    case .discover(let action): try await discover(action, of: step)
    case .connect(let host, let authentication):
      try await connect(host, authenticated: authenticationMode(authentication, of: device), until: deadline)
    case .disconnect(let isAbrupt):
      wasDisconnectedByUs = true
      await closeConnection(abruptly: isAbrupt)
    case .launch(let action): try await launch(action, until: deadline)
    case .stopApp: try await stopApp(until: deadline)
    case .volume(let action): try await setVolume(action, until: deadline)
    case .mute(let isMuted): try await mute(isMuted, until: deadline)
    case .load(let action): try await load(action, until: deadline)
    case .play: try await play(until: deadline)
    case .pause: try await pause(until: deadline)
    case .stop: try await stopMedia(until: deadline)
    case .seek(let action): try await seek(action, until: deadline)
    case .rate(let action): try await setRate(action, until: deadline)
    case .tracks(let names): try await setTracks(names, until: deadline)
    case .textStyle(let style): try await setTextStyle(style, until: deadline)
    case .skipAd(let isForced): try await skipAd(force: isForced, until: deadline)
    case .refresh(let target): try await refresh(target)
    case .wait(let amount):
      try await sleep(for: .clamped(seconds: max(0, try number(amount))))
    case .waitUntil(let condition): try await waitUntil(condition, until: deadline)
    case .mark(let text): emit(.mark, step: step.id, ["text": .string(resolved(text))])
    case .log(let text): emit(.log, step: step.id, ["text": .string(resolved(text))])
    case .fail(let text): throw StepFailure(.expectation, resolved(text))
    case .expect(let action): try await expect(action, of: step)
    case .always(let action): try await expect(.always, action, of: step)
    case .never(let action): try await expect(.never, action, of: step)
    case .expectSequence(let action): try await expectSequence(action, of: step)
    case .queue(let action): try await loadQueue(action, until: deadline)
    case .queueInsert(let action): try await insert(action, until: deadline)
    case .queueRemove(let items): try await remove(items, until: deadline)
    case .queueJump(let jump): try await self.jump(jump, until: deadline)
    case .queueUpdate(let action): try await update(action, until: deadline)
    case .queueReorder(let action): try await reorder(action, until: deadline)
    case .transfer(let action): try await transfer(action, of: step, until: deadline)
    case .send(let action): try await send(action, until: deadline)
    case .expectMessage(let action): try await expectMessage(action, of: step)
    case .expectTogether(let action): try await expectTogether(action, of: step)
    case .exec(let action): try await execute(action, until: deadline)
    case .set(let assignments): assign(assignments)
    // What it keeps is kept at the end of the step, as by the modifier.
    case .save: break
    case .group(let group): try await run(group, of: step)
    case .choose(let branches): try await choose(among: branches, of: step)
    case .repeat(let loop): try await `repeat`(loop, of: step)
    case .forEach(let loop): try await forEach(loop, of: step)
    case .parallel(let action): try await parallel(action, of: step)
    default: throw StepFailure(.invalidState, "`\(step.verb)` cannot be run yet")
    }
  }

  // MARK: values of the run

  /// What a name, or a part of what it stands for, has as its value.
  func value(of name: String) -> JSONValue? { ConditionJudge.value(of: name, in: saved) }

  func number(_ amount: Plan.Amount) throws(StepFailure) -> Double {
    switch amount {
    case .literal(let number): return number
    case .saved(let name):
      guard let number = value(of: name)?.number else {
        throw StepFailure(.invalidState, "`\(name)` was saved without a number")
      }
      return number
    }
  }

  /// Fills the holes of a text; what is not known is left out.
  func resolved(_ text: Plan.PlanText) -> String {
    text.parts.map { part in
      switch part {
      case .text(let text): return text
      case .value("attempt"): return String(attempt)
      case .value("device.name"): return device?.name ?? ""
      case .value("device.id"): return device?.id ?? ""
      case .value("device.model"): return device?.model ?? ""
      case .value("device.ip"): return device?.address.host ?? ""
      case .value("run.id"): return configuration.runID
      case .value("run.started"): return UTCTime(unixSeconds: startedAt).text
      case .value("run.dir"): return configuration.runDirectory ?? ""
      case .value(let name):
        return value(of: name)?.roundedToMilliseconds.text(as: .free) ?? ""
      }
    }.joined()
  }

  func assign(_ assignments: [Plan.Assignment]) {
    for assignment in assignments {
      switch assignment.value {
      case .literal(let value): saved[assignment.name] = value
      case .text(let text):
        // One name alone stands for its value, of whatever type.
        if text.parts.count == 1, case .value(let name)? = text.parts.first, let value = value(of: name) {
          saved[assignment.name] = value
        } else {
          saved[assignment.name] = .string(resolved(text))
        }
      }
    }
  }

  func sleep(for duration: Duration) async throws(StepFailure) {
    do { try await times.show.sleep(for: duration) } catch { throw .cancelled }
  }

  // MARK: session

  private func discover(_ action: Plan.DiscoverAction, of step: Plan.Step) async throws(StepFailure) {
    let selector = action.selector ?? Plan.DeviceSelector(span: step.span)
    let found: [FoundDevice]
    do {
      // Without `for` it ends as soon as there are enough.
      found = try await access.survey(
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

  private func connect(
    _ host: HostAndPort?, authenticated mode: AuthenticationMode, until deadline: Duration
  ) async throws(StepFailure) {
    // A connection on which less was asked is no answer to who requires proof.
    let isEnough = mode != .require || device?.authentication == .require
    device?.authentication = mode
    if let host, host != device?.address {
      device?.address = host
    } else if connection != nil, lostAt == nil, isEnough {
      return
    }
    try await reconnect(until: deadline)
  }

  private func launch(_ action: Plan.LaunchAction, until deadline: Duration) async throws(StepFailure) {
    let words = LaunchWords(
      appID: action.appID, language: action.language, params: action.params, appTypes: action.appTypes)
    try await launch(words, join: JoinPolicy(rawValue: action.join.rawValue) ?? .auto, until: deadline)
  }

  private func launch(
    _ words: LaunchWords, join: JoinPolicy = .auto, until deadline: Duration
  ) async throws(StepFailure) {
    let connection = try requireConnection()
    var params = words.params
    if let written = params { params = try secrets.revealed(written) }
    let join = join == .auto && app?.appID != words.appID ? plan.session.joinPolicy : join
    isChangingApp = true
    defer { isChangingApp = false }
    endWaitForReplacement()
    do {
      var session = try await connection.launch(
        words.appID, language: words.language, appParams: params, supportedAppTypes: words.appTypes, join: join,
        needsMedia: words.needsMedia, until: deadline)
      // An instance this run launched before stays ours when a later launch joins it.
      if let app, app.sessionID == session.sessionID { session.isOurs = app.isOurs || session.isOurs }
      adopt(&session)
      if app?.sessionID != session.sessionID { loaded = nil }
      app = session
      appLoss = nil
      target.launched = words
      target.idleSince = now
    } catch {
      throw StepFailure(error)
    }
    await catchUp()
    noteUse(at: now)
  }

  /// Launches what was launched last anew, as it was launched then: also where it is gone.
  func relaunch(until deadline: Duration) async throws(StepFailure) {
    guard connection != nil, let words = target.launched ?? app.map({ LaunchWords(appID: $0.appID) }) else { return }
    // Whatever becomes of the launch, what ran before is not ours any more.
    app = nil
    loaded = nil
    try await launch(words, join: .never, until: deadline)
  }

  private func stopApp(until deadline: Duration) async throws(StepFailure) {
    let connection = try requireConnection()
    guard let app else {
      // Gone already, or never there when cleaning up: what it asks for is so.
      if appLoss != nil || section == .finally || section == .onFailure || configuration.joinsRunningApp { return }
      throw StepFailure(.invalidState, "no app was launched or joined")
    }
    isChangingApp = true
    defer { isChangingApp = false }
    do { try await connection.stopApp(app, until: deadline) } catch { throw StepFailure(error) }
    await catchUp()
    self.app = nil
    loaded = nil
    target.launched = nil
    noteStarted(nil)
    appLoss = StepFailure(.appGone, "the app was stopped by an earlier step")
  }

  /// Makes an instance ours that an earlier run of this computer started and did not live to end.
  private func adopt(_ session: inout AppSession) {
    if session.isOurs {
      noteStarted(session.sessionID)
    } else if let startedSessionKey, configuration.startedSessions.session(startedSessionKey) == session.sessionID {
      session.isOurs = true
    }
  }

  /// Notes for later runs what this one started; `nil`: nothing that they would have to end.
  func noteStarted(_ session: String?) {
    if let startedSessionKey { configuration.startedSessions.note(session, startedSessionKey) }
  }

  private var startedSessionKey: String? {
    device.map { device in device.id ?? "\(device.address.host):\(device.address.port)" }
  }

  private func setVolume(_ action: Plan.VolumeAction, until deadline: Duration) async throws(StepFailure) {
    let connection = try requireConnection()
    let target = max(0, min(1, try number(action.level) / 100))
    let current = try rememberVolume()
    if originalVolume.level == nil { originalVolume.level = current.level }
    let start = current.level ?? target
    let begun = now
    let span = action.ramp
    // Twice a second is smooth enough, and no device is flooded.
    var steps = max(1, min(1000, Int(exactly: (span.seconds * 2).rounded(.up)) ?? 1))
    // Less than the device can tell apart is no step.
    if current.stepInterval != nil {
      let audible = Int(exactly: (abs(target - start) / current.step).rounded(.up)) ?? steps
      steps = max(1, min(steps, audible))
    }
    for step in 1...steps {
      if step > 1 || span > .zero {
        let due = begun + span * step / steps
        do { try await times.show.sleep(until: due) } catch { throw .cancelled }
      }
      let level = start + (target - start) * Double(step) / Double(steps)
      do {
        try await connection.setVolume(level: step == steps ? target : level, muted: nil, until: deadline)
      } catch {
        throw StepFailure(error)
      }
    }
  }

  private func mute(_ isMuted: Bool, until deadline: Duration) async throws(StepFailure) {
    let connection = try requireConnection()
    let current = try rememberVolume()
    if originalVolume.muted == nil { originalVolume.muted = current.muted }
    do {
      try await connection.setVolume(level: nil, muted: isMuted, until: deadline)
    } catch {
      throw StepFailure(error)
    }
  }

  /// The device's volume as it is; a fixed one cannot be changed.
  private func rememberVolume() throws(StepFailure) -> ReceiverStatus.Volume {
    let volume = lastSnapshot.receiver?.volume ?? ReceiverStatus.Volume()
    if volume.isFixed {
      throw StepFailure(
        .refusedLocally, "the device's volume is fixed",
        help: "set it on the television or amplifier it plays through")
    }
    return volume
  }

  private func refresh(_ target: Plan.RefreshTarget) async throws(StepFailure) {
    let connection = try requireConnection()
    do {
      if target != .media { try await connection.refreshReceiver() }
      // An app that plays no media has no status of them.
      let isAsked = target == .media || (app != nil && lastSnapshot.receiver?.application?.playsMedia == true)
      if target != .receiver, isAsked {
        try await connection.refreshMedia(in: try requireApp())
      }
    } catch let error as ClientError {
      throw StepFailure(error)
    } catch let error as StepFailure {
      throw error
    } catch {
      throw StepFailure(.protocol, "the refresh failed")
    }
  }

  /// Launches `appID` unless it is the app of ours already.
  func ensureApp(_ appID: String, until deadline: Duration) async throws(StepFailure) -> AppSession {
    if let app, app.appID == appID { return app }
    try await launch(LaunchWords(appID: appID, needsMedia: true), until: deadline)
    return try requireApp()
  }
}

extension Plan.Session {
  /// Whether a launch that does not say so itself joins an app that runs.
  fileprivate var joinPolicy: JoinPolicy {
    switch join {
    case .auto: .auto
    case .alwaysNew: .never
    case .mustExist: .only
    }
  }
}
