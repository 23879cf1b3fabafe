extension MediaRequest {
  /// The payload, members in the order of docs/protocol.md 4.2. `customData` is for requests that have none among their
  /// fields.
  package func json(requestID: Int, customData: JSONValue? = nil) -> JSONValue {
    var object = JSONObject()
    object.append("type", command.type)
    object.append("requestId", requestID)
    object.append("mediaSessionId", session)
    object.append("customData", customData)
    command.appendFields(to: &object)
    return .object(object)
  }
}

extension MediaCommand {
  /// `type` on the wire.
  package var type: String {
    switch self {
    case .getStatus, .getPartialStatus: "GET_STATUS"
    case .load: "LOAD"
    case .play: "PLAY"
    case .pause: "PAUSE"
    case .stop: "STOP"
    case .seek: "SEEK"
    case .setPlaybackRate: "SET_PLAYBACK_RATE"
    case .editTracks, .selectText: "EDIT_TRACKS_INFO"
    case .selectAudio: "EDIT_AUDIO_TRACKS"
    case .setVolume: "SET_VOLUME"
    case .skipAd: "SKIP_AD"
    case .queueLoad: "QUEUE_LOAD"
    case .queueInsert: "QUEUE_INSERT"
    case .queueUpdate: "QUEUE_UPDATE"
    case .queueRemove: "QUEUE_REMOVE"
    case .queueReorder: "QUEUE_REORDER"
    case .queueNext: "QUEUE_NEXT"
    case .queuePrevious: "QUEUE_PREV"
    case .queueShuffle: "QUEUE_SHUFFLE"
    case .queueGetItemIDs: "QUEUE_GET_ITEM_IDS"
    case .queueGetItems: "QUEUE_GET_ITEMS"
    case .queueGetItemRange: "QUEUE_GET_ITEM_RANGE"
    case .storeSession: "STORE_SESSION"
    case .resumeSession: "RESUME_SESSION"
    case .precache: "PRECACHE"
    case .playAgain: "PLAY_AGAIN"
    }
  }

  /// Whether it is about a media session.
  package var needsSession: Bool {
    switch self {
    case .getStatus, .getPartialStatus, .load, .queueLoad, .resumeSession, .precache, .playAgain: false
    default: true
    }
  }

  fileprivate func appendFields(to object: inout JSONObject) {
    switch self {
    case .getStatus, .play, .pause, .stop, .skipAd, .queueNext, .queuePrevious, .queueShuffle, .queueGetItemIDs,
      .storeSession, .playAgain:
      break
    case .getPartialStatus(let options): object.append("options", options.rawValue)
    case .load(let load): load.append(to: &object)
    case .seek(let target):
      if let relativeTime = target.relativeTime {
        object.append("relativeTime", relativeTime)
      } else {
        object.append("currentTime", target.currentTime)
      }
      object.append("resumeState", target.resume.map { $0 ? "PLAYBACK_START" : "PLAYBACK_PAUSE" })
    case .setPlaybackRate(.absolute(let rate)): object.append("playbackRate", rate)
    case .setPlaybackRate(.relative(let factor)): object.append("relativePlaybackRate", factor)
    case .editTracks(let activeTrackIDs, let style):
      object.append("activeTrackIds", activeTrackIDs.map { .array($0.map { .int($0) }) })
      object.append("textTrackStyle", style?.json)
    case .selectText(.enabled(let isEnabled)): object.append("enableTextTracks", isEnabled)
    case .selectText(.language(let language, let isSuggested)), .selectAudio(let language?, let isSuggested):
      object.append("language", language)
      object.append("isSuggestedLanguage", isSuggested)
    case .selectAudio(nil, let isSuggested): object.append("isSuggestedLanguage", isSuggested)
    case .setVolume(let level, let muted):
      object.append("volume", JSONObject(level: level, muted: muted))
    case .queueLoad(let queue): queue.append(to: &object)
    case .queueInsert(let insertion): insertion.append(to: &object)
    case .queueUpdate(let update): update.append(to: &object)
    case .queueRemove(let itemIDs, let target):
      target?.append(to: &object)
      object.append("itemIds", .array(itemIDs.map { .int($0) }))
    case .queueReorder(let itemIDs, let insertBefore, let target):
      object.append("insertBefore", insertBefore)
      target?.append(to: &object)
      object.append("itemIds", .array(itemIDs.map { .int($0) }))
    case .queueGetItems(let itemIDs): object.append("itemIds", .array(itemIDs.map { .int($0) }))
    case .queueGetItemRange(let itemID, let next, let previous):
      object.append("itemId", itemID)
      object.append("nextCount", next)
      object.append("prevCount", previous)
    case .resumeSession(let state): object.append("sessionState", state.json)
    case .precache(let data): object.append("precacheData", data)
    }
  }
}

extension MediaCommand.QueueTarget {
  fileprivate func append(to object: inout JSONObject) {
    object.append("currentItemId", itemID)
    object.append("currentTime", currentTime)
  }

  init?(_ json: JSONValue) {
    guard let id = json["currentItemId"]?.lenientInteger else { return nil }
    self.init(itemID: id, currentTime: json["currentTime"]?.lenientSeconds)
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
