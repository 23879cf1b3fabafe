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

  private var request: MediaRequest
  private let target: AppSession
  private let replyTimeout: Duration
  private var phase = Phase.sent
  private var hasRetried = false
  /// What the command is meant for; empty where nobody said.
  private let contents: Set<String>
  /// The clip of a break that was on when the command was given.
  private let clip: String?
  /// Whether a status that nobody asked for can show the command's effect: the state of before did not show it already.
  private let hasNewEffect: Bool
  /// Where it played when the command was given, in seconds of the content.
  private let position: Double?
  private var sentAt = Duration.zero
  /// Whether the app was asked for its state before the reply was overdue.
  private var hasAsked = false
  /// Whether that question is still open: its end is not the end of a later one.
  private var isAskedEarly = false

  /// - Parameters:
  ///   - current: The merged media status of the app now.
  ///   - position: Where it plays now, in seconds of the content.
  ///   - loaded: What this connection loaded there last.
  init(
    _ request: MediaRequest, in target: AppSession, current: MediaStatus? = nil, position: Double? = nil,
    loaded: Set<String> = [], replyTimeout: Duration
  ) {
    self.request = request
    self.target = target
    self.replyTimeout = replyTimeout
    let meant = current.flatMap { $0.mediaSessionID == request.session ? $0 : nil }
    let queued = (meant?.queueItems ?? []).compactMap { $0.media?.names }
    contents = queued.reduce(loaded.union(meant?.contentNames ?? [])) { $0.union($1) }
    clip = meant?.breakStatus?.breakClipID
    self.position = position
    hasNewEffect = meant.map { request.hasNewEffect(beside: $0, at: position) } ?? true
  }

  var session: AppSession? { target }
  var needsMedia: Bool { true }
  var timeout: ClientError { ClientError(.timeout, "no reply to \(request.command.type)") }

  mutating func begin(at now: Duration) -> [OperationEffect] { send(at: now) }

  mutating func receive(_ event: OperationEvent, at now: Duration) -> [OperationEffect] {
    if isAskedEarly, endsEarlyQuestion(event, at: now) { return [] }
    switch (phase, event) {
    case (.sent, .mediaStatus(_, target.transportID, .own(let role))) where role != .mediaStatus:
      return [.finish(.success(.done))]
    // Newer apps answer the queue's commands with what changed.
    case (.sent, .news(.queueChange, _, target.transportID, .own(.queueCommand))):
      return [.finish(.success(.done))]
    case (.sent, .mediaStatus(let status, target.transportID, .spontaneous)),
      (.checking, .mediaStatus(let status, target.transportID, .spontaneous)):
      guard isShown(by: status) else { return [] }
      return hasNewEffect ? [.finish(.success(.done))] : askEarly()
    case (.sent, .refused(let refusal, _, .own(let role))) where role != .mediaStatus:
      let error = ClientError(refusal)
      guard refusal.reason == "INVALID_MEDIA_SESSION_ID", !hasRetried, request.session != nil else {
        return [.finish(.failure(error))]
      }
      phase = .refreshing(error)
      return [.request(.media(.getStatus, to: target.transportID), within: replyTimeout)]
    case (.refreshing(let error), .mediaStatus(let status, target.transportID, .own(.mediaStatus))):
      guard let status, status.mediaSessionID != request.session else { return [.finish(.failure(error))] }
      guard isMeant(status) else {
        var error = error
        error.message += ": \(status.contentInWords) is loaded now"
        return [.finish(.failure(error))]
      }
      request.session = status.mediaSessionID
      hasRetried = true
      phase = .sent
      return send(at: now)
    case (.refreshing(let error), .refused(_, _, .own(.mediaStatus))), (.refreshing(let error), .expired):
      return [.finish(.failure(error))]
    case (.sent, .expired(.command)), (.sent, .expired(.queueCommand)):
      guard request.hasVisibleEffect else { return [.finish(.failure(timeout))] }
      phase = .checking
      return [.request(.media(.getStatus, to: target.transportID), within: replyTimeout)]
    case (.sent, .mediaStatus(let status, target.transportID, .own(.mediaStatus))):
      return isCarriedOut(in: status, at: now) ? [.finish(.success(.done))] : []
    case (.checking, .mediaStatus(let status, target.transportID, .own(.mediaStatus))):
      return [.finish(isCarriedOut(in: status, at: now) ? .success(.done) : .failure(timeout))]
    case (.checking, .refused(_, _, .own(.mediaStatus))), (.checking, .expired(.mediaStatus)):
      return [.finish(.failure(timeout))]
    default:
      return []
    }
  }

  /// - Returns: Whether nothing comes of that end: the reply, or the answer to a later question, may still come.
  private mutating func endsEarlyQuestion(_ event: OperationEvent, at now: Duration) -> Bool {
    switch event {
    case .expired(.mediaStatus), .refused(_, _, .own(.mediaStatus)):
      isAskedEarly = false
      return true
    case .mediaStatus(let status, target.transportID, .own(.mediaStatus)):
      isAskedEarly = false
      guard case .checking = phase else { return false }
      return !isCarriedOut(in: status, at: now)
    default: return false
    }
  }

  /// A status near the place may be one from before the seek, which was held up: the answer to a question that is sent
  /// after the seek cannot be.
  private mutating func askEarly() -> [OperationEffect] {
    guard case .sent = phase, case .seek = request.command, !hasAsked else { return [] }
    (hasAsked, isAskedEarly) = (true, true)
    return [.request(.media(.getStatus, to: target.transportID), within: replyTimeout)]
  }

  /// Whether the answer to a question sent after the command shows its effect. What was sought has played on since then.
  private func isCarriedOut(in status: MediaStatus?, at now: Duration) -> Bool {
    guard case .seek(let sought) = request.command else { return isShown(by: status) }
    guard let status, status.mediaSessionID == request.session, let time = status.currentTime,
      sought.relativeTime == nil
    else { return false }
    let plays = status.playerState == .playing || status.playerState == .buffering
    let played = plays ? max(0, (now - sentAt).seconds) * max(0, status.playbackRate ?? 1) : 0
    let tolerance = MediaRequest.seekTolerance
    guard time >= sought.currentTime - tolerance, time <= sought.currentTime + played + tolerance else { return false }
    // An app that ignored the command has played on, too.
    guard let position else { return true }
    return abs(time - sought.currentTime - played) <= abs(time - position - played)
  }

  private func isShown(by status: MediaStatus?) -> Bool {
    if case .skipAd = request.command, let clip, let status, status.mediaSessionID == request.session {
      return status.breakStatus?.breakClipID != clip
    }
    return request.isShown(by: status)
  }

  /// Whether what plays now is what the command is meant for: another sender's media is none of its business.
  private func isMeant(_ status: MediaStatus) -> Bool {
    contents.isEmpty ? status.contentNames.isEmpty : !contents.isDisjoint(with: status.contentNames)
  }

  private mutating func send(at now: Duration) -> [OperationEffect] {
    sentAt = now
    return [.request(.media(request, to: target.transportID), within: replyTimeout)]
  }
}

extension MediaRequest {
  /// Whether a status can show what this command asked for.
  var hasVisibleEffect: Bool {
    switch command {
    case .play, .pause, .stop, .setPlaybackRate(.absolute), .editTracks(_?, nil), .setVolume, .skipAd: true
    case .seek(let target): target.relativeTime == nil
    default: false
    }
  }

  /// How far from the place that was asked for a seek may end, in seconds of the content.
  fileprivate static let seekTolerance = 2.0

  /// Whether what this command asks for can be told from `status`, the state before it.
  /// - Parameter position: Where playback stands in that state.
  fileprivate func hasNewEffect(beside status: MediaStatus, at position: Double?) -> Bool {
    switch command {
    // A late status may still report any position between the last reported one and the current one, or slightly
    // beyond.
    case .seek(let target): isOutside(target.currentTime, of: [status.currentTime, position].compactMap { $0 })
    case .skipAd: true
    default: !isShown(by: status)
    }
  }

  /// Whether no status from between `places` can be taken for one of `place`.
  private func isOutside(_ place: Double, of places: [Double]) -> Bool {
    guard let first = places.min(), let last = places.max() else { return true }
    return place < first - 2 * Self.seekTolerance || place > last + 2 * Self.seekTolerance
  }

  /// Whether a status that answers nobody shows what this command asked for; where that cannot be told, it does not.
  func isShown(by status: MediaStatus?) -> Bool {
    guard let status, status.mediaSessionID == session else {
      // No session any more: that is what STOP wanted.
      if case .stop = command { return status == nil }
      return false
    }
    switch command {
    case .play: return status.playerState == .playing || status.playerState == .buffering
    case .pause: return status.playerState == .paused
    case .stop: return status.playerState == .idle && status.loadingItemID == nil
    case .seek(let target):
      guard let time = status.currentTime, target.relativeTime == nil else { return false }
      return abs(time - target.currentTime) <= Self.seekTolerance
    case .setPlaybackRate(.absolute(let rate)): return abs((status.playbackRate ?? 0) - rate) < 0.01
    case .editTracks(let tracks?, nil): return status.activeTrackIDs == tracks
    case .setVolume(let level, let muted):
      let isLevel = level.map { abs((status.volume.level ?? -1) - $0) < 0.01 } ?? true
      return isLevel && (muted == nil || status.volume.muted == muted)
    case .skipAd: return status.breakStatus == nil
    default: return false
    }
  }
}
