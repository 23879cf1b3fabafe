import CastProtocol

/// What statuses say. Source: docs/protocol.md 5.1; the order of members is that of the recordings.
extension MediaSessionStateMachine {
  enum PlayerState: String {
    case idle = "IDLE"
    case playing = "PLAYING"
    case paused = "PAUSED"
    case buffering = "BUFFERING"
  }

  enum IdleReason: String {
    case cancelled = "CANCELLED"
    case interrupted = "INTERRUPTED"
    case finished = "FINISHED"
    case failed = "ERROR"
  }

  /// The optional parts of a status.
  struct Parts {
    var media = false
    var items = Items.none

    static let all = Parts(media: true, items: .whole)
  }

  /// What a status says of the queue.
  enum Items {
    case none
    /// Ids and how they play, as after a change of the order.
    case bare
    case whole
  }

  /// Bits of `supportedMediaCommands` (docs/protocol.md 5.2).
  private enum Commands {
    static let basic = 12303
    static let seek = 2
    static let queueNext = 64
    static let queuePrevious = 128
    /// What makes sense for more than one item: shuffling and both ways of repeating.
    static let queue = 256 + 1024 + 2048
    static let skipAd = 512
    static let playbackRate = 8192
    static let streamTransfer = 262_144
  }

  /// The answer to GET_STATUS: the whole picture, less what `options` masks.
  func statusReply(_ requestID: Int, options: Int, at now: Duration) -> JSONValue {
    guard let session else { return Self.message(status: [], answering: requestID) }
    if session.load != nil {
      return Self.message(status: [loadingStatus(of: session, activeTracks: true, at: now)], answering: requestID)
    }
    let parts = Parts(media: options & 1 == 0, items: options & 2 == 0 ? .whole : .none)
    return Self.message(status: [status(of: session, parts, at: now)], answering: requestID)
  }

  /// The status for everyone when a sender joins; `nil`: there is none.
  func announcement(at now: Duration) -> JSONValue? {
    switch behavior.joining {
    case .silent: nil
    case .emptyStatus: session == nil ? statusReply(0, options: 0, at: now) : nil
    case .status: statusReply(0, options: 0, at: now)
    }
  }

  /// The next bit of news about the session; the first of a playback brings `media` and `items`.
  mutating func broadcastStatus(_ parts: Parts = Parts(), at now: Duration) {
    guard let session else { return }
    self.session?.owesMedia = false
    let parts = session.owesMedia ? .all : parts
    keepsReplyID = false
    broadcast(status(of: session, parts, at: now))
  }

  /// Says that the player waits for data; it never does, but devices say so at every start.
  mutating func broadcastBuffering(at now: Duration) {
    guard let session else { return }
    // An item that follows another is told at once, or it would look like the one before; content behind an ad, too.
    let isNews = session.owesMedia && (session.followsItem || session.adBreak != nil)
    broadcast(status(of: session, Parts(media: isNews), state: .buffering, at: now))
  }

  /// Says that content is being loaded: IDLE without a reason, and LOADING beside it (docs/protocol.md 5.1).
  mutating func broadcastLoading(activeTracks: Bool, at now: Duration) {
    guard let session else { return }
    broadcast(loadingStatus(of: session, activeTracks: activeTracks, at: now))
  }

  private func loadingStatus(of session: MediaSession, activeTracks: Bool, at now: Duration) -> JSONValue {
    var json = members(of: session, state: .idle, at: now)
    if activeTracks { json["activeTrackIds"] = Self.json(session.activeTrackIDs) }
    json["media"] = .object(session.media.json(.loading))
    json["currentItemId"] = .int(session.itemID)
    json["extendedStatus"] = Self.loading(session.media, id: session.id)
    json["repeatMode"] = .string(session.queue.repeatMode.rawValue)
    return .object(json)
  }

  /// Says that the item on gives way to the present one of `queue`, and why: this is not the end of the session
  /// (docs/protocol.md 6.4). Where a sender asked for it, that comes with the media that goes and the queue.
  mutating func broadcastStep(to queue: PlayQueue, _ reason: IdleReason, at now: Duration) {
    guard var session else { return }
    session.timeline.setRunning(false, at: now)
    session.adBreak = nil
    var json = members(of: session, state: .idle, at: now)
    if reason == .interrupted { json["media"] = .object(session.media.json(.shown)) }
    json["currentItemId"] = .int(session.itemID)
    json["loadingItemId"] = .int(queue.current.id)
    json["extendedStatus"] = Self.loading(queue.current.media, id: session.id)
    if reason == .interrupted, session.media.isShort, let items = items(of: queue) { json["items"] = items }
    json["repeatMode"] = .string(session.queue.repeatMode.rawValue)
    json["idleReason"] = .string(reason.rawValue)
    broadcast(.object(json))
  }

  /// `items` of a status; `nil` where they are too long.
  private func items(of queue: PlayQueue) -> JSONValue? {
    let items = queue.window(
      bytes: ReceiverLimits.itemsPerStatusLength, neighboursOnly: behavior.showsNeighboursOnly)
    return items.isEmpty ? nil : .array(items)
  }

  /// Says that the session is over, and why; `successor` is what replaces it.
  mutating func broadcastEnd(
    of session: MediaSession, _ reason: IdleReason, successor: (media: LoadedMedia, id: Int)? = nil, at now: Duration
  ) {
    var json = members(of: session, state: .idle, at: now)
    // As in the recorded answer to a STOP.
    if reason == .cancelled, behavior.stopsRate { json["playbackRate"] = 0 }
    json["currentItemId"] = .int(session.itemID)
    if let successor { json["extendedStatus"] = Self.loading(successor.media, id: successor.id) }
    json["idleReason"] = .string(reason.rawValue)
    if session.hadBreak, behavior.clearsBreakStatus { json["breakStatus"] = [:] }
    broadcast(.object(json), spontaneous: successor != nil)
  }

  private static func loading(_ media: LoadedMedia, id: Int) -> JSONValue {
    var json: JSONObject = ["playerState": "LOADING"]
    if media.isShort { json["media"] = .object(media.json(.loading)) }
    json["mediaSessionId"] = .int(id)
    return .object(json)
  }

  private func status(
    of session: MediaSession, _ parts: Parts, state: PlayerState? = nil, at now: Duration
  ) -> JSONValue {
    let state = state ?? session.playerState
    var json = members(of: session, state: state, at: now)
    if state != .buffering { json["activeTrackIds"] = Self.json(session.activeTrackIDs) }
    if parts.media { json["media"] = .object(session.media.json(.shown)) }
    json["currentItemId"] = .int(session.itemID)
    if session.hasAnnouncedPreload, let preload = session.preload { json["preloadedItemId"] = .int(preload.itemID) }
    switch parts.items {
    case .none: break
    case .bare: json["items"] = .array(session.queue.bareWindow(neighboursOnly: behavior.showsNeighboursOnly))
    case .whole:
      if session.media.isShort, let items = items(of: session.queue) { json["items"] = items }
      json["queueData"] = session.queue.dataJSON
    }
    json["repeatMode"] = .string(session.queue.repeatMode.rawValue)
    if let live = session.live { json["liveSeekableRange"] = live.json(at: now) }
    if state != .buffering, session.media.category == .video, let size = session.videoSize ?? behavior.videoSize {
      json["videoInfo"] = ["width": .int(size.width), "height": .int(size.height), "hdrType": "sdr"]
    }
    if let adBreak = session.adBreak {
      json["breakStatus"] = Self.breakStatus(adBreak, at: now)
    } else if session.hadBreak, behavior.clearsBreakStatus {
      json["breakStatus"] = [:]
    }
    return .object(json)
  }

  /// What every status has.
  private func members(of session: MediaSession, state: PlayerState, at now: Duration) -> JSONObject {
    [
      "mediaSessionId": .int(session.id),
      "playbackRate": session.adBreak == nil ? JSONValue(session.timeline.rate.factor) : 0,
      "playerState": .string(state.rawValue),
      // Recorded devices and the SDK say 0 in every IDLE status.
      "currentTime": state == .idle ? 0 : session.position(at: now).json,
      "supportedMediaCommands": .int(commands(of: session, at: now)),
      "volume": ["level": JSONValue(streamLevel), "muted": .bool(isStreamMuted)],
    ]
  }

  private func commands(of session: MediaSession, at now: Duration) -> Int {
    var commands = behavior.commands ?? Self.commands(of: session, canTransfer: behavior.supportsStreamTransfer)
    if let adBreak = session.adBreak {
      commands &= ~Commands.seek
      if adBreak.canSkip(at: now) { commands |= Commands.skipAd }
    }
    return commands
  }

  /// What the content and its queue allow.
  private static func commands(of session: MediaSession, canTransfer: Bool) -> Int {
    var commands = Commands.basic
    if canTransfer { commands |= Commands.streamTransfer }
    if session.media.category == .image { commands &= ~(Commands.seek | Commands.playbackRate) }
    let queue = session.queue
    if queue.items.count > 1 {
      commands |= Commands.queue
      if queue.index(jumping: 1) != nil { commands |= Commands.queueNext }
      if queue.index > 0 || queue.index(jumping: -1) != 0 { commands |= Commands.queuePrevious }
    }
    return commands
  }

  private static func breakStatus(_ adBreak: BreakPlayback, at now: Duration) -> JSONValue {
    let clipTime = adBreak.clipClock.position(at: now)
    var json: JSONObject = [
      "breakId": .string(adBreak.breakID), "breakClipId": .string(adBreak.clip?.id ?? ""),
      "currentBreakTime": (adBreak.clipStart + clipTime).json, "currentBreakClipTime": clipTime.json,
    ]
    if let whenSkippable = adBreak.clip?.whenSkippable { json["whenSkippable"] = whenSkippable.json }
    return .object(json)
  }

  static func json(_ ids: [Int]) -> JSONValue { .array(ids.map { .int($0) }) }
}

extension MediaSession {
  /// Whether the player outside waits for data.
  private var isBuffering: Bool { (adBreak == nil ? playback : adBreak?.playback)?.isBuffering == true }

  /// Whether it plays, or will as soon as there is data.
  var wantsToPlay: Bool { isRunning || isBuffering }

  /// What a status says while nothing is being loaded.
  var playerState: MediaSessionStateMachine.PlayerState {
    switch hindrance {
    case .stall: .buffering
    case .freeze: .playing
    case nil where isBuffering: .buffering
    case nil: isRunning ? .playing : .paused
    }
  }
}
