extension MediaStatus {
  /// Takes over what one element of a MEDIA_STATUS says; what it leaves out stays or is cleared as docs/protocol.md 4.4
  /// lists. `null` counts as left out, and so does a value of a type nobody can read.
  ///
  /// Call it only for the same media session.
  mutating func merge(_ element: JSONObject) {
    idleReason = nil
    extendedPlayerState = nil
    extendedMedia = nil
    extendedMediaSessionID = nil
    breakStatus = nil
    loadingItemID = nil
    preloadedItemID = nil
    for index in element.members.indices {
      let value = element.members[index].value
      if value.isNull { continue }
      switch element.members[index].wireName {
      case .mediaSessionID: mediaSessionID = value.lenientInteger ?? mediaSessionID
      case .playerState: playerState = value.string.map { PlayerState($0) } ?? playerState
      case .idleReason: idleReason = value.string.map { IdleReason($0) }
      case .currentTime: currentTime = value.lenientSeconds.map { max(0, $0) } ?? currentTime
      case .playbackRate: playbackRate = value.lenientNumber ?? playbackRate
      case .supportedMediaCommands: supportedMediaCommands = value.lenientInteger ?? supportedMediaCommands
      case .volume:
        // Some apps send an empty one.
        let said = ReceiverStatus.Volume(value)
        volume.level = said.level ?? volume.level
        volume.muted = said.muted ?? volume.muted
        volume.controlType = said.controlType ?? volume.controlType
        volume.stepInterval = said.stepInterval ?? volume.stepInterval
      case .media: media = MediaInformation(value) ?? media
      case .activeTrackIDs: activeTrackIDs = value.lenientList(\.lenientInteger) ?? activeTrackIDs
      case .currentItemID: currentItemID = value.lenientInteger ?? currentItemID
      case .loadingItemID: loadingItemID = value.lenientInteger
      case .preloadedItemID: preloadedItemID = value.lenientInteger
      case .repeatMode: repeatMode = value.string ?? repeatMode
      case .items: items = value.lenientElements ?? items
      case .queueData: queueData = QueueData(value) ?? queueData
      case .shuffle: shuffle = value.lenientFlag ?? shuffle
      // After a break the receiver SDK says `{}`.
      case .breakStatus: breakStatus = value == [:] ? nil : BreakStatus(value)
      case .extendedStatus: merge(extended: value)
      case .videoInfo: videoInfo = VideoInfo(value) ?? videoInfo
      case .liveSeekableRange: liveSeekableRange = LiveSeekableRange(value) ?? liveSeekableRange
      case .customData: customData = value
      default: break
      }
    }
    // `extendedStatus` may be about the media session that comes next; that one's media is not ours.
    let isOurs = extendedMediaSessionID.map { $0 == mediaSessionID } ?? true
    if media == nil, isOurs { media = extendedMedia }
  }

  private mutating func merge(extended json: JSONValue) {
    extendedPlayerState = json[.playerState]?.string
    extendedMedia = json[.media].flatMap { MediaInformation($0) }
    extendedMediaSessionID = json[.mediaSessionID]?.lenientInteger
  }
}

extension MediaStatus.PlayerState {
  /// Reads the wire's word; one we do not know is kept.
  package init(_ text: String) {
    switch text {
    case "IDLE": self = .idle
    case "PLAYING": self = .playing
    case "PAUSED": self = .paused
    case "BUFFERING": self = .buffering
    default: self = .unknown(text)
    }
  }
}

extension MediaStatus.IdleReason {
  /// Reads the wire's word; one we do not know is kept.
  package init(_ text: String) {
    switch text {
    case "CANCELLED": self = .cancelled
    case "INTERRUPTED": self = .interrupted
    case "FINISHED": self = .finished
    case "ERROR": self = .error
    default: self = .unknown(text)
    }
  }
}

extension MediaStatus.BreakStatus {
  /// Reads a break status, leniently; `nil` when it is no object. A negative `whenSkippable` means never.
  init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    breakID = object[.breakID]?.lenientText
    breakClipID = object[.breakClipID]?.lenientText
    currentBreakTime = object[.currentBreakTime]?.lenientSeconds
    currentBreakClipTime = object[.currentBreakClipTime]?.lenientSeconds
    whenSkippable = object[.whenSkippable]?.lenientSeconds.flatMap { $0 >= 0 ? $0 : nil }
    seekBreak = object[.seekBreak].flatMap { MediaInformation.Break($0) }
  }
}

extension MediaStatus.VideoInfo {
  /// Reads the picture's size and kind, leniently; `nil` when it is no object.
  init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    width = object[.width]?.lenientInteger
    height = object[.height]?.lenientInteger
    hdrType = object[.hdrType]?.lenientText
  }
}

extension MediaStatus.LiveSeekableRange {
  /// Reads a range, leniently; `nil` when it is no object.
  init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    start = object[.start]?.lenientSeconds
    end = object[.end]?.lenientSeconds
    isMovingWindow = object[.isMovingWindow]?.lenientFlag
    isLiveDone = object[.isLiveDone]?.lenientFlag
  }
}
