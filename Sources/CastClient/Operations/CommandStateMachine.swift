import CastProtocol

/// Sends one command to a media session; done at its reply, or at a status without an id that shows its effect. After no
/// reply the app is asked for its state, which may show the effect as well.
struct CommandStateMachine: OperationStateMachine {
  private enum Phase {
    case sent
    /// The media session id was stale: asks for the present one, to try once more (quirk 35).
    case refreshing(ClientError)
    /// No reply came: asks what the state is.
    case checking
  }

  private var command: MediaRequest
  private let target: AppSession
  private let replyTimeout: Duration
  private var phase = Phase.sent
  private var hasRetried = false
  /// What the command is meant for; empty where nobody said.
  private let contents: Set<String>
  /// The clip of a break that was on when the command was given.
  private let clip: String?

  /// - Parameters:
  ///   - current: The merged media status of the app now.
  ///   - loaded: What this connection loaded there last.
  init(
    _ command: MediaRequest, in target: AppSession, current: MediaStatus? = nil, loaded: Set<String> = [],
    replyTimeout: Duration
  ) {
    self.command = command
    self.target = target
    self.replyTimeout = replyTimeout
    let meant = current.flatMap { $0.mediaSessionID == command.mediaSessionID ? $0 : nil }
    let queued = (meant?.queueItems ?? []).compactMap { $0.media?.names }
    contents = queued.reduce(loaded.union(meant?.contentNames ?? [])) { $0.union($1) }
    clip = meant?.breakStatus?.breakClipID
  }

  var session: AppSession? { target }
  var needsMedia: Bool { true }
  var timeout: ClientError { ClientError(.timeout, "no reply to \(command.type)") }

  mutating func begin(at now: Duration) -> [OperationEffect] { send() }

  mutating func receive(_ event: OperationEvent, at now: Duration) -> [OperationEffect] {
    switch (phase, event) {
    case (.sent, .mediaStatus(_, target.transportID, .own(let role))) where role != .mediaStatus:
      return [.finish(.success(.done))]
    // Newer apps answer the queue's commands with what changed.
    case (.sent, .news(.queueChange, _, target.transportID, .own(.queueCommand))):
      return [.finish(.success(.done))]
    case (.sent, .mediaStatus(let status, target.transportID, .spontaneous)),
      (.checking, .mediaStatus(let status, target.transportID, .spontaneous)):
      return isShown(by: status) ? [.finish(.success(.done))] : []
    case (.sent, .refused(let refusal, _, .own(let role))) where role != .mediaStatus:
      let error = ClientError(refusal)
      guard refusal.reason == "INVALID_MEDIA_SESSION_ID", !hasRetried, command.mediaSessionID != nil else {
        return [.finish(.failure(error))]
      }
      phase = .refreshing(error)
      return [.request(.media(.getStatus, to: target.transportID), within: replyTimeout)]
    case (.refreshing(let error), .mediaStatus(let status, target.transportID, .own(.mediaStatus))):
      guard let status, status.mediaSessionID != command.mediaSessionID else { return [.finish(.failure(error))] }
      guard isMeant(status) else {
        var error = error
        error.message += ": \(status.contentInWords) is loaded now"
        return [.finish(.failure(error))]
      }
      command = command.retargeted(to: status.mediaSessionID)
      hasRetried = true
      phase = .sent
      return send()
    case (.refreshing(let error), .refused(_, _, .own(.mediaStatus))), (.refreshing(let error), .expired):
      return [.finish(.failure(error))]
    case (.sent, .expired(.command)), (.sent, .expired(.queueCommand)):
      guard command.hasVisibleEffect else { return [.finish(.failure(timeout))] }
      phase = .checking
      return [.request(.media(.getStatus, to: target.transportID), within: replyTimeout)]
    case (.checking, .mediaStatus(let status, target.transportID, .own(.mediaStatus))):
      return [.finish(isShown(by: status) ? .success(.done) : .failure(timeout))]
    case (.checking, .refused(_, _, .own(.mediaStatus))), (.checking, .expired(.mediaStatus)):
      return [.finish(.failure(timeout))]
    default:
      return []
    }
  }

  private func isShown(by status: MediaStatus?) -> Bool {
    if case .skipAd = command, let clip, let status, status.mediaSessionID == command.mediaSessionID {
      return status.breakStatus?.breakClipID != clip
    }
    return command.isShown(by: status)
  }

  /// Whether what plays now is what the command is meant for: another sender's media is none of its business.
  private func isMeant(_ status: MediaStatus) -> Bool {
    contents.isEmpty ? status.contentNames.isEmpty : !contents.isDisjoint(with: status.contentNames)
  }

  private func send() -> [OperationEffect] { [.request(.media(command, to: target.transportID), within: replyTimeout)] }
}

extension MediaRequest {
  /// The same command for another media session.
  func retargeted(to id: Int) -> MediaRequest {
    switch self {
    case .getStatus, .getPartialStatus, .load, .queueLoad, .resumeSession, .precache, .playAgain: self
    case .play: .play(mediaSessionID: id)
    case .pause: .pause(mediaSessionID: id)
    case .stop: .stop(mediaSessionID: id)
    case .seek(_, let target): .seek(mediaSessionID: id, target)
    case .setPlaybackRate(_, let target): .setPlaybackRate(mediaSessionID: id, target)
    case .editTracks(_, let tracks, let style):
      .editTracks(mediaSessionID: id, activeTrackIDs: tracks, textTrackStyle: style)
    case .setVolume(_, let level, let muted): .setVolume(mediaSessionID: id, level: level, muted: muted)
    case .skipAd: .skipAd(mediaSessionID: id)
    case .queueInsert(_, let insertion): .queueInsert(mediaSessionID: id, insertion)
    case .queueUpdate(_, let update): .queueUpdate(mediaSessionID: id, update)
    case .queueRemove(_, let itemIDs, let target):
      .queueRemove(mediaSessionID: id, itemIDs: itemIDs, goingTo: target)
    case .queueReorder(_, let itemIDs, let insertBefore, let target):
      .queueReorder(mediaSessionID: id, itemIDs: itemIDs, insertBefore: insertBefore, goingTo: target)
    case .queueNext: .queueNext(mediaSessionID: id)
    case .queuePrevious: .queuePrevious(mediaSessionID: id)
    case .queueShuffle: .queueShuffle(mediaSessionID: id)
    case .queueGetItemIDs: .queueGetItemIDs(mediaSessionID: id)
    case .queueGetItems(_, let itemIDs): .queueGetItems(mediaSessionID: id, itemIDs: itemIDs)
    case .queueGetItemRange(_, let itemID, let next, let previous):
      .queueGetItemRange(mediaSessionID: id, itemID: itemID, next: next, previous: previous)
    case .storeSession: .storeSession(mediaSessionID: id)
    case .selectText(_, let selection): .selectText(mediaSessionID: id, selection)
    case .selectAudio(_, let language, let isSuggested):
      .selectAudio(mediaSessionID: id, language: language, isSuggested: isSuggested)
    }
  }

  /// Whether a status can show what this command asked for.
  var hasVisibleEffect: Bool {
    switch self {
    case .play, .pause, .stop, .setPlaybackRate(_, .absolute), .editTracks(_, _?, nil), .setVolume, .skipAd: true
    case .seek(_, let target): target.relativeTime == nil
    default: false
    }
  }

  /// Whether a status that answers nobody shows what this command asked for; where that cannot be told, it does not.
  func isShown(by status: MediaStatus?) -> Bool {
    guard let status, status.mediaSessionID == mediaSessionID else {
      // No session any more: that is what STOP wanted.
      if case .stop = self { return status == nil }
      return false
    }
    switch self {
    case .play: return status.playerState == .playing || status.playerState == .buffering
    case .pause: return status.playerState == .paused
    case .stop: return status.playerState == .idle && status.loadingItemID == nil
    case .seek(_, let target):
      guard let time = status.currentTime, target.relativeTime == nil else { return false }
      return abs(time - target.currentTime) <= 2
    case .setPlaybackRate(_, .absolute(let rate)): return abs((status.playbackRate ?? 0) - rate) < 0.01
    case .editTracks(_, let tracks?, nil): return status.activeTrackIDs == tracks
    case .setVolume(_, let level, let muted):
      let isLevel = level.map { abs((status.volume.level ?? -1) - $0) < 0.01 } ?? true
      return isLevel && (muted == nil || status.volume.muted == muted)
    case .skipAd: return status.breakStatus == nil
    default: return false
    }
  }
}
