extension MediaStatus {
  /// Takes over what one element of a MEDIA_STATUS says; what it leaves out stays or is cleared as docs/protocol.md 4.4
  /// lists.
  ///
  /// Call it only for the same media session.
  mutating func merge(_ element: Element) {
    playerState = element.playerState ?? playerState
    idleReason = element.rest.idleReason
    currentTime = element.rest.currentTime ?? currentTime
    playbackRate = element.rest.playbackRate ?? playbackRate
    supportedMediaCommands = element.rest.supportedMediaCommands ?? supportedMediaCommands
    volume.merge(element.rest.volume)
    if let media = element.rest.$media { $media = media }
    activeTrackIDs = element.rest.activeTrackIDs ?? activeTrackIDs
    currentItemID = element.rest.currentItemID ?? currentItemID
    loadingItemID = element.rest.loadingItemID
    preloadedItemID = element.rest.preloadedItemID
    repeatMode = element.rest.repeatMode ?? repeatMode
    items = element.rest.items ?? items
    queueData = element.rest.queueData ?? queueData
    shuffle = element.rest.shuffle ?? shuffle
    breakStatus = element.rest.breakStatus
    extendedPlayerState = element.rest.extendedPlayerState
    $extendedMedia = element.rest.$extendedMedia
    extendedMediaSessionID = element.rest.extendedMediaSessionID
    videoInfo = element.rest.videoInfo ?? videoInfo
    liveSeekableRange = element.rest.liveSeekableRange ?? liveSeekableRange
    customData = element.rest.customData ?? customData
    // `extendedStatus` may be about the media session that comes next; that one's media is not ours.
    let isOurs = extendedMediaSessionID.map { $0 == mediaSessionID } ?? true
    if $media == nil, isOurs { $media = $extendedMedia }
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
