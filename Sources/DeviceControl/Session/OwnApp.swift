package import CastClient
package import CastProtocol
package import RunReporting
import ScenarioLanguage

/// What LAUNCH says besides the app's id.
package struct LaunchWords: Hashable, Sendable {
  package var appID: String
  package var language: String?
  /// As the document writes them, secrets by their names.
  package var params: JSONValue?
  package var appTypes: [String]?
  package var needsMedia = false

  package init(
    appID: String, language: String? = nil, params: JSONValue? = nil, appTypes: [String]? = nil,
    needsMedia: Bool = false
  ) {
    self.appID = appID
    self.language = language
    self.params = params
    self.appTypes = appTypes
    self.needsMedia = needsMedia
  }
}

/// What is ours on a device: the app session, the media we loaded, and why they are not ours any more.
///
/// A value without I/O: fed with observations it says when another sender took the device.
package struct OwnApp: Sendable {
  /// How long another app may take to appear in the place of ours: devices tell of the end of one before the begin of
  /// the next (docs/protocol.md 3.4).
  package static let replacementTime = Duration.seconds(2)
  /// Apps that play nothing leave by themselves after some minutes; one that goes sooner was stopped.
  package static let shortestIdleTime = Duration.seconds(240)

  package private(set) var session: AppSession?
  /// Why there is no app of ours any more.
  package private(set) var loss: StepFailure?
  /// The app of ours that went, while another may still appear in its place.
  private var lostSession: AppSession?
  /// Until when another app may appear in the place of ours; then ours counts as gone.
  package private(set) var replacementDeadline: Duration?
  /// What the app of ours is called.
  private var name: String?
  /// Since when nothing plays.
  private var idleSince: Duration?
  /// Whether a load of ours was begun.
  package private(set) var hasLoaded = false
  /// How the app of ours was launched, to launch it once more.
  package private(set) var launched: LaunchWords?
  package private(set) var loaded: LoadedMedia?
  /// Track names of a load that is under way, for status events.
  package private(set) var loadingTrackNames: [Int: String]?
  /// The document's names of tracks by the content they belong to, where a queue has several.
  package private(set) var trackNames: [String: [Int: String]] = [:]
  /// Media sessions of the app that were there before our loads, the last few: their statuses may still come.
  private var earlierSessions: [Int] = []
  private static let mostEarlierSessions = 16
  /// What our last load was of; the device's word for it.
  private var lastContent: String?
  /// A load was begun and given up: the device may still answer it, and the answer to the next load of the same content
  /// may then have been taken for the answer to this one.
  private var hasGivenUp = false
  /// The last media session that was seen while an action of ours changes the app.
  private var seenMeanwhile: Int?
  /// A launch, load or stop of ours is under way: changes are no takeover.
  package private(set) var isChanging = false
  private var originalLevel: Double?
  private var originalMuted: Bool?

  package init() {}

  // MARK: over the end of a process

  /// What a later process needs to go on.
  package var kept: KeptApp {
    var kept = KeptApp()
    (kept.session, kept.launched) = (session.map { KeptApp.App($0) }, launched.map { KeptApp.Launch($0) })
    (kept.loaded, kept.lastContent) = (loaded.map { KeptApp.Media($0) }, lastContent)
    kept.trackNames = trackNames.mapValues { KeptApp.TrackNames(names: $0) }
    (kept.originalLevel, kept.originalMuted) = (originalLevel, originalMuted)
    return kept
  }

  /// Goes on with what an earlier process kept.
  /// - Parameter withoutMedia: What plays may be that process's, too: none of it is missed.
  package mutating func restore(_ kept: KeptApp, withoutMedia: Bool) {
    (session, launched) = (kept.session?.session, kept.launched?.words)
    loaded = withoutMedia ? nil : kept.loaded?.loaded
    (trackNames, lastContent) = (kept.trackNames.mapValues(\.names), kept.lastContent)
    hasLoaded = kept.loaded != nil
    (originalLevel, originalMuted) = (kept.originalLevel, kept.originalMuted)
  }

  // MARK: what we do

  package mutating func beginChange() { isChanging = true }
  package mutating func endChange() { isChanging = false }

  /// A launch begins: that another app replaces the last one is then our own doing.
  package mutating func beginLaunch() {
    isChanging = true
    endWaitForReplacement()
  }

  /// The app runs that we launched or joined.
  package mutating func recordLaunch(_ new: AppSession, _ words: LaunchWords, at time: Duration) {
    // Another app session counts its media sessions anew.
    if session?.sessionID != new.sessionID { (loaded, earlierSessions) = (nil, []) }
    session = new
    loss = nil
    launched = words
    idleSince = time
  }

  /// Joined without a launch, also where another sender started it: actions may act on it.
  package mutating func join(_ new: AppSession) { session = new }

  /// What plays counts as loaded by us from here on.
  package mutating func setLoaded(_ media: LoadedMedia) { loaded = media }

  /// A new launch ends the session before, also where it fails.
  package mutating func forget() {
    session = nil
    loaded = nil
  }

  /// A step of ours stopped the app.
  package mutating func recordStop() {
    forget()
    launched = nil
    loss = StepFailure(.appGone, "the app was stopped by an earlier step")
  }

  /// - Parameters:
  ///   - content: What is loaded, by its content id.
  ///   - earlier: The media session that is there before the load.
  package mutating func beginLoad(_ names: [Int: String], of content: String? = nil, earlier: Int?) {
    isChanging = true
    lastContent = content
    loadingTrackNames = names
    // A late answer may have shown another session than the one that was ours.
    for session in [loaded?.mediaSessionID, earlier] { if let session { noteEarlier(session) } }
    loaded = nil
    hasLoaded = true
  }

  private mutating func noteEarlier(_ session: Int) {
    earlierSessions = earlierSessions.filter { $0 != session }.suffix(Self.mostEarlierSessions - 1) + [session]
  }

  /// The app took the load. From here on another sender's load is a takeover; the end of what played before is none.
  package mutating func recordLoad(_ mediaSession: Int, in session: AppSession, _ names: [Int: String]) {
    // Those that count on are another sender's (docs/protocol.md 4.4).
    if let seenMeanwhile, seenMeanwhile < mediaSession { noteEarlier(seenMeanwhile) }
    seenMeanwhile = nil
    earlierSessions.removeAll { $0 == mediaSession }
    loaded = LoadedMedia(source: session.transportID, mediaSessionID: mediaSession, trackNames: names)
    trackNames = [:]
    isChanging = false
  }

  /// The item that the player goes on to by itself; `nil`: none any more.
  package mutating func setNextItem(_ id: Int?) { loaded?.nextItemID = id }

  package mutating func endLoad() {
    if isChanging { hasGivenUp = true }
    isChanging = false
    loadingTrackNames = nil
  }

  /// The names of tracks, by content, that a queue has.
  package mutating func nameTracks(_ names: [String: [Int: String]]) { trackNames = names }

  /// Adds the names of the tracks of one content.
  package mutating func nameTracks(_ names: [Int: String], of content: String) { trackNames[content] = names }

  /// Keeps the volume that the device had before our first change of it.
  package mutating func rememberLevel(_ level: Double?) { originalLevel = originalLevel ?? level }
  package mutating func rememberMuted(_ muted: Bool?) { originalMuted = originalMuted ?? muted }
  package var originalVolume: (level: Double?, muted: Bool?) { (originalLevel, originalMuted) }

  // MARK: after a reconnect

  /// The app still runs behind the new connection.
  package mutating func resume(_ new: AppSession) {
    session = new
    loaded?.source = new.transportID
  }

  /// A new connection shows that it is not there any more, or is another's.
  package mutating func recordLoss(_ failure: StepFailure) {
    forget()
    loss = failure
  }

  /// A new connection shows that the app is not ours any more.
  /// - Parameters:
  ///   - end: Why: ``ErrorClass/takenOver``, or it is gone.
  ///   - gone: What a step that needs it is told then.
  /// - Returns: What another sender did; `nil` where nobody did anything.
  package mutating func recordEnd(_ end: StepFailure, gone: String) -> StepFailure? {
    guard end.errorClass == .takenOver else {
      recordLoss(StepFailure(.appGone, gone))
      return nil
    }
    forget()
    return takenOver(end)
  }

  // MARK: what is seen

  /// Notes how the app of ours calls itself, and since when nothing plays in it.
  package mutating func recordUse(_ snapshot: DeviceSnapshot, at time: Duration) {
    if let session, let running = snapshot.receiver?.application, running.sessionID == session.sessionID {
      name = running.displayName.isEmpty ? nil : "\(running.displayName) (\(running.appID))"
    }
    let plays = snapshot.media.map {
      $0.playerState != .idle || $0.loadingItemID != nil || $0.extendedPlayerState == "LOADING"
    }
    idleSince = plays == true ? nil : idleSince ?? time
  }

  /// Each item of a queue has tracks of its own.
  package mutating func nameTracks(of snapshot: DeviceSnapshot) {
    guard let loaded, !trackNames.isEmpty, let media = snapshot.media, media.mediaSessionID == loaded.mediaSessionID,
      let content = media.media?.contentID, let names = trackNames[content], names != loaded.trackNames
    else { return }
    self.loaded?.trackNames = names
  }

  /// Checks, with a status, whether the app and the media are still ours.
  /// - Parameter time: Now, on the show clock.
  /// - Returns: What another sender did; `nil` where nothing was taken.
  package mutating func observe(_ observation: Observation, at time: Duration) -> StepFailure? {
    guard !isChanging else {
      // A load that was given up may still be answered.
      if let media = observation.snapshot.media { seenMeanwhile = max(seenMeanwhile ?? .min, media.mediaSessionID) }
      return nil
    }
    switch observation.scope {
    case .receiver: return observation.snapshot.receiver.flatMap { observe($0, at: time) }
    case .media: return otherMedia(observation)
    case .connection, .error, .message: return nil
    }
  }

  /// - Parameter time: Now, on the show clock.
  package mutating func observe(_ receiver: ReceiverStatus, at time: Duration) -> StepFailure? {
    let current = receiver.application.flatMap { $0.isIdleScreen ? nil : $0 }
    var lost = lostSession
    if let session {
      guard current?.sessionID != session.sessionID else { return nil }
      forget()
      lost = session
      if current == nil {
        lostSession = session
        loss = StepFailure(
          .appGone,
          "the app \(name ?? session.appID) is no longer running: another sender stopped it, or it ended itself")
        replacementDeadline = time + Self.replacementTime
        return nil
      }
    }
    guard let current, let lost else { return nil }
    // A session that comes back has lost its connection and what is known of its media: it counts as gone.
    if current.sessionID == lost.sessionID { return nil }
    return takenOver(StepFailure(.takenOver, "taken over by \(current.displayName) (\(current.appID))"))
  }

  private mutating func otherMedia(_ observation: Observation) -> StepFailure? {
    guard let session, let loaded, let media = observation.snapshot.media,
      observation.snapshot.mediaSource == loaded.source
    else { return nil }
    let isAnother = media.mediaSessionID != loaded.mediaSessionID && !earlierSessions.contains(media.mediaSessionID)
    let isInterrupted =
      media.mediaSessionID == loaded.mediaSessionID && media.idleReason == .interrupted
      && media.extendedPlayerState == "LOADING" && media.loadingItemID == nil
    guard isAnother || isInterrupted else { return nil }
    let content = isAnother ? media.media ?? media.extendedMedia : media.extendedMedia
    if hasGivenUp, let lastContent, content?.contentID == lastContent {
      if isAnother {
        hasGivenUp = false
        noteEarlier(loaded.mediaSessionID)
        self.loaded?.mediaSessionID = media.mediaSessionID
      }
      return nil
    }
    let what = content?.metadata?["title"]?.string ?? content?.contentID
    let name = observation.snapshot.receiver?.application?.displayName ?? session.appID
    self.loaded = nil
    return takenOver(
      StepFailure(.takenOver, "another sender loaded \(what.map { "`\($0)`" } ?? "other media") in \(name)"))
  }

  /// Records that another sender has our app or media.
  package mutating func takenOver(_ failure: StepFailure) -> StepFailure {
    loss = failure
    endWaitForReplacement()
    return failure
  }

  package mutating func endWaitForReplacement() {
    replacementDeadline = nil
    lostSession = nil
  }

  /// Whether the app may have gone because nothing was played for long.
  package func hasLeftByItself(at time: Duration) -> Bool {
    idleSince.map { time - $0 >= Self.shortestIdleTime } ?? false
  }
}
