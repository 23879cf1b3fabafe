extension MediaRequest {
  /// Reads a request, leniently; `nil` for a type that is none, and where what it cannot do without is missing.
  package init?(_ json: JSONValue) {
    guard let command = MediaCommand(json) else { return nil }
    self.init(command, session: command.needsSession ? json["mediaSessionId"]?.lenientInteger ?? 0 : nil)
  }
}

extension MediaCommand {
  fileprivate init?(_ json: JSONValue) {
    guard case .object(let object) = json, let type = object["type"]?.string else { return nil }
    if let command = Self.plain(type) ?? Self(queueRequest: json) {
      self = command
      return
    }
    switch type {
    case "GET_STATUS":
      let options = StatusOptions(rawValue: object["options"]?.lenientInteger ?? 0)
      self = options.isEmpty ? .getStatus : .getPartialStatus(options)
    case "LOAD":
      guard let load = LoadRequest(json) else { return nil }
      self = .load(load)
    case "SEEK":
      guard let target = SeekTarget(object) else { return nil }
      self = .seek(target)
    case "SET_PLAYBACK_RATE":
      if let rate = object["playbackRate"]?.lenientNumber {
        self = .setPlaybackRate(.absolute(rate))
      } else if let factor = object["relativePlaybackRate"]?.lenientNumber {
        self = .setPlaybackRate(.relative(factor))
      } else {
        return nil
      }
    case "EDIT_TRACKS_INFO": self = Self.trackEdit(object)
    case "EDIT_AUDIO_TRACKS":
      self = .selectAudio(
        language: object["language"]?.lenientText,
        isSuggested: object["isSuggestedLanguage"]?.lenientFlag)
    case "SET_VOLUME":
      guard let volume = object["volume"]?.object else { return nil }
      self = .setVolume(
        level: volume["level"]?.lenientNumber, muted: volume["muted"]?.lenientFlag)
    case "RESUME_SESSION":
      guard let state = object["sessionState"]?.object else { return nil }
      self = .resumeSession(SessionState(state))
    case "PRECACHE": self = .precache(data: object["precacheData"]?.lenientText)
    default: return nil
    }
  }

  /// The requests without fields of their own.
  private static func plain(_ type: String) -> MediaCommand? {
    switch type {
    case "PLAY": .play
    case "PAUSE": .pause
    case "STOP": .stop
    case "SKIP_AD": .skipAd
    case "QUEUE_NEXT": .queueNext
    case "QUEUE_PREV": .queuePrevious
    case "QUEUE_SHUFFLE": .queueShuffle
    case "QUEUE_GET_ITEM_IDS": .queueGetItemIDs
    case "STORE_SESSION": .storeSession
    case "PLAY_AGAIN": .playAgain
    default: nil
    }
  }

  private init?(queueRequest json: JSONValue) {
    let itemIDs = json["itemIds"]?.itemIDs
    switch json["type"]?.string {
    case "QUEUE_LOAD":
      guard let queue = QueueLoadRequest(json) else { return nil }
      self = .queueLoad(queue)
    case "QUEUE_INSERT":
      guard let insertion = QueueInsertRequest(json) else { return nil }
      self = .queueInsert(insertion)
    case "QUEUE_UPDATE":
      guard let update = QueueUpdateRequest(json) else { return nil }
      self = .queueUpdate(update)
    case "QUEUE_REMOVE":
      guard let itemIDs else { return nil }
      self = .queueRemove(itemIDs: itemIDs, goingTo: QueueTarget(json))
    case "QUEUE_REORDER":
      guard let itemIDs else { return nil }
      self = .queueReorder(
        itemIDs: itemIDs, insertBefore: json["insertBefore"]?.lenientInteger,
        goingTo: QueueTarget(json))
    case "QUEUE_GET_ITEMS":
      guard let itemIDs else { return nil }
      self = .queueGetItems(itemIDs: itemIDs)
    case "QUEUE_GET_ITEM_RANGE":
      guard let itemID = json["itemId"]?.lenientInteger else { return nil }
      self = .queueGetItemRange(
        itemID: itemID, next: json["nextCount"]?.lenientInteger ?? 0,
        previous: json["prevCount"]?.lenientInteger ?? 0)
    default: return nil
    }
  }

  /// EDIT_TRACKS_INFO: a language counts before ids, those before `enableTextTracks` (docs/protocol.md 4.2).
  private static func trackEdit(_ object: JSONObject) -> MediaCommand {
    let style = object["textTrackStyle"].flatMap { TextTrackStyle($0) }
    let ids = object["activeTrackIds"]?.lenientList(\.lenientInteger)
    if let language = object["language"]?.lenientText {
      let isSuggested = object["isSuggestedLanguage"]?.lenientFlag
      return .selectText(.language(language, isSuggested: isSuggested))
    }
    if ids == nil, style == nil, let isEnabled = object["enableTextTracks"]?.lenientFlag {
      return .selectText(.enabled(isEnabled))
    }
    return .editTracks(activeTrackIDs: ids, textTrackStyle: style)
  }
}

extension MediaCommand.SeekTarget {
  /// `nil` without a time.
  fileprivate init?(_ object: JSONObject) {
    if let relativeTime = object["relativeTime"]?.lenientSeconds {
      self.init(relativeTime: relativeTime)
    } else if let currentTime = object["currentTime"]?.lenientSeconds {
      self.init(currentTime: currentTime)
    } else {
      return nil
    }
    switch object["resumeState"]?.string {
    case "PLAYBACK_START": resume = true
    case "PLAYBACK_PAUSE": resume = false
    default: resume = nil
    }
  }
}
