extension MediaMetadata {
  /// Reads metadata, leniently; what it does not know, or cannot read, is in ``other``. Old names count where the
  /// present one is missing.
  package init(_ object: JSONObject) {
    var number: Int?
    for member in object.members {
      let value = member.value
      if value.isNull { continue }
      let isRead: Bool
      switch member.name {
      case "metadataType":
        number = value.lenientInteger ?? number
        isRead = number != nil
      case "images":
        images = value.lenientList { MediaImage($0) }
        isRead = images != nil
      default:
        if let path = Self.texts[member.name] {
          self[keyPath: path] = value.lenientText
          isRead = self[keyPath: path] != nil
        } else if let path = Self.integers[member.name] {
          self[keyPath: path] = value.lenientInteger
          isRead = self[keyPath: path] != nil
        } else if let path = Self.numbers[member.name] {
          self[keyPath: path] = value.lenientNumber
          isRead = self[keyPath: path] != nil
        } else {
          isRead = false
        }
      }
      if !isRead { other.members.append(member) }
    }
    kind = Kind(number ?? object["type"]?.lenientInteger ?? 0)
    title = title ?? object["episodeTitle"]?.lenientText
    artist = artist ?? object["artistName"]?.lenientText
    season = season ?? object["seasonNumber"]?.lenientInteger
    episode = episode ?? object["episodeNumber"]?.lenientInteger
  }

  /// The object as LOAD sends it.
  package var json: JSONObject {
    var object: JSONObject = ["metadataType": .int(kind.number)]
    for name in Self.order {
      if let path = Self.texts[name] {
        object.append(name, self[keyPath: path])
      } else if let path = Self.integers[name] {
        object.append(name, self[keyPath: path])
      } else if let path = Self.numbers[name] {
        object.append(name, self[keyPath: path])
      }
    }
    object.append("images", images.map { .array($0.map(\.json)) })
    object.members += other.members
    return object
  }

  // Key paths to a value type are safe to share; the compiler needs to be told so.
  private typealias TextPath = WritableKeyPath<MediaMetadata, String?> & Sendable
  private typealias IntegerPath = WritableKeyPath<MediaMetadata, Int?> & Sendable
  private typealias NumberPath = WritableKeyPath<MediaMetadata, Double?> & Sendable

  private static let texts: [String: any TextPath] = [
    "title": \.title, "subtitle": \.subtitle, "releaseDate": \.releaseDate, "studio": \.studio,
    "seriesTitle": \.seriesTitle, "originalAirdate": \.originalAirdate, "songName": \.songName, "artist": \.artist,
    "albumName": \.albumName, "albumArtist": \.albumArtist, "composer": \.composer, "location": \.location,
    "creationDateTime": \.creationDateTime, "bookTitle": \.bookTitle, "chapterTitle": \.chapterTitle,
    "contentRating": \.contentRating,
  ]
  private static let integers: [String: any IntegerPath] = [
    "season": \.season, "episode": \.episode, "trackNumber": \.trackNumber, "discNumber": \.discNumber,
    "width": \.width, "height": \.height, "chapterNumber": \.chapterNumber, "queueItemId": \.queueItemID,
  ]
  private static let numbers: [String: any NumberPath] = [
    "latitude": \.latitude, "longitude": \.longitude, "sectionDuration": \.sectionDuration,
    "sectionStartTimeInMedia": \.sectionStartTimeInMedia,
    "sectionStartTimeInContainer": \.sectionStartTimeInContainer,
    "sectionStartAbsoluteTime": \.sectionStartAbsoluteTime,
  ]
  /// In which order they are written.
  private static let order = [
    "title", "subtitle", "studio", "seriesTitle", "season", "episode", "originalAirdate", "songName", "artist",
    "albumName", "albumArtist", "composer", "trackNumber", "discNumber", "location", "latitude", "longitude", "width",
    "height", "creationDateTime", "bookTitle", "chapterTitle", "chapterNumber", "contentRating", "releaseDate",
    "queueItemId", "sectionDuration", "sectionStartTimeInMedia", "sectionStartTimeInContainer",
    "sectionStartAbsoluteTime",
  ]
}
