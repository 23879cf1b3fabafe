import CastClient
package import CastProtocol
package import RunReporting
import ScenarioLanguage

/// What runs on the device that this session did not start.
extension DeviceSession {
  /// The app that runs now and is not ours; `nil` for the idle screen, and for our own.
  package var foreignApp: ReceiverStatus.Application? {
    guard let running = link.snapshot.receiver?.application, !running.isIdleScreen,
      running.sessionID != own.session?.sessionID
    else { return nil }
    return running
  }

  /// The media session that we loaded or adopted.
  package var ownMediaSession: Int? { own.loaded?.mediaSessionID }

  /// Whether the player has gone on to what this session put behind what it played.
  package var isAtNextItem: Bool { view().isAtNextItem }

  /// The connection is of no use any more: the next one is made as after a loss, wherever the device is by then.
  package func giveUpConnection() {
    if !link.isOpen, link.lostAt == nil { changeLink { $0.recordLoss(at: now) } }
  }

  /// Whether an app of ours is on, as far as the device has told.
  package var hasOwnApp: Bool { own.session != nil }

  /// Asks the app that runs, whoever started it, what it plays; nothing of it becomes ours.
  /// - Returns: Whether it told.
  package func lookAtForeignApp(within limit: Duration) async -> Bool {
    await joined(within: limit) != nil
  }

  /// Goes on with the app that runs and what it plays as if this session had launched and loaded them.
  ///
  /// For what an earlier process left on the screen: nothing is loaded, so nothing flashes.
  /// - Parameter own: What the app plays then.
  /// - Returns: Whether it is ours now.
  package func adopt(appID: String, within limit: Duration, playing own: OwnContents) async -> Bool {
    guard foreignApp?.appID == appID, let session = await joined(within: limit),
      let media = link.snapshot.media, media.playerState != .idle, let source = link.snapshot.mediaSource,
      source == session.transportID, let content = media.media ?? media.extendedMedia,
      means(content.contentID, oneOf: own) || content.contentURL.map({ means($0, oneOf: own) }) ?? false
    else { return false }
    changeOwn { own in
      own.join(session)
      own.setLoaded(LoadedMedia(source: source, mediaSessionID: media.mediaSessionID))
    }
    return true
  }

  private func joined(within limit: Duration) async -> AppSession? {
    guard let connection = link.connection, let running = foreignApp, let transportID = running.transportID,
      running.playsMedia
    else { return nil }
    let session = AppSession(
      appID: running.appID, sessionID: running.sessionID, transportID: transportID, isOurs: false)
    let joined = try? await connection.resume(session, playing: nil, until: now + limit)
    await catchUp()
    return joined
  }
}

/// Ending what this session may not have started.
extension DeviceSession {
  /// Stops the app that runs, whoever started it.
  package func stopWhateverRuns(_ scope: ActionScope) async throws(StepFailure) {
    if own.session != nil { return try await StopApp(mayBeGone: true).perform(on: self, in: scope) }
    guard let running = foreignApp, let transportID = running.transportID else { return }
    let connection = try requireConnection()
    let app = AppSession(
      appID: running.appID, sessionID: running.sessionID, transportID: transportID, isOurs: false)
    do { try await connection.stopApp(app, until: scope.deadline) } catch { throw StepFailure(error) }
    await catchUp(scope)
  }

  /// Somebody else has had the device: what was ours is not expected any more.
  package func endYielding() { changeOwn { $0.forget() } }
}
