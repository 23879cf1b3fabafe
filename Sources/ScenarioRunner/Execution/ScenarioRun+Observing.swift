import CastClient
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// What is done with every status, whoever waits for it: told once, judged by monitors, looked at for a takeover.
extension ScenarioRun {
  /// Follows the connection until it is cancelled or the connection is over.
  func watch() async {
    async let proof: Void = tellLateProof()
    await watchStatuses()
    await proof
  }

  private func watchStatuses() async {
    while !Task.isCancelled, let connection {
      // In cleanup the monitors rest, and so must their timers.
      let checks = isWatching ? monitors.compactMap(\.nextCheck) : []
      let timer = (checks + [target.replacementDeadline].compactMap { $0 }).min()
      let deadline = min(timer ?? now + .seconds(3600), now + .seconds(3600))
      let new = await connection.nextObservations(after: observed, until: deadline)
      if Task.isCancelled { return }
      await catchUp()
      endLoss()
      fireMonitors()
      if new.isEmpty, now < deadline { return }
    }
  }

  /// Tells and judges every observation that nobody took yet, in order.
  func catchUp() async {
    guard let connection else { return }
    let new = await connection.observations(after: observed)
    // Meanwhile another line of steps may have connected anew: these are not of that connection.
    guard self.connection === connection else { return }
    for observation in new where observation.number > observed {
      observed = observation.number
      lastSnapshot = observation.snapshot
      nameTracks()
      noteUse(at: observation.at)
      tell(observation)
      lookForTakeover(observation)
      judgeByMonitors(observation)
    }
  }

  /// Notes how the app of ours calls itself, and since when nothing plays in it.
  func noteUse(at time: Duration) {
    if let app, let running = lastSnapshot.receiver?.application, running.sessionID == app.sessionID {
      target.appName = running.displayName.isEmpty ? nil : "\(running.displayName) (\(running.appID))"
    }
    let media = lastSnapshot.media
    let plays = media.map { $0.playerState != .idle || $0.loadingItemID != nil || $0.extendedPlayerState == "LOADING" }
    target.idleSince = plays == true ? nil : target.idleSince ?? time
  }

  /// Each item of a queue has tracks of its own.
  private func nameTracks() {
    guard let loaded, !target.trackNames.isEmpty, let media = lastSnapshot.media,
      media.mediaSessionID == loaded.mediaSessionID, let content = media.media?.contentID,
      let names = target.trackNames[content], names != loaded.trackNames
    else { return }
    self.loaded?.trackNames = names
  }

  /// The merged status as of now.
  var view: StatusView {
    var view = StatusView(lastSnapshot, at: now, loaded: loaded, secrets: secrets)
    view.baseline = baseline
    return view
  }

  func status(_ observation: Observation) -> ObservedStatus {
    var view = StatusView(observation.snapshot, at: observation.at, loaded: loaded, secrets: secrets)
    view.baseline = baseline
    return ObservedStatus(view, source: observation.source)
  }

  // MARK: telling

  private func tell(_ observation: Observation) {
    if observation.scope == .message { return }
    if observation.scope == .connection {
      if !observation.snapshot.isConnected, !wasDisconnectedByUs, lostAt == nil {
        lostAt = now
        let reason = observation.loss?.message ?? "the connection broke"
        emitter.emit(.deviceLost, device: deviceName, ["reason": .string(reason)])
      }
      return
    }
    tellConsent(observation)
    let document = tellingView(observation).document
    let (set, unset) = document.changes(since: toldStatus)
    if observation.scope == .error, set.members.isEmpty, unset.isEmpty { return }
    toldStatus = document
    var fields: JSONObject = [
      "source": .string(observation.source.rawValue),
      "scope": .string(observation.scope == .receiver ? "receiver" : "media"),
    ]
    if observation.scope != .receiver { fields["session"] = observation.snapshot.media.map { .int($0.mediaSessionID) } }
    fields["set"] = .object(set)
    fields["unset"] = .array(unset.map(JSONValue.string))
    if !observation.others.isEmpty { fields["others"] = .array(observation.others.map { .string($0.text) }) }
    emit(.status, fields)
  }

  /// Says, once for each try, that a launch waits for a person.
  private func tellConsent(_ observation: Observation) {
    guard isChangingApp, observation.scope == .error, let message = observation.message,
      message["type"] == "LAUNCH_STATUS", message["status"] == "USER_PENDING_AUTHORIZATION"
    else { return }
    let step = "\(stepID ?? "") \(lane.attempt)"
    guard step != target.toldConsent else { return }
    target.toldConsent = step
    emit(
      .log, step: stepID, ["text": .string("waiting for a person to allow the app on \(device?.name ?? deviceName)")])
  }

  /// Events tell of any media session, with our names where they are ours.
  private func tellingView(_ observation: Observation) -> StatusView {
    let snapshot = observation.snapshot
    guard let media = snapshot.media else { return StatusView(snapshot, at: observation.at, secrets: secrets) }
    let isOurs = loaded.map { $0.mediaSessionID == media.mediaSessionID } ?? false
    let names = isOurs ? loaded?.trackNames : loadingTrackNames
    let source = snapshot.mediaSource ?? EndpointID("")
    let context = LoadedMedia(source: source, mediaSessionID: media.mediaSessionID, trackNames: names ?? [:])
    return StatusView(snapshot, at: observation.at, loaded: context, secrets: secrets)
  }

  // MARK: monitors

  private func judgeByMonitors(_ observation: Observation) {
    guard isWatching, !isLosing, observation.scope == .receiver || observation.scope == .media else { return }
    let status = status(observation)
    if observation.scope == .media, status.view.isForeign { return }
    for index in monitors.indices {
      if let violation = monitors[index].observe(status, saved: saved) { tell(violation, of: monitors[index].monitor) }
    }
  }

  private func fireMonitors() {
    guard isWatching, !isLosing else { return }
    for index in monitors.indices {
      if let violation = monitors[index].timerFired(at: now) { tell(violation, of: monitors[index].monitor) }
    }
  }

  private func tell(_ violation: MonitorStateMachine.Violation, of monitor: Plan.Monitor) {
    var fields: JSONObject = [
      "name": .string(monitor.name), "want": violation.want, "got": .object(violation.got),
      "since": .milliseconds(emitter.elapsed(at: violation.since)),
    ]
    fields.members += monitor.span.fields.members
    if !target.hasLoaded, violation.got["player"] == "idle" {
      fields["remark"] =
        "nothing was loaded yet: a rule with `idle_reason: { exists: true }` does not count the time before the first load"
    }
    if monitor.ifFails == .ignore { fields["ignored"] = true }
    emit(.monitorFailed, step: stepID, fields)
    switch monitor.ifFails {
    case .ignore: break
    case .continue:
      hasFailedApart = true
      exits.insert(1)
    case .stop:
      hasFailedApart = true
      exits.insert(1)
      stop(.monitor(monitor.name))
    }
  }
}
