import CastProtocol

/// LOAD, as far as LOADING, BUFFERING and PLAYING at once. Source: cast-protocol.md 6.2, variant B, and 6.3.
extension MediaSessionStateMachine {
  mutating func load(_ request: JSONObject, _ requestID: Int, at now: Duration) throws(Refusal) {
    guard let media = LoadedMedia(request["media"]) else { throw .invalidParameters }
    let activeTrackIDs = try Self.trackIDs(request["activeTrackIds"], of: media)
    guard
      let rate = Self.isAbsent(request["playbackRate"])
        ? .normal : request["playbackRate"]?.number.flatMap(PlaybackRate.init),
      let start = Self.isAbsent(request["currentTime"]) ? .zero : Duration(json: request["currentTime"]),
      let autoplay = Self.isAbsent(request["autoplay"]) ? true : request["autoplay"]?.bool
    else { throw .invalidParameters }

    let id = lastSessionID + 1
    lastSessionID = id
    if let old = session { broadcastEnd(of: old, .interrupted, successor: (media, id), at: now) }
    let position = max(.zero, min(start, media.duration ?? start))
    session = MediaSession(
      id: id, media: media, autoplay: autoplay,
      timeline: PlaybackTimeline(position: position, rate: rate, isRunning: false, at: now),
      activeTrackIDs: activeTrackIDs ?? [])
    broadcastLoading(activeTracks: activeTrackIDs != nil, at: now)

    guard media.category != nil else {
      reply([
        "requestId": .int(requestID), "type": "LOAD_FAILED", "detailedErrorCode": 104, "itemId": 1,
      ])
      finish(.failed, at: now)
      return
    }
    if autoplay && startBreak(at: position, at: now) { return }
    broadcastBuffering(at: now)
    session?.timeline.setRunning(autoplay, at: now)
    broadcastStatus(at: now)
  }

  /// The active tracks a request asks for; `nil` when it does not say.
  static func trackIDs(_ value: JSONValue?, of media: LoadedMedia) throws(Refusal) -> [Int]? {
    guard let value, !value.isNull else { return nil }
    guard let values = value.array, values.count <= ReceiverLimits.tracks else { throw .invalidParameters }
    var ids: [Int] = []
    for value in values {
      guard let id = value.int else { throw .invalidParameters }
      if !ids.contains(id) { ids.append(id) }
    }
    guard media.canActivate(ids) else { throw .invalidParameters }
    return ids
  }

  /// Senders write null for what they leave out.
  static func isAbsent(_ value: JSONValue?) -> Bool { value?.isNull ?? true }
}
