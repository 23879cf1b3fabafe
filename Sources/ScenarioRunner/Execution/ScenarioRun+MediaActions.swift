import CastClient
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// The media verbs.
extension ScenarioRun {
  func load(_ action: Plan.LoadAction, until deadline: Duration) async throws(StepFailure) {
    let request = try secrets.revealed(action.request)
    let app = action.appID ?? app?.appID ?? action.defaultAppID
    let isKept = try await loadMedia(app, trackNames: action.trackNames, until: deadline, done: action.until) {
      connection, session throws(ClientError) in
      try await connection.load(request, in: session, until: deadline)
    }
    guard action.until != .accepted else { return }
    try await requireTracks(request.activeTrackIDs ?? [], asks: isKept, until: deadline)
  }

  /// Loads into an app, launched where it does not run, and waits for what was asked for.
  /// - Parameter send: Answers the id of the new media session.
  /// - Returns: Whether the app kept the media session it had: what it said of that one may be of what played before.
  @discardableResult
  func loadMedia(
    _ appID: String, trackNames: [Int: String], until deadline: Duration, done: Plan.LoadAction.Until,
    _ send: (CastConnection, AppSession) async throws(ClientError) -> Int
  ) async throws(StepFailure) -> Bool {
    let connection = try requireConnection()
    let session = try await ensureApp(appID, until: deadline)
    isChangingApp = true
    loadingTrackNames = trackNames
    defer {
      isChangingApp = false
      loadingTrackNames = nil
    }
    let earlier = lastSnapshot.media?.mediaSessionID
    if let earlier { earlierSessions.insert(earlier) }
    loaded = nil
    target.hasLoaded = true
    let start = observed
    let mediaSession: Int
    do {
      mediaSession = try await send(connection, session)
    } catch {
      throw StepFailure(error)
    }
    earlierSessions.remove(mediaSession)
    loaded = LoadedMedia(source: session.transportID, mediaSessionID: mediaSession, trackNames: trackNames)
    target.trackNames = [:]
    // From here on another sender's load is a takeover; the end of what played before is none.
    isChangingApp = false
    let isKept = mediaSession == earlier
    if done == .accepted {
      await catchUp()
      return isKept
    }
    let wanted: [String] =
      switch done {
      case .playing: ["playing"]
      case .paused: ["paused"]
      case .accepted, .loaded: ["playing", "paused", "buffering"]
      }
    // The load may have failed before anybody looked.
    let first = await connection.observations(after: start).first {
      $0.snapshot.media?.mediaSessionID == mediaSession
    }
    try await wait(
      until: deadline, for: "the player to be \(wanted.joined(separator: " or "))", since: first?.number
    ) { view, observation throws(StepFailure) in
      if let observation, observation.scope == .error, let message = observation.message,
        let error = ClientError(refusal: message), error.class == .loadFailed || error.class == .loadCancelled
      {
        throw StepFailure(error)
      }
      if view.isForeign { return false }
      if let media = view.media, media.playerState == .idle, media.loadingItemID == nil {
        try Self.checkEnd(media, code: view.snapshot.detailedErrorCode)
      }
      return wanted.contains(view.player)
    }
    return isKept
  }

  /// Waits until the tracks that a load asked for are on; some apps tell of them late.
  /// - Parameter asks: Whether what is known of them may be of an earlier load.
  func requireTracks(_ ids: [Int], asks: Bool = false, until deadline: Duration) async throws(StepFailure) {
    if ids.isEmpty { return }
    func names(_ ids: [Int]) -> String {
      "[\(ids.map { loaded?.trackNames[$0] ?? String($0) }.joined(separator: ", "))]"
    }
    let wanted = Set(ids)
    func isOn(_ view: StatusView) -> Bool { wanted.isSubset(of: view.media?.activeTrackIDs ?? []) }
    await catchUp()
    if isOn(view), !asks { return }
    // What is told unasked may leave them out.
    if let app, let connection { try? await connection.refreshMedia(in: app, until: deadline) }
    do {
      try await wait(until: deadline, for: "the active tracks to be \(names(ids))") { view, _ throws(StepFailure) in
        if let media = view.media, media.playerState == .idle, media.loadingItemID == nil {
          try Self.checkEnd(media, code: view.snapshot.detailedErrorCode)
        }
        return isOn(view)
      }
    } catch {
      guard error.errorClass == .timeout else { throw error }
      var failure = error
      let seen = view.media?.activeTrackIDs
      failure.message += seen.map { $0.isEmpty ? "; none is on" : "; on are \(names($0))" } ?? "; the app names none"
      throw failure
    }
  }

  /// Throws when a load's media session is over before it played.
  static func checkEnd(_ media: MediaStatus, code: Int?) throws(StepFailure) {
    switch media.idleReason {
    case .error:
      let detail = code.map { " \($0) \(DetailedErrorCode.name(of: $0) ?? "")" } ?? ""
      throw StepFailure(.loadFailed, "the player is idle with ERROR\(detail)")
    case .cancelled: throw StepFailure(.loadCancelled, "the load was cancelled")
    case .interrupted: throw StepFailure(.loadCancelled, "the load was interrupted by another")
    case .finished: throw StepFailure(.mediaError, "the media ended before it could be seen playing")
    case .unknown, nil: return
    }
  }

  /// Sends a command for the current media session and waits for its effect.
  /// - Parameter seen: What is told of the state where the effect does not come.
  private func command(
    until deadline: Duration, waitingFor: String, _ make: (Int) -> MediaRequest,
    seen: (StatusView) -> String? = { "the player is \($0.player)" }, isDone: (StatusView) -> Bool
  ) async throws(StepFailure) {
    let connection = try requireConnection()
    let session = try requireApp()
    let request = make(try requireMedia())
    let missing = missingCommand(for: request)
    // What the app says it cannot do it may do all the same; but nobody waits long for that at a prompt.
    let isDoubtful = missing != nil && configuration.joinsRunningApp
    let deadline = isDoubtful ? min(deadline, now + plan.timeouts.reply) : deadline
    do throws(StepFailure) {
      do throws(ClientError) {
        try await connection.command(request, in: session, until: deadline)
      } catch {
        throw StepFailure(error)
      }
      try await wait(until: deadline, for: waitingFor) { view, _ throws(StepFailure) in isDone(view) }
    } catch {
      var failure = error
      if failure.errorClass == .timeout, !Task.isCancelled {
        // Whether it was done all the same, and how it is: for as long as the step may take.
        if now < deadline { try? await connection.refreshMedia(in: session, until: deadline) }
        await catchUp()
        if let state = view.media == nil ? "nothing is loaded" : seen(view) { failure.message += "; \(state)" }
      }
      guard let missing, [.timeout, .invalidRequest, .invalidState].contains(error.errorClass) else {
        throw failure
      }
      failure.help = Self.unlisted(missing)
      throw failure
    }
  }

  private static func unlisted(_ command: String) -> String {
    "the app does not list `\(command)` among the commands for what plays; it may not know it, or not allow it now"
  }

  /// The word for what a request needs and the app does not list; `nil` where it is listed, or nothing is.
  private func missingCommand(for request: MediaRequest) -> String? {
    guard let needed = request.neededCommand, let listed = view.media?.supportedMediaCommands else { return nil }
    return MediaCommands(rawValue: listed).contains(needed) ? nil : needed.words.first
  }

  func requireMedia() throws(StepFailure) -> Int {
    if let media = view.media { return media.mediaSessionID }
    if let running = lastSnapshot.receiver?.application, running.sessionID == app?.sessionID,
      !running.namespaces.isEmpty, !running.playsMedia
    {
      throw StepFailure(.noMedia(running))
    }
    throw StepFailure(.invalidState, "nothing is loaded")
  }

  func play(until deadline: Duration) async throws(StepFailure) {
    try await command(until: deadline, waitingFor: "the player to play") {
      .play(mediaSessionID: $0)
    } isDone: {
      ["playing", "buffering"].contains($0.player)
    }
  }

  func pause(until deadline: Duration) async throws(StepFailure) {
    try await command(until: deadline, waitingFor: "the player to pause") {
      .pause(mediaSessionID: $0)
    } isDone: {
      $0.player == "paused"
    }
  }

  func stopMedia(until deadline: Duration) async throws(StepFailure) {
    if configuration.joinsRunningApp, app == nil || view.player == "idle" { return }
    try await command(until: deadline, waitingFor: "the player to be idle") {
      .stop(mediaSessionID: $0)
    } isDone: {
      $0.player == "idle"
    }
  }

  func seek(_ action: Plan.SeekAction, until deadline: Duration) async throws(StepFailure) {
    let target = try seekTarget(action.target)
    let resume: Bool? = action.then == .keep ? nil : action.then == .play
    let tolerance = action.tolerance.seconds
    // At its end what plays is over, or another item of the queue begins: nobody will see the position then.
    let item = view.media?.currentItemID
    let isToEnd = view.value(of: FieldPath(["duration"]))?.number.map { target >= $0 - tolerance } ?? false
    try await command(until: deadline, waitingFor: "the position to be \(target.decimals(1, padded: true))s") {
      .seek(mediaSessionID: $0, .init(currentTime: target, resume: resume))
    } seen: { view in
      view.position.map { "it is \($0.decimals(1, padded: true))s, \(view.player)" }
    } isDone: { view in
      if isToEnd, let media = view.media {
        if media.loadingItemID != nil || media.currentItemID != item { return true }
        if media.playerState == .idle, media.idleReason == .finished { return true }
      }
      guard let position = view.position, view.player != "buffering", view.player != "loading" else { return false }
      return abs(position - target) <= tolerance + 1e-6
    }
  }

  private func seekTarget(_ target: Plan.SeekAction.Target) throws(StepFailure) -> Double {
    switch target {
    case .to(let amount): return max(0, try number(amount))
    case .toStart: return 0
    case .toEnd:
      guard let duration = view.value(of: FieldPath(["duration"]))?.number else {
        throw StepFailure(.invalidState, "the media has no known end to seek to")
      }
      return duration
    case .by(let offset):
      // Not all apps know `relativeTime` (cast-protocol.md 4.2).
      guard let position = view.position else { throw StepFailure(.invalidState, "the position is not known") }
      return max(0, position + offset)
    }
  }

  func setRate(_ action: Plan.RateAction, until deadline: Duration) async throws(StepFailure) {
    let wanted: Double
    let request: MediaRequest.RateTarget
    switch action {
    case .to(let amount):
      wanted = try number(amount)
      request = .absolute(wanted)
    case .by(let factor):
      wanted = (view.media?.playbackRate ?? 1) * factor
      request = .relative(factor)
    }
    try await command(until: deadline, waitingFor: "the rate to be \(wanted.decimals(2))") {
      .setPlaybackRate(mediaSessionID: $0, request)
    } seen: {
      $0.media?.playbackRate.map { "it is \($0.decimals(2))" }
    } isDone: {
      $0.media?.playbackRate.map { abs($0 - wanted) < 1e-3 } ?? false
    }
  }

  func setTracks(_ names: [String], until deadline: Duration) async throws(StepFailure) {
    if configuration.joinsRunningApp {
      _ = try requireApp()
      _ = try requireMedia()
    }
    var ids: [Int] = []
    for name in names { ids.append(try trackID(name)) }
    let wanted = ids.sorted()
    try await command(until: deadline, waitingFor: "the active tracks to be [\(names.joined(separator: ", "))]") {
      .editTracks(mediaSessionID: $0, activeTrackIDs: ids, textTrackStyle: nil)
    } seen: { [names = loaded?.trackNames ?? [:]] view in
      view.media?.activeTrackIDs.map { active in
        "they are [\(active.map { names[$0] ?? String($0) }.joined(separator: ", "))]"
      }
    } isDone: {
      ($0.media?.activeTrackIDs ?? []).sorted() == wanted
    }
  }

  /// The wire id of a track named by the document's id or its language.
  private func trackID(_ name: String) throws(StepFailure) -> Int {
    let content = view.media?.media ?? view.media?.extendedMedia
    let named = (loaded?.trackNames ?? [:]).filter { $0.value == name }.map(\.key).min()
    if let id = named { return id }
    let tracks = content?.tracks ?? []
    func speaks(_ track: MediaInformation.Track, _ name: String) -> Bool {
      guard let language = track.language?.lowercased() else { return false }
      return language == name.lowercased() || language.split(separator: "-").first == Substring(name.lowercased())
    }
    // A text track before a sound track of the same language: captions are what `tracks` is mostly for.
    let spoken = tracks.filter { speaks($0, name) }
    if let track = spoken.first(where: { $0.type == "TEXT" }) ?? spoken.first { return track.trackID }
    if let id = Int(name), tracks.isEmpty || tracks.contains(where: { $0.trackID == id }) { return id }
    let known = tracks.prefix(10).map { track in
      track.language.map { "\(track.trackID) (\($0))" } ?? "\(track.trackID)"
    }
    let list =
      known.isEmpty ? "it has none" : "it has \(known.joined(separator: ", "))\(tracks.count > 10 ? ", …" : "")"
    throw StepFailure(.invalidRequest, "the media has no track `\(name)`: \(list)")
  }

  func setTextStyle(_ style: TextTrackStyle, until deadline: Duration) async throws(StepFailure) {
    let wanted = style.documentForm
    let connection = try requireConnection()
    let session = try requireApp()
    let request = MediaRequest.editTracks(
      mediaSessionID: try requireMedia(), activeTrackIDs: nil, textTrackStyle: style)
    let missing = missingCommand(for: request)
    do {
      try await connection.command(request, in: session, until: deadline)
    } catch {
      var failure = StepFailure(error)
      if let missing, [.timeout, .invalidRequest, .invalidState].contains(failure.errorClass) {
        failure.help = Self.unlisted(missing)
      }
      throw failure
    }
    // Not every app echoes the style; then there is nothing to wait for.
    let patience = min(deadline, now + plan.timeouts.reply)
    do {
      try await wait(until: patience, for: "the app to echo the text style") { view, _ throws(StepFailure) in
        guard let shown = view.value(of: FieldPath(["text_style"]))?.object else { return false }
        return wanted.members.allSatisfy { shown[$0.name] == $0.value }
      }
    } catch {
      guard error.errorClass == .timeout, stopCause == nil else { throw error }
      emit(
        .diagnostic, step: stepID,
        [
          "severity": "warning", "code": .string(error.code),
          "message": "the app did not echo the text style, so it may not show it",
        ])
    }
  }

  func skipAd(force: Bool, until deadline: Duration) async throws(StepFailure) {
    guard let state = view.media?.breakStatus else { throw StepFailure(.invalidState, "no ad break is playing") }
    if !force, !view.isSkippable {
      let when = view.skippableAt.map { "from \($0.decimals(1))s on" } ?? "never"
      throw StepFailure(
        .refusedLocally, "the clip can be skipped \(when)", help: "`skip_ad: { force: true }` sends it all the same")
    }
    try await command(until: deadline, waitingFor: "the clip to be over") {
      .skipAd(mediaSessionID: $0)
    } isDone: { view in
      let now = view.media?.breakStatus
      return now == nil || now?.breakClipID != state.breakClipID || now?.breakID != state.breakID
    }
  }
}

extension MediaRequest {
  /// The bit of `supportedMediaCommands` that says whether an app takes this.
  fileprivate var neededCommand: MediaCommands? {
    switch self {
    case .pause: .pause
    case .seek: .seek
    case .setPlaybackRate: .rate
    case .editTracks: .editTracks
    case .skipAd: .skipAd
    default: nil
    }
  }
}
