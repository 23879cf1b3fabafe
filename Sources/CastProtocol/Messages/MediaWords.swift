/// The words of media data. Each may also be something else: see ``WireWord``. Source: docs/protocol.md 5.
extension MediaInformation {
  package enum StreamType: String, Hashable, Sendable {
    case buffered = "BUFFERED"
    case live = "LIVE"
    /// Images.
    case none = "NONE"
    case other = "OTHER"
  }

  package enum Category: String, Hashable, Sendable {
    case audio = "AUDIO"
    case video = "VIDEO"
    case image = "IMAGE"
  }

  /// `streamType`, read.
  package var stream: WireWord<StreamType>? { streamType.map { WireWord($0) } }
  /// `mediaCategory`, read.
  package var category: WireWord<Category>? { mediaCategory.map { WireWord($0) } }
}

extension MediaInformation.Track {
  package enum Kind: String, Hashable, Sendable {
    case text = "TEXT"
    case audio = "AUDIO"
    case video = "VIDEO"
  }

  package enum TextKind: String, Hashable, Sendable {
    case subtitles = "SUBTITLES"
    case captions = "CAPTIONS"
    case descriptions = "DESCRIPTIONS"
    case chapters = "CHAPTERS"
    case metadata = "METADATA"
  }

  /// `type`, read.
  package var kind: WireWord<Kind> { WireWord(type) }
  /// `subtype`, read.
  package var textKind: WireWord<TextKind>? { subtype.map { WireWord($0) } }
}

extension TextTrackStyle {
  package enum Edge: String, Hashable, Sendable {
    case none = "NONE"
    case outline = "OUTLINE"
    case dropShadow = "DROP_SHADOW"
    case raised = "RAISED"
    case depressed = "DEPRESSED"
  }

  package enum Window: String, Hashable, Sendable {
    case none = "NONE"
    case normal = "NORMAL"
    case roundedCorners = "ROUNDED_CORNERS"
  }

  package enum FontFamily: String, Hashable, Sendable {
    case sansSerif = "SANS_SERIF"
    case monospacedSansSerif = "MONOSPACED_SANS_SERIF"
    case serif = "SERIF"
    case monospacedSerif = "MONOSPACED_SERIF"
    case casual = "CASUAL"
    case cursive = "CURSIVE"
    case smallCapitals = "SMALL_CAPITALS"
  }

  package enum FontStyle: String, Hashable, Sendable {
    case normal = "NORMAL"
    case bold = "BOLD"
    case boldItalic = "BOLD_ITALIC"
    case italic = "ITALIC"
  }

  /// `edgeType`, read.
  package var edge: WireWord<Edge>? { edgeType.map { WireWord($0) } }
  /// `windowType`, read.
  package var window: WireWord<Window>? { windowType.map { WireWord($0) } }
  /// `fontGenericFamily`, read.
  package var genericFamily: WireWord<FontFamily>? { fontGenericFamily.map { WireWord($0) } }
  /// `fontStyle`, read.
  package var slant: WireWord<FontStyle>? { fontStyle.map { WireWord($0) } }
}

extension MediaStatus {
  /// `repeatMode`, read.
  package var repetition: WireWord<QueueRepeatMode>? { repeatMode.map { WireWord($0) } }
}

extension MediaStatus.VideoInfo {
  package enum DynamicRange: String, Hashable, Sendable {
    case standard = "sdr"
    case high = "hdr"
    case dolbyVision = "dv"
  }

  /// `hdrType`, read.
  package var dynamicRange: WireWord<DynamicRange>? { hdrType.map { WireWord($0) } }
}

extension ReportedFault {
  /// Why a request or a load failed. Source: docs/protocol.md 4.3.
  package enum Cause: String, Hashable, Sendable {
    case appError = "APP_ERROR"
    case authenticationExpired = "AUTHENTICATION_EXPIRED"
    case concurrentStreamLimit = "CONCURRENT_STREAM_LIMIT"
    case contentAlreadyPlaying = "CONTENT_ALREADY_PLAYING"
    case contentFiltered = "CONTENT_FILTERED"
    case duplicateRequestID = "DUPLICATE_REQUEST_ID"
    case endOfQueue = "END_OF_QUEUE"
    case genericLoadError = "GENERIC_LOAD_ERROR"
    case invalidCommand = "INVALID_COMMAND"
    case invalidMediaSessionID = "INVALID_MEDIA_SESSION_ID"
    case invalidParameters = "INVALID_PARAMS"
    case invalidRequest = "INVALID_REQUEST"
    case languageNotSupported = "LANGUAGE_NOT_SUPPORTED"
    case notAvailableInRegion = "NOT_AVAILABLE_IN_REGION"
    case notSupported = "NOT_SUPPORTED"
    case parentalControlRestricted = "PARENTAL_CONTROL_RESTRICTED"
    case premiumAccountRequired = "PREMIUM_ACCOUNT_REQUIRED"
    case skipLimitReached = "SKIP_LIMIT_REACHED"
    case videoDeviceRequired = "VIDEO_DEVICE_REQUIRED"

    /// The name of older documents counts, too.
    package init?(name: String) {
      self.init(rawValue: name == "DUPLICATE_REQUESTID" ? "DUPLICATE_REQUEST_ID" : name)
    }
  }

  /// `reason`, read.
  package var cause: WireWord<Cause>? {
    reason.map { text in Cause(name: text).map { .known($0) } ?? WireWord(text) }
  }
}
