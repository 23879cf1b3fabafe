package import CastProtocol

/// What a television would show of a receiver at one moment. Texts and addresses are as senders wrote them.
package struct ScreenSnapshot: Hashable, Sendable {
  package struct App: Hashable, Sendable {
    package var sessionID: String
    package var id: String
    package var name: String
    package var statusText: String
    /// Whether it is a receiver page, which has a browser of its own.
    package var isPage: Bool
  }

  package enum Phase: String, Hashable, Sendable {
    case loading, buffering, playing, paused
  }

  package enum Category: String, Hashable, Sendable {
    case video, audio, image
  }

  /// Something with an address that a player can have on.
  package struct Playback: Hashable, Sendable {
    /// `nil`: the receiver plays by its clock, and who shows it follows.
    package var id: PlaybackID?
    package var address: String
    package var contentType: String?
    /// Counts what the player has to do, and how often it has to jump.
    package var order: Int
    package var jumps: Int
    package var position: Duration
    /// `nil`: it has no end.
    package var duration: Duration?
    package var rate: Double
    /// Whether it shall play.
    package var runs: Bool
  }

  package struct Captions: Hashable, Sendable {
    package var address: String
    package var contentType: String?
    package var language: String?
    package var name: String?
    package var style: TextTrackStyle?
  }

  package struct Break: Hashable, Sendable {
    package var title: String?
    package var position: Duration
    package var duration: Duration
    /// The number of the clip, from 1, and how many there are.
    package var number: Int
    package var count: Int
    /// Clip time from which it can be skipped; `nil`: never.
    package var skippableAfter: Duration?
    package var runs: Bool
    /// `nil`: it has no address.
    package var clip: Playback?
  }

  package struct Media: Hashable, Sendable {
    package var phase: Phase
    package var category: Category
    package var content: Playback
    package var isLive: Bool
    /// `metadata` of the media.
    package var metadata: JSONObject
    package var captions: Captions?
    package var adBreak: Break?
    /// The place in the queue, from 1, and how many items it has.
    package var item: Int
    package var items: Int
  }

  package var name: String
  package var model: String
  /// Of the device, 0 to 1.
  package var level: Double
  package var isMuted: Bool
  /// Of the stream, which goes on top of the device's.
  package var streamLevel: Double
  package var isStreamMuted: Bool
  package var display: ReceiverDisplay
  package var app: App?
  package var media: Media?
  /// Why what was loaded last does not play.
  package var fault: MediaFault?
  /// Whether a page plays, and not the clock.
  package var playsOutside: Bool
}
