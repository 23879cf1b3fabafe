/// What content is called and who made it: the fields of every kind of metadata. Source: docs/protocol.md 5.4.
///
/// Statuses keep the object as it came (``MediaInformation/metadata``); this reads it. All fields are optional.
package struct MediaMetadata: Hashable, Sendable {
  /// `metadataType`; missing means generic, a number without a meaning is treated like that.
  package enum Kind: Hashable, Sendable {
    case generic, movie, tvShow, musicTrack, photo, audiobookChapter
    case unknown(Int)
  }

  package var kind = Kind.generic
  package var title: String?
  package var subtitle: String?
  package var images: [MediaImage]?
  /// ISO 8601.
  package var releaseDate: String?
  package var studio: String?
  package var seriesTitle: String?
  package var season: Int?
  package var episode: Int?
  /// ISO 8601.
  package var originalAirdate: String?
  package var songName: String?
  package var artist: String?
  package var albumName: String?
  package var albumArtist: String?
  package var composer: String?
  package var trackNumber: Int?
  package var discNumber: Int?
  package var location: String?
  /// Degrees.
  package var latitude: Double?
  /// Degrees.
  package var longitude: Double?
  /// Pixels.
  package var width: Int?
  /// Pixels.
  package var height: Int?
  /// ISO 8601.
  package var creationDateTime: String?
  package var bookTitle: String?
  package var chapterTitle: String?
  package var chapterNumber: Int?
  package var contentRating: String?
  /// The queue item that this section of a live programme or an audiobook belongs to.
  package var queueItemID: Int?
  /// Seconds.
  package var sectionDuration: Double?
  /// Seconds.
  package var sectionStartTimeInMedia: Double?
  /// Seconds.
  package var sectionStartTimeInContainer: Double?
  /// Unix seconds.
  package var sectionStartAbsoluteTime: Double?
  /// What else there is: the type is open, and old names live on.
  package var other = JSONObject()

  package init() {}
}

/// A picture for a sender's screen.
package struct MediaImage: Codable, Hashable, Sendable {
  package var url: String
  /// Pixels; may be 0.
  package var width: Int?
  /// Pixels; may be 0.
  package var height: Int?

  package init(url: String, width: Int? = nil, height: Int? = nil) {
    self.url = url
    self.width = width
    self.height = height
  }

  /// Reads an image; `nil` without an address.
  package init?(_ json: JSONValue) {
    guard case .object(let object) = json, let url = object["url"]?.lenientText else { return nil }
    self.init(url: url, width: object["width"]?.lenientInteger, height: object["height"]?.lenientInteger)
  }

  package var json: JSONValue {
    var object: JSONObject = ["url": .string(url)]
    object.append("width", width)
    object.append("height", height)
    return .object(object)
  }
}

extension MediaMetadata.Kind {
  package init(_ number: Int) {
    switch number {
    case 0: self = .generic
    case 1: self = .movie
    case 2: self = .tvShow
    case 3: self = .musicTrack
    case 4: self = .photo
    case 5: self = .audiobookChapter
    default: self = .unknown(number)
    }
  }

  package var number: Int {
    switch self {
    case .generic: 0
    case .movie: 1
    case .tvShow: 2
    case .musicTrack: 3
    case .photo: 4
    case .audiobookChapter: 5
    case .unknown(let number): number
    }
  }
}

extension MediaInformation {
  /// `metadata`, read.
  package var details: MediaMetadata? { metadata.map { MediaMetadata($0) } }
}
