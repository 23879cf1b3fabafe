/// The choices in which media apps differ, each with what most devices of today do as its default.
///
/// Sources: the receiver SDK 3.0.0103 in a browser ("the SDK" below) and recordings of devices (docs/protocol.md 6).
package struct MediaBehavior: Hashable, Sendable {
  /// Which status of a load has its request id.
  package var loadReply = LoadReply.last
  /// Which status of a SEEK has its request id.
  package var seekReply = SeekReply.playing
  /// Whether BUFFERING comes before the first PLAYING of content. Recorded devices do it; the SDK, with files on its own
  /// machine, does not.
  package var buffersAtStart = true
  /// What a sender hears when it joins an app.
  package var joining = Joining.emptyStatus
  /// `supportedMediaCommands` whatever plays, but for SEEK and SKIP_AD in a break; `nil`: by what the queue and the
  /// content allow, as newer Default Media Receivers do.
  package var commands: Int?
  /// Whether `items` are the previous, the present and the next item, or all that fit.
  package var showsNeighboursOnly = true
  /// Whether a status follows a second after playback has begun.
  package var confirmsStart = true
  /// Whether a status comes every second of a break.
  package var ticksInBreaks = true
  /// Whether statuses after a break say `breakStatus: {}`; if not they leave it out.
  package var clearsBreakStatus = true
  /// Whether the status of a STOP says a playback rate of 0, as one recorded television does.
  package var stopsRate = true
  /// Whether a change of a queue is told by QUEUE_CHANGE beside the status, as newer devices do (docs/protocol.md 6.4).
  package var sendsQueueChange = true
  /// Whether a session can be stored and resumed, and statuses say so (docs/protocol.md 3.7).
  package var supportsStreamTransfer = true

  /// How much of a live stream can be sought in; it moves on with the stream. `nil`: statuses say no range.
  package var liveWindow: Duration?
  /// The picture that statuses of videos tell of; `nil`: they tell of none.
  package var videoSize: VideoSize?
  /// Whether SEEK takes a `relativeTime`; the Default Media Receiver of some devices does not (docs/protocol.md 4.2).
  package var takesRelativeTime = true
  /// After how long without media an app ends itself; paused media keep it four times as long, as with the SDK, whose
  /// times are 5 and 20 minutes. `nil`: it stays.
  package var idleExit: Duration?

  package init() {}

  /// Width and height of a picture in pixels, each from 1 to 16 384.
  package struct VideoSize: Hashable, Sendable {
    package let width: Int
    package let height: Int

    package init?(width: Int, height: Int) {
      guard (1...16_384).contains(width), (1...16_384).contains(height) else { return nil }
      self.width = width
      self.height = height
    }
  }

  /// Which of a load's statuses answers the request (docs/protocol.md 6.2, variants A and B).
  package enum LoadReply: String, Hashable, Sendable, CaseIterable {
    /// The one that ends the load; the usual kind.
    case last
    /// The first, which says LOADING.
    case first
  }

  /// Which of a SEEK's statuses answers the request (docs/protocol.md 6.3).
  package enum SeekReply: String, Hashable, Sendable, CaseIterable {
    /// The only one, when the content plays at the new place: the SDK.
    case playing
    /// BUFFERING, which PLAYING without an id follows: recorded devices.
    case buffering
  }

  /// What a sender hears when it joins an app (docs/protocol.md 2.2).
  package enum Joining: String, Hashable, Sendable, CaseIterable {
    /// Nothing: the SDK.
    case silent
    /// A status without media while none is loaded: recorded after launches.
    case emptyStatus = "empty-status"
    /// The status, whatever it is; everyone hears it.
    case status
  }
}
