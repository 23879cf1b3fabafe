package import CastProtocol

/// All media that a recording met, each once.
package struct RecordedMediaBook: Hashable, Sendable {
  package private(set) var all: [MediaInformation] = []
  private var bytes = 0

  /// More than a person plays in an evening; what comes then is not recorded.
  static let limit = 200
  /// Documents have at most 1 MiB.
  static let byteLimit = 256 << 10
  /// One that says more is kept without what is long.
  static let mediaByteLimit = 16 << 10

  /// Whether there is no room for another.
  var isFull: Bool { all.count >= Self.limit || bytes >= Self.byteLimit }

  /// Remembers what a status says of media. A later status of the same content fills in what the first one left out, such as
  /// its duration; the title stays, which live streams change with each song.
  /// - Returns: Its place; `nil` where there is no room for it.
  mutating func remember(_ information: MediaInformation) -> Int? {
    if let known = all.firstIndex(where: { $0.isSameContent(as: information) }) {
      let before = all[known]
      all[known].complete(from: information)
      if all[known] != before { bytes += all[known].weight - before.weight }
      return known
    }
    if isFull { return nil }
    var kept = information
    kept.customData = nil
    if kept.weight > Self.mediaByteLimit {
      kept.tracks = nil
      kept.breaks = nil
      kept.breakClips = nil
    }
    if kept.weight > Self.mediaByteLimit { kept.metadata = nil }
    if kept.weight > Self.mediaByteLimit { return nil }
    all.append(kept)
    bytes += kept.weight
    return all.count - 1
  }

  package subscript(_ place: Int) -> MediaInformation? { all.indices.contains(place) ? all[place] : nil }
}

extension MediaInformation {
  /// How long it is when it is written down, about.
  fileprivate var weight: Int { json.serialized().utf8.count }

  fileprivate func isSameContent(as other: MediaInformation) -> Bool {
    guard contentID == other.contentID else { return false }
    return contentURL == nil || other.contentURL == nil || contentURL == other.contentURL
  }

  /// Takes what was not known yet.
  fileprivate mutating func complete(from other: MediaInformation) {
    let before = self
    contentURL = contentURL ?? other.contentURL
    contentType = contentType ?? other.contentType
    streamType = streamType ?? other.streamType
    if (duration ?? 0) <= 0 { duration = other.duration }
    metadata = metadata ?? other.metadata
    if (tracks ?? []).isEmpty { tracks = other.tracks }
    if (breaks ?? []).isEmpty {
      breaks = other.breaks
      breakClips = other.breakClips
    }
    hlsSegmentFormat = hlsSegmentFormat ?? other.hlsSegmentFormat
    hlsVideoSegmentFormat = hlsVideoSegmentFormat ?? other.hlsVideoSegmentFormat
    if self != before, weight > RecordedMediaBook.mediaByteLimit { self = before }
  }

  /// Whether it has no end of its own.
  package var isLiveStream: Bool { streamType == "LIVE" || (duration ?? 0) < 0 }

  /// Whether it is a picture, which stands until something else comes.
  var isPicture: Bool { streamType == "NONE" || (contentType?.lowercased().hasPrefix("image/") ?? false) }
}
