import CastProtocol
import Testing

@Suite struct MediaMetadataTests {
  static let everyField = #"""
    {"metadataType":3,"title":"T","subtitle":"S","studio":"St","seriesTitle":"Se","season":1,"episode":2,
    "originalAirdate":"2014-02-10","songName":"So","artist":"A","albumName":"Al","albumArtist":"AA","composer":"C",
    "trackNumber":5,"discNumber":1,"location":"Oslo","latitude":59.9,"longitude":10.75,"width":4000,"height":3000,
    "creationDateTime":"2014-02-10T15:47:00Z","bookTitle":"B","chapterTitle":"Ch","chapterNumber":7,
    "contentRating":"PG","releaseDate":"2024-02-10","queueItemId":4,"sectionDuration":60,"sectionStartTimeInMedia":10.5,
    "sectionStartTimeInContainer":20,"sectionStartAbsoluteTime":1790000000.25,
    "images":[{"url":"https://x/1.png","width":640,"height":0},{"url":"https://x/2.png"}],
    "posterUrl":"https://x/p.png","mood":{"calm":true}}
    """#

  @Test("Every field of metadata is read and written; what is not known is kept")
  func roundTrip() throws {
    let object = try #require(try JSONValue(parsing: Self.everyField).object)
    let metadata = MediaMetadata(object)
    #expect(metadata.json == object)
    #expect(metadata.kind == .musicTrack && metadata.composer == "C" && metadata.discNumber == 1)
    #expect(metadata.latitude == 59.9 && metadata.sectionStartAbsoluteTime == 1_790_000_000.25)
    #expect(metadata.images?.map(\.height) == [0, nil])
    #expect(metadata.other == ["posterUrl": "https://x/p.png", "mood": ["calm": true]])
    #expect(MediaMetadata(metadata.json) == metadata)
  }

  static let kinds: [(text: String, kind: MediaMetadata.Kind)] = [
    ("{}", .generic), (#"{"metadataType":0}"#, .generic), (#"{"metadataType":1}"#, .movie),
    (#"{"metadataType":2}"#, .tvShow), (#"{"metadataType":3}"#, .musicTrack), (#"{"metadataType":4}"#, .photo),
    (#"{"metadataType":5}"#, .audiobookChapter), (#"{"metadataType":103}"#, .unknown(103)),
    (#"{"metadataType":"2"}"#, .tvShow), (#"{"type":3}"#, .musicTrack), (#"{"metadataType":null,"type":1}"#, .movie),
  ]
  @Test("The kind is a number, in one of two places; a new one is kept", arguments: kinds)
  func kind(text: String, kind: MediaMetadata.Kind) throws {
    let object = try #require(try JSONValue(parsing: text).object)
    #expect(MediaMetadata(object).kind == kind)
  }

  @Test("Old names count where the present one is missing")
  func oldNames() {
    let old = MediaMetadata(["episodeTitle": "E", "seasonNumber": 3, "episodeNumber": 4, "artistName": "A"])
    #expect(old.title == "E" && old.season == 3 && old.episode == 4 && old.artist == "A")
    #expect(MediaMetadata(["title": "T", "episodeTitle": "E"]).title == "T")
  }

  @Test("Values nobody can read, and null, are no fields; they are not lost either")
  func unreadable() {
    let metadata = MediaMetadata(["title": ["en": "T"], "season": "one", "subtitle": .null, "images": "x"])
    #expect(metadata.title == nil && metadata.season == nil && metadata.images == nil)
    #expect(metadata.other == ["title": ["en": "T"], "season": "one", "images": "x"])
  }

  // MARK: words

  @Test("Words of messages are read in any case; new ones are kept as they are")
  func words() {
    for text in ["INSERT", "insert"] { #expect(WireWord<QueueChange.Kind>(text) == .known(.insert)) }
    let new = WireWord<QueueChange.Kind>("Shuffle")
    #expect(new == .unknown("Shuffle") && new.text == "Shuffle" && new.known == nil)
  }

  @Test("An audiobook's container is read and written whole")
  func container() throws {
    let json = try JSONValue(
      parsing: #"""
        {"id":"q","name":"N","description":"D","entity":"e","queueType":"AUDIOBOOK","repeatMode":"REPEAT_OFF",
        "shuffle":false,"startIndex":0,"startTime":1.5,"containerMetadata":{"containerType":1,"title":"Book",
        "containerDuration":36000,"containerImages":[{"url":"u"}],"sections":[{"metadataType":5,"chapterTitle":"One"}],
        "authors":["A"],"narrators":["N"],"publisher":"P","releaseDate":"2014-02-10"},"items":[{"itemId":1}]}
        """#)
    let queue = try #require(QueueData(json))
    #expect(queue.json == json)
    #expect(queue.container?.narrators == ["N"] && queue.items?.first?.itemID == 1)
  }
}
