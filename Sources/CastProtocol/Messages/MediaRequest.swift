/// A sender's request on the media namespace. Source: docs/protocol.md 4.2.
package enum MediaRequest: Hashable, Sendable {
  case getStatus
  /// GET_STATUS for less than the whole picture.
  case getPartialStatus(StatusOptions)
  case load(LoadRequest)
  case play(mediaSessionID: Int)
  case pause(mediaSessionID: Int)
  case stop(mediaSessionID: Int)
  case seek(mediaSessionID: Int, SeekTarget)
  case setPlaybackRate(mediaSessionID: Int, RateTarget)
  case editTracks(mediaSessionID: Int, activeTrackIDs: [Int]?, textTrackStyle: TextTrackStyle?)
  /// EDIT_TRACKS_INFO without naming tracks.
  case selectText(mediaSessionID: Int, TextSelection)
  /// EDIT_AUDIO_TRACKS; no language: the default track.
  case selectAudio(mediaSessionID: Int, language: String?, isSuggested: Bool? = nil)
  case setVolume(mediaSessionID: Int, level: Double?, muted: Bool?)
  case skipAd(mediaSessionID: Int)
  case queueLoad(QueueLoadRequest)
  case queueInsert(mediaSessionID: Int, QueueInsertRequest)
  case queueUpdate(mediaSessionID: Int, QueueUpdateRequest)
  case queueRemove(mediaSessionID: Int, itemIDs: [Int], goingTo: QueueTarget? = nil)
  /// `insertBefore` is none of `itemIDs`; `nil`: at the end.
  case queueReorder(mediaSessionID: Int, itemIDs: [Int], insertBefore: Int?, goingTo: QueueTarget? = nil)
  case queueNext(mediaSessionID: Int)
  case queuePrevious(mediaSessionID: Int)
  case queueShuffle(mediaSessionID: Int)
  case queueGetItemIDs(mediaSessionID: Int)
  case queueGetItems(mediaSessionID: Int, itemIDs: [Int])
  /// Items around one of them, behind or before it.
  case queueGetItemRange(mediaSessionID: Int, itemID: Int, next: Int, previous: Int)
  case storeSession(mediaSessionID: Int)
  case resumeSession(SessionState)
  case precache(data: String?)
  case playAgain

  /// What GET_STATUS may leave out.
  package struct StatusOptions: OptionSet, Hashable, Sendable {
    package var rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let noMetadata = StatusOptions(rawValue: 1)
    package static let noQueueItems = StatusOptions(rawValue: 2)
  }

  /// Where to go, and whether to play there.
  package struct SeekTarget: Hashable, Sendable {
    /// Seconds of content time; does not count where ``relativeTime`` is set.
    package var currentTime: Double
    /// Seconds on, or back where negative. The Default Media Receiver does not know it.
    package var relativeTime: Double?
    /// `true`: play, `false`: pause, `nil`: as it was.
    package var resume: Bool?

    package init(currentTime: Double, resume: Bool? = nil) {
      self.currentTime = currentTime
      self.resume = resume
    }

    package init(relativeTime: Double, resume: Bool? = nil) {
      currentTime = 0
      self.relativeTime = relativeTime
      self.resume = resume
    }
  }

  /// A rate, or a factor on the present one.
  package enum RateTarget: Hashable, Sendable {
    case absolute(Double)
    case relative(Double)
  }

  /// Which text track to show.
  package enum TextSelection: Hashable, Sendable {
    /// The track of a language (RFC 5646); `isSuggested` says that the user did not choose it.
    case language(String, isSuggested: Bool? = nil)
    /// The last or the first track, or none.
    case enabled(Bool)
  }

  /// The item to go to after a change of the queue.
  package struct QueueTarget: Hashable, Sendable {
    package var itemID: Int
    /// Seconds; `nil`: where the item says.
    package var currentTime: Double?

    package init(itemID: Int, currentTime: Double? = nil) {
      self.itemID = itemID
      self.currentTime = currentTime
    }
  }
}
