/// The names of members that messages are read by.
///
/// The parser finds a name here by its bytes, so that a reader switches over cases where it would compare texts, and no
/// text is made anew for what every device says in every status.
package enum WireName: String, CaseIterable, Sendable {
  // Messages. Source: docs/protocol.md 3 and 4.
  case type, responseType
  case requestID = "requestId"
  case status
  case launchRequestID = "launchRequestId"
  case availability

  // The platform. Source: docs/protocol.md 3.3.
  case applications, isActiveInput, isStandBy, volume, level, muted, controlType, stepInterval
  case appID = "appId"
  case universalAppID = "universalAppId"
  case displayName
  case sessionID = "sessionId"
  case transportID = "transportId"
  case namespaces, name, statusText, isIdleScreen

  // A media session. Source: docs/protocol.md 5.1.
  case mediaSessionID = "mediaSessionId"
  case playerState, idleReason, currentTime, playbackRate, supportedMediaCommands, media
  case activeTrackIDs = "activeTrackIds"
  case currentItemID = "currentItemId"
  case loadingItemID = "loadingItemId"
  case preloadedItemID = "preloadedItemId"
  case repeatMode, items, queueData, shuffle, breakStatus, extendedStatus, videoInfo, liveSeekableRange, customData
  case breakID = "breakId"
  case breakClipID = "breakClipId"
  case currentBreakTime, currentBreakClipTime, whenSkippable, seekBreak
  case width, height, hdrType
  case start, end, isMovingWindow, isLiveDone

  // What is loaded. Source: docs/protocol.md 5.3 to 5.7.
  case contentID = "contentId"
  case contentURL = "contentUrl"
  case contentType, streamType, duration, metadata, tracks, textTrackStyle, breakClips, breaks, vmapAdsRequest
  case adTagURL = "adTagUrl"
  case adsResponse, hlsSegmentFormat, hlsVideoSegmentFormat, startAbsoluteTime, mediaCategory, entity, atvEntity
  case userActionStates
  case trackID = "trackId"
  case subtype, language
  case trackContentID = "trackContentId"
  case trackContentType, isInband, roles, audioTrackInfo
  case id, position
  case breakClipIDs = "breakClipIds"
  case isWatched, isEmbedded, expanded
  case mimeType, title, userAction
  case posterURL = "posterUrl"
  case clickThroughURL = "clickThroughUrl"
  case vastAdsRequest
  case fontScale, foregroundColor, backgroundColor, edgeType, edgeColor, windowType, windowColor
  case windowRoundedCornerRadius, fontFamily, fontGenericFamily, fontStyle

  // A queue. Source: docs/protocol.md 5.8.
  case itemID = "itemId"
  case autoplay, startTime, playbackDuration, preloadTime
  case orderID = "orderId"

  // Seen in most statuses, and read by few.
  case metadataType, subtitle, images, url, audioCodec, numAudioChannels, spatialAudio

  /// The case of a text; `nil` where it is none of these.
  init?(text: String) {
    let found = text.utf8.withContiguousStorageIfAvailable { WireNameTable.shared.find($0, 0..<$0.count)?.name }
    guard let name = found ?? WireName(rawValue: text) else { return nil }
    self = name
  }
}

/// Finds a ``WireName`` by its bytes, with one look at a table in nearly all cases.
struct WireNameTable: Sendable {
  static let shared = WireNameTable()

  struct Entry: Sendable {
    let name: WireName
    /// The name as a text, which all members share.
    let text: String
    fileprivate let signature: Signature
  }

  /// What tells names of up to 16 bytes apart, and most that are longer.
  fileprivate struct Signature: Equatable {
    /// The first eight bytes, and the last eight of a longer name.
    let first: UInt64
    let last: UInt64
    let length: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
      length = range.count
      first = Self.word(bytes, range.lowerBound, min(length, 8))
      last = length > 8 ? Self.word(bytes, range.upperBound - 8, 8) : 0
    }

    /// The `count` bytes from `start` on, eight at most.
    @inline(__always)
    private static func word(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int) -> UInt64 {
      if bytes.count - start >= 8, let base = bytes.baseAddress {
        let word = UInt64(littleEndian: UnsafeRawPointer(base + start).loadUnaligned(as: UInt64.self))
        return word & (.max >> UInt64(64 - count * 8))
      }
      return wordAtEnd(bytes, start, count)
    }

    @inline(never)
    private static func wordAtEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int) -> UInt64 {
      bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Where to look first in a table of 256 places.
    var place: Int {
      let mixed = (first ^ last &* 31 ^ UInt64(truncatingIfNeeded: length)) &* 0xFF51_AFD7_ED55_8CCD
      return Int(truncatingIfNeeded: mixed >> 56)
    }
  }

  private let places: [Entry?]

  private init() {
    var places = [Entry?](repeating: nil, count: 256)
    for name in WireName.allCases {
      let text = name.rawValue
      let signature = Array(text.utf8).withUnsafeBufferPointer { Signature($0, 0..<$0.count) }
      var place = signature.place
      while places[place] != nil { place = (place + 1) & 255 }
      places[place] = Entry(name: name, text: text, signature: signature)
    }
    self.places = places
  }

  /// The name that stands at `range` of `bytes`.
  @inline(__always)
  func find(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Entry? {
    guard !range.isEmpty else { return nil }
    let signature = Signature(bytes, range)
    var place = signature.place
    while let entry = places[place] {
      if entry.signature == signature, signature.length <= 16 || entry.text.utf8.elementsEqual(bytes[range]) {
        return entry
      }
      place = (place + 1) & 255
    }
    return nil
  }
}
