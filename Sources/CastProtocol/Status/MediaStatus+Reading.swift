extension MediaStatus {
  /// One element of a MEDIA_STATUS: what it says, and `nil` where it says nothing. `null` says nothing, and so does a
  /// value of a type nobody can read.
  package struct Element: Hashable, Sendable {
    package internal(set) var mediaSessionID: Int?
    package internal(set) var playerState: PlayerState?
    /// All other members. Its own `mediaSessionID` and `playerState` are unused.
    package internal(set) var rest = MediaStatus()
    /// Whether it says where it plays.
    private(set) var hasTime = false
    /// Whether it says what of a live stream can be played.
    private(set) var hasLiveRange = false
  }
}

extension MediaStatus.Element: JSONReadable {
  /// Reads an element, leniently; `nil` when it is no object.
  package init?(reading source: inout some JSONSource & ~Copyable) {
    let isObject = source.readMembers { member, value in
      if value.readNull() {
        forget(member)
      } else {
        read(member, &value)
      }
    }
    if !isObject { return nil }
  }

  /// Where one of these names comes twice, a later `null` counts; at all other names a `null` says nothing.
  private mutating func forget(_ member: WireName?) {
    switch member {
    case .mediaSessionID: mediaSessionID = nil
    case .currentTime: hasTime = false
    case .liveSeekableRange: hasLiveRange = false
    default: break
    }
  }

  private mutating func read(_ member: WireName?, _ value: inout some JSONSource & ~Copyable) {
    switch member {
    case .mediaSessionID: mediaSessionID = value.lenientInteger()
    case .playerState: playerState = value.text().map { MediaStatus.PlayerState($0) } ?? playerState
    case .idleReason: rest.idleReason = value.text().map { MediaStatus.IdleReason($0) }
    case .currentTime:
      let seconds = value.lenientSeconds()
      hasTime = seconds != nil
      rest.currentTime = seconds.map { max(0, $0) } ?? rest.currentTime
    case .playbackRate: rest.playbackRate = value.lenientNumber() ?? rest.playbackRate
    case .supportedMediaCommands:
      rest.supportedMediaCommands = value.lenientInteger() ?? rest.supportedMediaCommands
    // Some apps send an empty one.
    case .volume: rest.volume.merge(ReceiverStatus.Volume(reading: &value))
    case .media: if let media = MediaInformation(reading: &value) { rest.media = media }
    case .activeTrackIDs:
      rest.activeTrackIDs = value.lenientList { $0.lenientInteger() } ?? rest.activeTrackIDs
    case .currentItemID: rest.currentItemID = value.lenientInteger() ?? rest.currentItemID
    case .loadingItemID: rest.loadingItemID = value.lenientInteger()
    case .preloadedItemID: rest.preloadedItemID = value.lenientInteger()
    case .repeatMode: rest.repeatMode = value.text() ?? rest.repeatMode
    case .items: rest.items = value.lenientList { $0.tree() } ?? rest.items
    case .queueData: rest.queueData = QueueData(value.tree()) ?? rest.queueData
    case .shuffle: rest.shuffle = value.lenientFlag() ?? rest.shuffle
    case .breakStatus: rest.breakStatus = MediaStatus.BreakStatus(reading: &value)
    case .extendedStatus: readExtendedStatus(&value)
    case .videoInfo: rest.videoInfo = MediaStatus.VideoInfo(reading: &value) ?? rest.videoInfo
    case .liveSeekableRange:
      let range = MediaStatus.LiveSeekableRange(reading: &value)
      hasLiveRange = range != nil
      rest.liveSeekableRange = range ?? rest.liveSeekableRange
    case .customData: rest.customData = value.tree()
    default: break
    }
  }

  private mutating func readExtendedStatus(_ source: inout some JSONSource & ~Copyable) {
    rest.extendedPlayerState = nil
    rest.extendedMedia = nil
    rest.extendedMediaSessionID = nil
    _ = source.readMembers { member, value in
      switch member {
      case .playerState: rest.extendedPlayerState = value.text()
      case .media: rest.extendedMedia = MediaInformation(reading: &value)
      case .mediaSessionID: rest.extendedMediaSessionID = value.lenientInteger()
      default: break
      }
    }
  }
}

extension MediaStatus.BreakStatus: JSONReadable {
  /// Reads a break status, leniently; `nil` when it is no object, and for `{}`, which the receiver SDK says after a
  /// break. A negative `whenSkippable` means never.
  package init?(reading source: inout some JSONSource & ~Copyable) {
    var isEmpty = true
    let isObject = source.readMembers { member, value in
      isEmpty = false
      switch member {
      case .breakID: breakID = value.lenientText()
      case .breakClipID: breakClipID = value.lenientText()
      case .currentBreakTime: currentBreakTime = value.lenientSeconds()
      case .currentBreakClipTime: currentBreakClipTime = value.lenientSeconds()
      case .whenSkippable: whenSkippable = value.lenientSeconds().flatMap { $0 >= 0 ? $0 : nil }
      case .seekBreak: seekBreak = MediaInformation.Break(reading: &value)
      default: break
      }
    }
    if !isObject || isEmpty { return nil }
  }
}

extension MediaStatus.VideoInfo: JSONReadable {
  /// Reads the picture's size and kind, leniently; `nil` when it is no object.
  package init?(reading source: inout some JSONSource & ~Copyable) {
    let isObject = source.readMembers { member, value in
      switch member {
      case .width: width = value.lenientInteger()
      case .height: height = value.lenientInteger()
      case .hdrType: hdrType = value.lenientText()
      default: break
      }
    }
    if !isObject { return nil }
  }
}

extension MediaStatus.LiveSeekableRange: JSONReadable {
  /// Reads a range, leniently; `nil` when it is no object.
  package init?(reading source: inout some JSONSource & ~Copyable) {
    let isObject = source.readMembers { member, value in
      switch member {
      case .start: start = value.lenientSeconds()
      case .end: end = value.lenientSeconds()
      case .isMovingWindow: isMovingWindow = value.lenientFlag()
      case .isLiveDone: isLiveDone = value.lenientFlag()
      default: break
      }
    }
    if !isObject { return nil }
  }
}
