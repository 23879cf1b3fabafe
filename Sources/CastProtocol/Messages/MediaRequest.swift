/// A sender's request on the media namespace. Source: cast-protocol.md 4.2.
package enum MediaRequest: Hashable, Sendable {
  case getStatus
  case load(LoadRequest)
  case play(mediaSessionID: Int)
  case pause(mediaSessionID: Int)
  case stop(mediaSessionID: Int)
  case seek(mediaSessionID: Int, SeekTarget)
  case setPlaybackRate(mediaSessionID: Int, RateTarget)
  case editTracks(mediaSessionID: Int, activeTrackIDs: [Int]?, textTrackStyle: TextTrackStyle?)
  case setVolume(mediaSessionID: Int, level: Double?, muted: Bool?)
  case skipAd(mediaSessionID: Int)
  case queueLoad(QueueLoadRequest)
  case queueInsert(mediaSessionID: Int, QueueInsertRequest)
  case queueUpdate(mediaSessionID: Int, QueueUpdateRequest)
  case queueRemove(mediaSessionID: Int, itemIDs: [Int])
  /// `insertBefore` is none of `itemIDs`; `nil`: at the end.
  case queueReorder(mediaSessionID: Int, itemIDs: [Int], insertBefore: Int?)

  /// Where to go, and whether to play there.
  package struct SeekTarget: Hashable, Sendable {
    /// Seconds of content time.
    package var currentTime: Double
    /// `true`: play, `false`: pause, `nil`: as it was.
    package var resume: Bool?

    package init(currentTime: Double, resume: Bool? = nil) {
      self.currentTime = currentTime
      self.resume = resume
    }
  }

  /// A rate, or a factor on the present one.
  package enum RateTarget: Hashable, Sendable {
    case absolute(Double)
    case relative(Double)
  }
}

/// The fields of LOAD. Source: cast-protocol.md 4.2.
package struct LoadRequest: Hashable, Sendable {
  package var autoplay = true
  /// Seconds.
  package var currentTime: Double?
  package var playbackRate: Double?
  package var activeTrackIDs: [Int]?
  package var credentials: String?
  package var customData: JSONValue?
  package var media: MediaInformation

  package init(media: MediaInformation) { self.media = media }
}
