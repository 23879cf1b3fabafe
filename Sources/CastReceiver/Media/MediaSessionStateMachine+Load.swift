import CastProtocol

/// LOAD, from LOADING to BUFFERING and PLAYING. Source: docs/protocol.md 6.2 and 6.3.
extension MediaSessionStateMachine {
  mutating func load(_ request: JSONObject, _ requestID: Int, at now: Duration) throws(Refusal) {
    let rate = request["playbackRate"]?.amount.flatMap(PlaybackRate.init)
    guard rate != nil || Self.isAbsent(request["playbackRate"]),
      Self.isAbsent(request["autoplay"]) || request["autoplay"]?.flag != nil
    else { throw .invalidParameters }
    var start = try Self.time(request["currentTime"])
    let autoplay = request["autoplay"]?.flag
    let data = request["queueData"]?.object
    var queue: PlayQueue
    if let items = data?["items"]?.array, !items.isEmpty {
      queue = try makeQueue(data?["items"], startIndex: data?["startIndex"])
      if start == nil { start = try Self.time(data?["startTime"]) }
    } else {
      guard let media = LoadedMedia(request["media"]) else { throw .invalidParameters }
      // The ids of items begin anew with each LOAD.
      let item = try PlayQueueItem(request, id: 1, media: media)
      guard let single = PlayQueue([item]) else { throw .invalidParameters }
      queue = single
    }
    let activeTrackIDs = try Self.trackIDs(request["activeTrackIds"], of: queue.current.media)
    // Old default media receivers took it beside the media.
    let legacyMode = try Self.repeatMode(request["repeatMode"])
    queue.repeatMode = try Self.repeatMode(data?["repeatMode"]) ?? legacyMode ?? .off
    if let data { try describe(&queue, data) }
    if queue.data == nil { lastItemID = 0 }
    if let rate { preferredRate = rate }

    begin(
      queue,
      Beginning(
        start: start ?? (data == nil ? .zero : nil), rate: rate, autoplay: autoplay,
        activeTrackIDs: activeTrackIDs), loader: requestID, at: now)
  }

  /// How a session begins, where that differs from what its first item says.
  struct Beginning {
    var start: Duration?
    var rate: PlaybackRate?
    var autoplay: Bool?
    var activeTrackIDs: [Int]?
  }

  /// Begins a media session with the present item of `queue`; `loader` is the id of the request that asks for it.
  mutating func begin(_ queue: PlayQueue, _ beginning: Beginning, loader: Int, at now: Duration) {
    let id = lastSessionID + 1
    lastSessionID = id
    lastItemID = max(lastItemID, queue.ids.max() ?? 0)
    cancelLoad()
    fault = nil
    let old = session
    if let old { broadcastEnd(of: old, .interrupted, successor: (queue.current.media, id), at: now) }
    var session = MediaSession(
      id: id, queue: queue.loadingCurrent, start: beginning.start, rate: playerRate,
      liveWindow: behavior.liveWindow, at: now)
    session.givenRate = beginning.rate
    if let ids = beginning.activeTrackIDs { session.activeTrackIDs = ids }
    session.rememberTextTracks()
    self.session = session
    beginLoad(
      autoplay: beginning.autoplay, activeTracks: beginning.activeTrackIDs != nil, isAnnounced: old != nil,
      loader: loader, at: now)
  }

  /// Plays the item that is on, or the first behind it that can be played: what no device plays is passed over, and
  /// the session fails when that is all there is (docs/protocol.md 6.3 and 6.4).
  mutating func playLoadedItem(autoplay: Bool? = nil, loader: Int? = nil, at now: Duration) {
    var attempts = 1
    while let session, !plays(session.media) {
      let code = session.media.faultCode ?? 104
      let fault: JSONObject = ["detailedErrorCode": .int(code), "itemId": .int(session.itemID)]
      guard let next = session.queue.index(jumping: 1), next != session.queue.index,
        attempts < session.queue.items.count, changes.admit(at: now)
      else {
        return failLoad(.media(code: code), loader: loader, at: now)
      }
      attempts += 1
      tellEveryone(.object(["type": "ERROR"] + fault))
      step(to: session.queue.moved(to: next), .failed, at: now)
      if fetches || player != nil { return awaitContent(at: now) }
    }
    learnDuration()
    session?.play(preferring: preferredRate, style: preferredStyle, now: now)
    guard let session else { return }
    playerRate = session.timeline.rate
    let isRunning = autoplay ?? session.queue.current.autoplay
    if isRunning && startBreak(at: session.timeline.anchor, at: now) { return }
    if behavior.buffersAtStart { broadcastBuffering(at: now) }
    self.session?.timeline.setRunning(isRunning, at: now)
    confirmStart(at: now)
    broadcastStatus(at: now)
  }

  /// Has a status follow when playback has just begun.
  mutating func confirmStart(at now: Duration) {
    guard behavior.confirmsStart, let session, session.owesConfirmation, session.isRunning else { return }
    self.session?.owesConfirmation = false
    self.session?.confirmation = now + .seconds(1)
  }

  /// Seconds of a request; `nil` when it does not say, below nothing is nothing.
  static func time(_ value: JSONValue?) throws(Refusal) -> Duration? {
    if isAbsent(value) { return nil }
    guard let time = Duration(json: value) else { throw .invalidParameters }
    return max(.zero, time)
  }

  /// The active tracks a request asks for; `nil` when it does not say.
  static func trackIDs(_ value: JSONValue?, of media: LoadedMedia) throws(Refusal) -> [Int]? {
    guard let value, !value.isNull else { return nil }
    guard let values = value.array, values.count <= ReceiverLimits.tracks else { throw .invalidParameters }
    var ids: [Int] = []
    for value in values {
      guard let id = value.whole else { throw .invalidParameters }
      if !ids.contains(id) { ids.append(id) }
    }
    guard media.canActivate(ids) else { throw .invalidParameters }
    return ids
  }

  /// Senders write null for what they leave out.
  static func isAbsent(_ value: JSONValue?) -> Bool { value?.isNull ?? true }
}

extension JSONObject {
  /// The members of both, those of the second behind.
  static func + (left: JSONObject, right: JSONObject) -> JSONObject { JSONObject(left.members + right.members) }
}
