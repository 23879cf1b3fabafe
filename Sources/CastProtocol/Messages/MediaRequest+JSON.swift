extension MediaRequest {
  /// `type` on the wire.
  package var type: String {
    switch self {
    case .getStatus: "GET_STATUS"
    case .load: "LOAD"
    case .play: "PLAY"
    case .pause: "PAUSE"
    case .stop: "STOP"
    case .seek: "SEEK"
    case .setPlaybackRate: "SET_PLAYBACK_RATE"
    case .editTracks: "EDIT_TRACKS_INFO"
    case .setVolume: "SET_VOLUME"
    case .skipAd: "SKIP_AD"
    case .queueLoad: "QUEUE_LOAD"
    case .queueInsert: "QUEUE_INSERT"
    case .queueUpdate: "QUEUE_UPDATE"
    case .queueRemove: "QUEUE_REMOVE"
    case .queueReorder: "QUEUE_REORDER"
    }
  }

  /// The media session the request is about; `nil` for those that need none.
  package var mediaSessionID: Int? {
    switch self {
    case .getStatus, .load, .queueLoad: nil
    case .play(let id), .pause(let id), .stop(let id), .skipAd(let id): id
    case .seek(let id, _), .setPlaybackRate(let id, _), .editTracks(let id, _, _), .setVolume(let id, _, _): id
    case .queueInsert(let id, _), .queueUpdate(let id, _), .queueRemove(let id, _), .queueReorder(let id, _, _): id
    }
  }

  /// The payload, members in the order of language.md 2.6.
  package func json(requestID: Int) -> JSONValue {
    var object = JSONObject()
    object.append("type", type)
    object.append("requestId", requestID)
    object.append("mediaSessionId", mediaSessionID)
    switch self {
    case .getStatus, .play, .pause, .stop, .skipAd: break
    case .load(let load): load.append(to: &object)
    case .seek(_, let target):
      object.append("currentTime", target.currentTime)
      object.append("resumeState", target.resume.map { $0 ? "PLAYBACK_START" : "PLAYBACK_PAUSE" })
    case .setPlaybackRate(_, .absolute(let rate)): object.append("playbackRate", rate)
    case .setPlaybackRate(_, .relative(let factor)): object.append("relativePlaybackRate", factor)
    case .editTracks(_, let activeTrackIDs, let style):
      object.append("activeTrackIds", activeTrackIDs.map { .array($0.map { .int($0) }) })
      object.append("textTrackStyle", style?.json)
    case .setVolume(_, let level, let muted):
      object.append("volume", JSONObject(level: level, muted: muted))
    case .queueLoad(let queue): queue.append(to: &object)
    case .queueInsert(_, let insertion): insertion.append(to: &object)
    case .queueUpdate(_, let update): update.append(to: &object)
    case .queueRemove(_, let itemIDs): object.append("itemIds", .array(itemIDs.map { .int($0) }))
    case .queueReorder(_, let itemIDs, let insertBefore):
      object.append("insertBefore", insertBefore)
      object.append("itemIds", .array(itemIDs.map { .int($0) }))
    }
    return .object(object)
  }
}

extension LoadRequest {
  fileprivate func append(to object: inout JSONObject) {
    object.append("autoplay", autoplay)
    object.append("currentTime", currentTime)
    object.append("playbackRate", playbackRate)
    object.append("activeTrackIds", activeTrackIDs.map { .array($0.map { .int($0) }) })
    object.append("credentials", credentials)
    object.append("customData", customData)
    object.append("media", media.json)
  }
}

extension JSONObject {
  /// The `volume` of SET_VOLUME, on either namespace.
  init(level: Double?, muted: Bool?) {
    self.init()
    append("level", level)
    append("muted", muted)
  }
}
