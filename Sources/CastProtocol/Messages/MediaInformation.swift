/// What can be played, as LOAD sends it and MEDIA_STATUS returns it. Source: docs/protocol.md 5.3.
package struct MediaInformation: Codable, Hashable, Sendable {
  package var contentID = ""
  package var contentURL: String?
  package var contentType: String?
  /// `BUFFERED`, `LIVE` or `NONE`; echoed as sent, so anything may come back.
  package var streamType: String?
  /// Seconds; `nil` when unknown or live.
  package var duration: Double?
  /// `metadataType` and its fields, as on the wire.
  package var metadata: JSONObject?
  package var tracks: [Track]?
  package var textTrackStyle: TextTrackStyle?
  package var breakClips: [BreakClip]?
  package var breaks: [Break]?
  package var vmapAdTagURL: String?
  /// The VMAP document itself, in place of its address.
  package var vmapAdsResponse: String?
  package var hlsSegmentFormat: String?
  package var hlsVideoSegmentFormat: String?
  /// Unix seconds of position 0 of a live stream.
  package var startAbsoluteTime: Double?
  /// `AUDIO`, `VIDEO` or `IMAGE`; newer receivers add it.
  package var mediaCategory: String?
  /// A deep link for assistants.
  package var entity: String?
  /// A deep link for the app on Android TV.
  package var atvEntity: String?
  package var userActionStates: [UserActionState]?
  package var customData: JSONValue?

  package init() {}

  /// Source: docs/protocol.md 5.5.
  package struct Track: Codable, Hashable, Sendable {
    package var trackID = 0
    /// `TEXT`, `AUDIO` or `VIDEO`.
    package var type = ""
    /// `SUBTITLES`, `CAPTIONS`, `DESCRIPTIONS`, `CHAPTERS` or `METADATA`.
    package var subtype: String?
    package var name: String?
    package var language: String?
    package var trackContentID: String?
    package var trackContentType: String?
    package var isInband: Bool?
    /// Those of DASH: `main`, `commentary`, `forced_subtitle`, ...
    package var roles: [String]?
    package var audio: AudioInfo?
    package var customData: JSONValue?

    package init() {}

    /// What an audio track is made of.
    package struct AudioInfo: Codable, Hashable, Sendable {
      package var codec: String?
      package var channels: Int?
      package var isSpatial: Bool?

      package init() {}
    }
  }

  /// What a user made of the content: liked it, follows it.
  package struct UserActionState: Codable, Hashable, Sendable {
    package var userAction: String
    package var customData: JSONValue?

    package init(userAction: String, customData: JSONValue? = nil) {
      self.userAction = userAction
      self.customData = customData
    }
  }

  /// Source: docs/protocol.md 5.7. A `position` of -1 is a post-roll.
  package struct Break: Codable, Hashable, Sendable {
    package var id = ""
    /// Content seconds.
    package var position = 0.0
    package var breakClipIDs: [String] = []
    package var duration: Double?
    package var isWatched: Bool?
    package var isEmbedded: Bool?
    package var expanded: Bool?

    package init() {}
  }

  /// Source: docs/protocol.md 5.7.
  package struct BreakClip: Codable, Hashable, Sendable {
    package var id = ""
    package var contentID: String?
    package var contentURL: String?
    package var contentType: String?
    package var title: String?
    package var posterURL: String?
    package var clickThroughURL: String?
    /// Seconds.
    package var duration: Double?
    /// Clip seconds from which it may be skipped; `nil`: never.
    package var whenSkippable: Double?
    package var vastAdTagURL: String?
    /// The VAST document itself, in place of its address.
    package var vastAdsResponse: String?
    package var hlsSegmentFormat: String?
    package var customData: JSONValue?

    package init() {}
  }
}

/// How captions look. Colours are `#RRGGBBAA`. Source: docs/protocol.md 5.6.
package struct TextTrackStyle: Codable, Hashable, Sendable {
  /// 1.0 is the default size.
  package var fontScale: Double?
  package var foregroundColor: String?
  package var backgroundColor: String?
  package var edgeType: String?
  package var edgeColor: String?
  package var windowType: String?
  package var windowColor: String?
  /// Pixels.
  package var windowRoundedCornerRadius: Double?
  package var fontFamily: String?
  package var fontGenericFamily: String?
  package var fontStyle: String?
  package var customData: JSONValue?

  package init() {}
}
