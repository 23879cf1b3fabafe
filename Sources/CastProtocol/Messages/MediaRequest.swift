/// A sender's request on the media namespace: a command, for which media session. Source: docs/protocol.md 4.2.
package struct MediaRequest: Hashable, Sendable {
  /// `nil` for commands that need none.
  package var session: Int?
  package var command: MediaCommand

  package init(_ command: MediaCommand, session: Int? = nil) {
    self.command = command
    self.session = session
  }

  package static let getStatus = MediaRequest(.getStatus)
  package static func load(_ load: LoadRequest) -> MediaRequest { MediaRequest(.load(load)) }
  package static func queueLoad(_ queue: QueueLoadRequest) -> MediaRequest { MediaRequest(.queueLoad(queue)) }
}

/// What a sender asks of an app's player.
package enum MediaCommand: Hashable, Sendable {
  case getStatus
  /// GET_STATUS for less than the whole picture.
  case getPartialStatus(StatusOptions)
  case load(LoadRequest)
  case play
  case pause
  case stop
  case seek(SeekTarget)
  case setPlaybackRate(RateTarget)
  case editTracks(activeTrackIDs: [Int]?, textTrackStyle: TextTrackStyle?)
  /// EDIT_TRACKS_INFO without naming tracks.
  case selectText(TextSelection)
  /// EDIT_AUDIO_TRACKS; no language: the default track.
  case selectAudio(language: String?, isSuggested: Bool? = nil)
  case setVolume(level: Double?, muted: Bool?)
  case skipAd
  case queueLoad(QueueLoadRequest)
  case queueInsert(QueueInsertRequest)
  case queueUpdate(QueueUpdateRequest)
  case queueRemove(itemIDs: [Int], goingTo: QueueTarget? = nil)
  /// `insertBefore` is none of `itemIDs`; `nil`: at the end.
  case queueReorder(itemIDs: [Int], insertBefore: Int?, goingTo: QueueTarget? = nil)
  case queueNext
  case queuePrevious
  case queueShuffle
  case queueGetItemIDs
  case queueGetItems(itemIDs: [Int])
  /// Items around one of them, behind or before it.
  case queueGetItemRange(itemID: Int, next: Int, previous: Int)
  case storeSession
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
