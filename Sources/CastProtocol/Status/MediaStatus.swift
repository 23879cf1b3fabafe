/// What an app says of its media, after merging (docs/protocol.md 4.4 and 5.1).
package struct MediaStatus: Hashable, Sendable {
  package var mediaSessionID = 0
  package var playerState = PlayerState.idle
  package var idleReason: IdleReason?
  /// Content time in seconds as the device last said it; see ``DeviceSnapshot`` for when that was.
  package var currentTime: Double?
  package var playbackRate: Double?
  package var supportedMediaCommands: Int?
  /// Stream volume.
  package var volume = ReceiverStatus.Volume()
  @Shared package var media: MediaInformation?
  package var activeTrackIDs: [Int]?
  package var currentItemID: Int?
  package var loadingItemID: Int?
  package var preloadedItemID: Int?
  package var repeatMode: String?
  /// Queue items as received, in full: all of them, or a window around the one that is on.
  package var items: [JSONValue]?
  /// ``items``, read.
  package var queueItems: [QueueItem]? { items?.compactMap { QueueItem($0) } }
  /// The ids of the whole queue in order; `nil` when nobody asked for them, or a change was missed since.
  package var queueItemIDs: [Int]?
  /// The number of the last QUEUE_CHANGE.
  package var queueSequence: Int?
  /// What the queue is as a whole.
  package var queueData: QueueData?
  /// Some apps say it here.
  package var shuffle: Bool?
  package var breakStatus: BreakStatus?
  /// `extendedStatus.playerState`: `LOADING` while a load has not started to play.
  package var extendedPlayerState: String?
  @Shared package var extendedMedia: MediaInformation?
  /// The media session that ``extendedMedia`` is of; old firmware does not say.
  package var extendedMediaSessionID: Int?
  package var videoInfo: VideoInfo?
  package var liveSeekableRange: LiveSeekableRange?
  package var customData: JSONValue?

  package init() {}

  /// `playerState` on the wire; there is no `LOADING` there.
  package enum PlayerState: Hashable, Sendable {
    case idle, playing, paused, buffering
    case unknown(String)
  }

  /// Why the player is idle.
  package enum IdleReason: Hashable, Sendable {
    case cancelled, interrupted, finished, error
    case unknown(String)
  }

  package struct BreakStatus: Hashable, Sendable {
    package var breakID: String?
    package var breakClipID: String?
    /// Seconds since the break began, stale like `currentTime`.
    package var currentBreakTime: Double?
    /// Seconds since the clip began, stale like `currentTime`.
    package var currentBreakClipTime: Double?
    /// Clip time in seconds from which SKIP_AD works; absent: never.
    package var whenSkippable: Double?
    /// A break made because somebody sought over one.
    package var seekBreak: MediaInformation.Break?

    package init() {}
  }

  package struct VideoInfo: Hashable, Sendable {
    package var width: Int?
    package var height: Int?
    /// `sdr`, `hdr` or `dv`.
    package var hdrType: String?

    package init() {}
  }

  package struct LiveSeekableRange: Hashable, Sendable {
    package var start: Double?
    package var end: Double?
    package var isMovingWindow: Bool?
    package var isLiveDone: Bool?

    package init() {}
  }
}
