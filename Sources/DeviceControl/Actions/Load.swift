import CastClient
import CastProtocol
import RunReporting
import ScenarioLanguage

/// `load`: media play, or are as far as the step asks.
struct Load: DeviceVerb {
  let action: Plan.LoadAction

  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    let request = try await device.served(device.secrets.revealed(action.request))
    let app = action.appID ?? device.own.session?.appID ?? action.defaultAppID
    let isKept = try await device.fetching(request.media) { () async throws(StepFailure) in
      try await device.load(into: app, action.trackNames, of: request.media.contentID, scope, done: action.until) {
        connection, session throws(ClientError) in
        try await connection.load(request, in: session, until: scope.deadline)
      }
    }
    guard action.until != .accepted else { return }
    let wanted = request.activeTrackIDs ?? []
    try await device.fetching(request.media, tracks: wanted) { () async throws(StepFailure) in
      try await device.requireTracks(wanted, asks: isKept, scope)
    }
  }
}

extension DeviceSession {
  /// Loads into an app, launched where it does not run, and waits for what was asked for.
  /// - Parameters:
  ///   - content: What plays first, by its content id.
  ///   - send: Answers the id of the new media session.
  /// - Returns: Whether the app kept its media session: its earlier statuses may be of the media before.
  @discardableResult
  func load(
    into appID: String, _ trackNames: [Int: String], of content: String?, _ scope: ActionScope,
    done: Plan.LoadAction.Until,
    _ send: (CastConnection, AppSession) async throws(ClientError) -> Int
  ) async throws(StepFailure) -> Bool {
    let connection = try requireConnection()
    let session = try await ensureApp(appID, scope)
    let earlier = link.snapshot.media?.mediaSessionID
    changeOwn { $0.beginLoad(trackNames, of: content, earlier: earlier) }
    defer { changeOwn { $0.endLoad() } }
    let start = link.observed
    let mediaSession: Int
    do {
      mediaSession = try await send(connection, session)
    } catch {
      throw StepFailure(error)
    }
    changeOwn { $0.recordLoad(mediaSession, in: session, trackNames) }
    let isKept = mediaSession == earlier
    if done == .accepted {
      await catchUp(scope)
      return isKept
    }
    let wanted = done.players
    // The load may have failed before this wait began.
    let first = await connection.observations(after: start).first {
      $0.snapshot.media?.mediaSessionID == mediaSession
    }
    try await wait(scope, for: "the player to be \(wanted.joined(separator: " or "))", since: first?.number) {
      view, observation throws(StepFailure) in
      if let error = observation?.refusal, error.class == .loadFailed || error.class == .loadCancelled {
        throw StepFailure(error)
      }
      if view.isForeign { return false }
      try view.checkEnd()
      return wanted.contains(view.player)
    }
    return isKept
  }

  /// Waits until the tracks that a load asked for are on; some apps tell of them late.
  /// - Parameter asks: Whether the known tracks may be those of an earlier load, so that they are asked for.
  func requireTracks(_ ids: [Int], asks: Bool = false, _ scope: ActionScope) async throws(StepFailure) {
    if ids.isEmpty { return }
    func names(_ ids: [Int]) -> String {
      "[\(ids.map { own.loaded?.trackNames[$0] ?? String($0) }.joined(separator: ", "))]"
    }
    let wanted = Set(ids)
    func isOn(_ view: StatusView) -> Bool { wanted.isSubset(of: view.media?.activeTrackIDs ?? []) }
    await catchUp(scope)
    if isOn(view(scope)), !asks { return }
    // Statuses that were not asked for may leave them out.
    if let app = own.session, let connection = link.connection {
      try? await connection.refreshMedia(in: app, until: scope.deadline)
    }
    do {
      try await wait(scope, for: "the active tracks to be \(names(ids))") { view, _ throws(StepFailure) in
        try view.checkEnd()
        return isOn(view)
      }
    } catch {
      guard error.errorClass == .timeout else { throw error }
      var failure = error
      let seen = view(scope).media?.activeTrackIDs
      failure.message += seen.map { $0.isEmpty ? "; none is on" : "; on are \(names($0))" } ?? "; the app names none"
      throw failure
    }
  }
}

extension StatusView {
  /// Throws when a load's media session is over before it played.
  func checkEnd() throws(StepFailure) {
    guard let media, media.playerState == .idle, media.loadingItemID == nil else { return }
    switch media.idleReason {
    case .error:
      let detail = snapshot.detailedErrorCode.map { " \($0) \(DetailedErrorCode.name(of: $0) ?? "")" } ?? ""
      throw StepFailure(.loadFailed, "the player is idle with ERROR\(detail)")
    case .cancelled: throw StepFailure(.loadCancelled, "the load was cancelled")
    case .interrupted: throw StepFailure(.loadCancelled, "the load was interrupted by another")
    case .finished: throw StepFailure(.mediaError, "the media ended before it could be seen playing")
    case .unknown, nil: return
    }
  }
}
