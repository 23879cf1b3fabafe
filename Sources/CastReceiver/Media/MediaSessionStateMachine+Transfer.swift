import CastProtocol

/// Handing a session on, and playing it once more. Source: docs/protocol.md 3.7 and 4.2.
extension MediaSessionStateMachine {
  /// How long after its end the last session can be played again.
  static let playAgainLimit = Duration.seconds(15 * 60)

  /// STORE_SESSION: what a LOAD must say to go on elsewhere where this session is now.
  mutating func storeSession(_ requestID: Int, at now: Duration) {
    guard let session else { return }
    var load: JSONObject = [
      "type": "LOAD", "requestId": .int(requestID), "autoplay": .bool(session.isRunning),
      "currentTime": session.timeline.position(at: now).json,
      "playbackRate": JSONValue(session.timeline.rate.factor), "activeTrackIds": Self.json(session.activeTrackIDs),
    ]
    let queue = session.queue
    // Content that is nearly as long as a message goes on without its neighbours.
    if session.media.isShort, queue.current.media.isShort, queue.items.count > 1 || queue.data != nil {
      load["queueData"] = queue.transferJSON(bytes: ReceiverLimits.itemsPerStatusLength)
    }
    load["customData"] = [:]
    load["media"] = .object(session.media.json(.shown))
    reply([
      "type": "SESSION_STATE", "requestId": .int(requestID),
      "sessionState": ["loadRequestData": .object(load), "customData": [:]],
    ])
  }

  /// RESUME_SESSION: a LOAD of what was stored.
  mutating func resumeSession(_ request: JSONObject, _ requestID: Int, at now: Duration) throws(Refusal) {
    guard let load = request["sessionState"]?["loadRequestData"]?.object else { throw .invalidParameters }
    try self.load(load, requestID, at: now)
  }

  /// PLAY_AGAIN: the item that is on, or the one that was on last, from its beginning.
  mutating func playAgain(_ requestID: Int, at now: Duration) throws(Refusal) {
    let queue: PlayQueue
    if let session {
      queue = session.queue
    } else if let ended, now - ended.at <= Self.playAgainLimit {
      queue = ended.queue
    } else {
      throw .invalidMediaSessionID
    }
    begin(queue, Beginning(), loader: requestID, at: now)
  }

  /// PRECACHE is a hint; this receiver fetches nothing ahead and says so.
  mutating func precache(_ request: JSONObject, _ requestID: Int) {
    let isGiven = request["precacheData"]?.string != nil
    let reason = isGiven ? Refusal.notSupported : .invalidParameters
    reply(["type": "ERROR", "requestId": .int(requestID), "reason": .string(reason.rawValue)])
  }

  /// EDIT_AUDIO_TRACKS: the track of a language, or the first one.
  mutating func editAudioTracks(_ request: JSONObject, at now: Duration) throws(Refusal) {
    guard var session else { return }
    let tracks = session.media.tracks.filter { $0.type == "AUDIO" }
    var track = tracks.first
    if !Self.isAbsent(request["language"]) {
      guard let language = request["language"]?.string else { throw .invalidParameters }
      track = Self.track(for: language, in: tracks)
      if track == nil { throw .languageNotSupported }
    }
    let audio = Set(tracks.map(\.id))
    session.activeTrackIDs = session.activeTrackIDs.filter { !audio.contains($0) } + [track?.id].compactMap { $0 }
    self.session = session
    broadcastStatus(at: now)
  }
}
