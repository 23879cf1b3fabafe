import CastClient
import CastProtocol
package import RunReporting
import ScenarioLanguage

/// Going on with what a process that died had begun on the device.
extension DeviceSession {
  /// How long a device may take to tell of a load that was on its way when the process died.
  private static let settlingTime = Duration.seconds(3)
  private static let askAgain = Duration.milliseconds(250)

  /// What is ours on the device, for a process that may have to go on.
  package var keptApp: KeptApp { own.kept }

  /// Takes up what an earlier process left, as after a reconnect.
  /// - Parameter isUnsettled: Whether that process may have changed which app or media are ours since: then only what
  ///   still fits is taken up, and nothing of the rest is a loss.
  /// - Returns: What another sender did meanwhile; `nil` where nothing was taken.
  package func restore(
    _ kept: KeptApp, isUnsettled: Bool, until deadline: Duration
  ) async throws(StepFailure) -> StepFailure? {
    changeOwn { $0.restore(kept, withoutMedia: isUnsettled) }
    let end = try await takeUpApp(until: deadline)
    guard isUnsettled else {
      return changeOwn { own in
        end.flatMap { own.recordEnd($0, gone: "the app was no longer running when the run was gone on with") }
      }
    }
    if end != nil { changeOwn { $0.forget() } }
    // What that process has sent may come only now: no app is another sender's before ``endUnsettled()``.
    changeOwn { $0.beginChange() }
    return nil
  }

  /// It is known what became of the step that was under way: from here on another app in the place of ours is judged.
  package func endUnsettled() {
    // One that is there already is that step's: another sender's has ended the steps.
    let (isReplaced, receiver, now) = (foreignApp != nil, link.snapshot.receiver, now)
    let takeover = changeOwn { own -> StepFailure? in
      own.endChange()
      if isReplaced { own.forget() }
      return isReplaced ? nil : receiver.flatMap { own.observe($0, at: now) }
    }
    if let takeover { owner.isTakenOver(takeover) }
  }

  /// Waits for the app that a load of an earlier process may be launching, where nobody goes on with that load.
  package func awaitApp(of action: DeviceAction, in scope: ActionScope) async {
    guard let wanted = action.loads?.appID, own.session?.appID != wanted else { return }
    let end = min(scope.deadline, now + Self.settlingTime)
    while foreignApp?.appID != wanted, now + Self.askAgain < end {
      do { try await times.show.sleep(for: Self.askAgain) } catch { return }
      await catchUp(scope)
    }
  }

  /// Looks whether the device has a load of an earlier process, and goes on with it as if it were this one's.
  /// - Parameter play: The name that the load carried.
  /// - Returns: Whether the device has it; what the step waits for has come then, too.
  package func adopt(
    _ action: DeviceAction, play: String, in scope: ActionScope
  ) async throws(StepFailure) -> Bool {
    guard let plays = action.plays else { return false }
    let end = min(scope.deadline, now + Self.settlingTime)
    while try await !take(play, plays.trackNames, plays.byContent, scope) {
      if now + Self.askAgain >= end { return false }
      do { try await times.show.sleep(for: Self.askAgain) } catch { throw .cancelled }
    }
    // Short media may be over by now: the device has played them.
    if plays.until == .accepted || link.snapshot.media?.idleReason == .finished { return true }
    let wanted = plays.until.players
    try await wait(scope, for: "the player to be \(wanted.joined(separator: " or "))") {
      view, _ throws(StepFailure) in
      if view.isForeign { return false }
      try view.checkEnd()
      return wanted.contains(view.player)
    }
    try await requireTracks(plays.tracks, scope)
    return true
  }

  /// Whether the device has a load of an earlier process; then it is this one's.
  private func take(
    _ play: String, _ names: [Int: String], _ byContent: [String: [Int: String]], _ scope: ActionScope
  ) async throws(StepFailure) -> Bool {
    guard let playing = try await askWhatPlays(scope), PlayID.read(playing.content) == play else { return false }
    var joined = playing.app
    claimEarlierLaunch(&joined)
    let words = own.launched ?? LaunchWords(appID: joined.appID, needsMedia: true)
    let now = now
    changeOwn { own in
      if own.session?.sessionID != joined.sessionID { own.recordLaunch(joined, words, at: now) }
      own.beginLoad(names, of: playing.media.media?.contentID, earlier: nil)
      own.recordLoad(playing.media.mediaSessionID, in: joined, names)
      own.endLoad()
      own.nameTracks(byContent)
    }
    return true
  }

  // MARK: other senders

  /// What runs on the device before a load is sent: whoever goes on with the load compares.
  ///
  /// What plays in an app is told to those who are connected to it. The app that the load is going to join is joined
  /// here; one that does not answer in time counts as playing nothing. Another app is not asked: what it plays would
  /// come into the statuses that rules judge.
  /// - Returns: `nil` where the action loads nothing.
  package func running(before action: DeviceAction, in scope: ActionScope) async -> RunningMedia? {
    guard let loads = action.loads else { return nil }
    let wanted = loads.appID ?? own.session?.appID ?? loads.defaultAppID
    func isToBeJoined(_ app: ReceiverStatus.Application) -> Bool {
      policies.launchJoin != .never && app.matches(wanted)
    }
    if let app = foreignApp, !hasTold(app), isToBeJoined(app) { _ = try? await askWhatPlays(scope) }
    var running = RunningMedia()
    guard let app = link.snapshot.receiver?.application, !app.isIdleScreen else { return running }
    running.session = app.sessionID
    running.media = hasTold(app) ? link.snapshot.media?.mediaSessionID : nil
    running.isUnsure = foreignApp != nil && !hasTold(app) && !isToBeJoined(app)
    return running
  }

  /// Whether the app has told what it plays.
  private func hasTold(_ app: ReceiverStatus.Application) -> Bool {
    app.transportID != nil && link.snapshot.mediaSource == app.transportID
  }

  /// Looks whether another sender has taken the device since a load of an earlier process was begun: then it must not be
  /// sent once more.
  /// - Parameters:
  ///   - play: The name that the load carried.
  ///   - before: What ran when it was begun.
  /// - Returns: What the other sender did; `nil` where nothing was taken, or it cannot be told.
  package func takeover(
    of action: DeviceAction, play: String?, since before: RunningMedia, in scope: ActionScope
  ) async throws(StepFailure) -> StepFailure? {
    // Files of this computer had other addresses then.
    guard let loads = action.loads, !loads.contents.contains(where: { $0.hasPrefix("file:") }) else { return nil }
    await catchUp(scope)
    guard let app = link.snapshot.receiver?.application, !app.isIdleScreen else { return nil }
    let wanted = loads.appID ?? own.session?.appID ?? loads.defaultAppID
    if app.sessionID != before.session, !app.matches(wanted) {
      return changeOwn { $0.takenOver(StepFailure(.takenOver, "taken over by \(app.displayName) (\(app.appID))")) }
    }
    guard let playing = try await askWhatPlays(scope), let content = playing.content, !content.contentID.isEmpty,
      playing.media.playerState != .idle || playing.media.extendedPlayerState == "LOADING"
    else { return nil }
    let isAsBefore =
      playing.app.sessionID == before.session
      && (before.isUnsure || playing.media.mediaSessionID == before.media)
    // Ours may have come to the device after all. Some apps tell an id of their own, and the address beside it.
    let ours = OwnContents(loads.contents)
    let isOurs =
      play != nil && PlayID.read(content) == play || means(content.contentID, oneOf: ours)
      || content.contentURL.map { means($0, oneOf: ours) } ?? false
    if isAsBefore || isOurs { return nil }
    let what = content.metadata?["title"]?.string ?? content.contentID
    let failure = StepFailure(
      .takenOver, "another sender loaded `\(what)` in \(app.displayName) before the run was gone on with")
    return changeOwn { $0.takenOver(failure) }
  }

  /// Connects to the app that runs, and asks once what plays in it; `nil` where it plays nothing, or does not say.
  private func askWhatPlays(
    _ scope: ActionScope
  ) async throws(StepFailure) -> (app: AppSession, media: MediaStatus, content: MediaInformation?)? {
    let connection = try requireConnection()
    await catchUp(scope)
    guard let running = link.snapshot.receiver?.application, !running.isIdleScreen, running.playsMedia,
      let transportID = running.transportID
    else { return nil }
    var session = AppSession(
      appID: running.appID, sessionID: running.sessionID, transportID: transportID, isOurs: false)
    if let app = own.session, app.sessionID == session.sessionID { session = app }
    let limit = min(scope.deadline, now + policies.timeouts.reply)
    guard let joined = try? await connection.resume(session, playing: nil, until: limit) else { return nil }
    await catchUp(scope)
    guard let media = link.snapshot.media, link.snapshot.mediaSource == joined.transportID else { return nil }
    return (joined, media, media.media ?? media.extendedMedia)
  }
}
