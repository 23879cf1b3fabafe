import CastClient
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// What happens when another sender takes the device or ends our app: the running step ends, whichever it is.
extension ScenarioRun {
  /// How long another app may take to appear in the place of ours: devices tell of the end of one before the begin of
  /// the next (cast-protocol.md 3.4).
  static let replacementTime = Duration.seconds(2)
  /// Apps that play nothing leave by themselves after some minutes; one that goes sooner was stopped.
  static let shortestIdleTime = Duration.seconds(240)

  /// Looks at a status for what is no longer ours.
  func lookForTakeover(_ observation: Observation) {
    guard !isChangingApp else { return }
    switch observation.scope {
    case .receiver: if let receiver = observation.snapshot.receiver { lookForTakeover(receiver) }
    case .media: lookForOtherMedia(observation)
    case .connection, .error, .message: return
    }
  }

  func lookForTakeover(_ receiver: ReceiverStatus) {
    let current = receiver.application.flatMap { $0.isIdleScreen ? nil : $0 }
    var lost = target.lostApp
    if let app {
      guard current?.sessionID != app.sessionID else { return }
      self.app = nil
      loaded = nil
      lost = app
      if current == nil {
        target.lostApp = app
        return noteLoss(of: app)
      }
    }
    guard let current, let lost else { return }
    // A session that comes back has lost its connection and what is known of its media: it counts as gone.
    if current.sessionID != lost.sessionID {
      takeOver(StepFailure(.takenOver, "taken over by \(current.displayName) (\(current.appID))"))
    }
  }

  /// An app of ours is gone; what comes in its place decides what that was.
  private func noteLoss(of app: AppSession) {
    let name = target.appName ?? app.appID
    appLoss = StepFailure(
      .appGone, "the app \(name) is no longer running: another sender stopped it, or it ended itself")
    target.replacementDeadline = now + Self.replacementTime
  }

  func endWaitForReplacement() {
    target.replacementDeadline = nil
    target.lostApp = nil
  }

  private func lookForOtherMedia(_ observation: Observation) {
    guard let app, let loaded, let media = observation.snapshot.media,
      observation.snapshot.mediaSource == loaded.source
    else { return }
    let isAnother =
      media.mediaSessionID != loaded.mediaSessionID && !earlierSessions.contains(media.mediaSessionID)
    let isInterrupted =
      media.mediaSessionID == loaded.mediaSessionID && media.idleReason == .interrupted
      && media.extendedPlayerState == "LOADING" && media.loadingItemID == nil
    guard isAnother || isInterrupted else { return }
    let content = isAnother ? media.media ?? media.extendedMedia : media.extendedMedia
    let what = content?.metadata?["title"]?.string ?? content?.contentID
    let name = observation.snapshot.receiver?.application?.displayName ?? app.appID
    self.loaded = nil
    takeOver(
      StepFailure(.takenOver, "another sender loaded \(what.map { "`\($0)`" } ?? "other media") in \(name)"))
  }

  func takeOver(_ failure: StepFailure) {
    appLoss = failure
    endWaitForReplacement()
    guard isWatching, plan.takeover == .fail else { return }
    stop(.failure(failure))
  }

  // MARK: apps that are gone

  /// Whether what is seen now counts only once it is known what became of the app.
  var awaitsReplacement: Bool { isWatching && plan.takeover == .fail && target.replacementDeadline != nil }

  /// Whether a status says nothing about what the run asserts: what was ours is not there any more.
  var isLosing: Bool {
    if awaitsReplacement { return true }
    if case .failure? = runStop { return true }
    return false
  }

  /// Ends the run for an app that is gone, once no other has come in its place.
  func endLoss() {
    guard let end = target.replacementDeadline, now >= end else { return }
    endWaitForReplacement()
    guard let appLoss, isWatching, plan.takeover == .fail, !isChangingApp, !hasLeftByItself else { return }
    let about = lanes.keys.filter { isAbout(device: deviceIndex, lane: $0) }.sorted()
    if about.contains(where: waitsForLoss) { return }
    let retrying = about.filter { lanes[$0]?.retriesLoss == true }
    if retrying.isEmpty { return stop(.failure(appLoss)) }
    for id in retrying { lanes[id]?.running?.cancel() }
  }

  private func isAbout(device index: Int, lane id: Int) -> Bool {
    guard id >= Lane.main, let lane = lanes[id] else { return false }
    return lane.device == nil || lane.device == index
  }

  /// Whether the app may have gone because nothing was played for long.
  private var hasLeftByItself: Bool {
    guard let since = target.idleSince else { return false }
    return now - since >= Self.shortestIdleTime
  }

  /// The running step waited for just this loss: it waits for no other app.
  func acceptLoss() async {
    guard waitsForLoss(Lane.current) else { return }
    if lane.device != nil { return endWaitForReplacement() }
    await onEachDevice { endWaitForReplacement() }
  }

  /// Whether what a line of steps waits for is that the app is gone.
  private func waitsForLoss(_ id: Int) -> Bool {
    guard let conditions = lanes[id]?.awaited else { return false }
    return conditions.contains { $0.isMetByLoss(view, saved: saved) }
  }

  /// Waits until it is known what became of apps that are gone, unless that is what the running step waits for.
  func settleLosses() async {
    while !Task.isCancelled, stopCause == nil, !waitsForLoss(Lane.current) {
      var next: Duration?
      await onEachDevice {
        await catchUp()
        endLoss()
        if let end = target.replacementDeadline { next = min(next ?? end, end) }
      }
      guard let next, stopCause == nil else { return }
      do { try await times.show.sleep(until: next) } catch { return }
    }
  }

  /// Replaces `app_gone` by what really became of the app, once that is known.
  func withCause(_ failure: StepFailure?) async -> StepFailure? {
    guard let failure, failure.isAboutLoss else { return failure }
    _ = await stoppable {
      await self.lookAgain()
      await self.settleLosses()
    }
    guard let appLoss, appLoss.errorClass == .takenOver || appLoss.errorClass == failure.errorClass else {
      return failure
    }
    return appLoss
  }

  /// What happened while an action of ours was changing the app was not looked at.
  private func lookAgain() async {
    await catchUp()
    if !isChangingApp, let receiver = lastSnapshot.receiver { lookForTakeover(receiver) }
  }
}

extension Condition {
  /// Whether a part of it that asks for the app holds in `view`, where the app is gone.
  fileprivate func isMetByLoss(_ view: StatusView, saved: [String: JSONValue]) -> Bool {
    func holds() -> Bool { ConditionJudge(condition: self, saved: saved).mismatches(in: view).isEmpty }
    switch self {
    case .field(let path, _, _): return path.parts.first == "app" && holds()
    case .all(let parts), .any(let parts): return parts.contains { $0.isMetByLoss(view, saved: saved) }
    case .not(let inner): return inner.leaves.allSatisfy { $0.path.parts.first == "app" } && holds()
    }
  }
}
