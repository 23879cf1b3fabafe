import CastProtocol
import ScenarioLanguage

/// The names and definitions that the steps of a recorded scenario use.
struct RecordedDefinitions {
  var secrets = RecordedSecrets()
  /// By place in the book.
  var mediaIDs: [Int: String] = [:]
  private var taken: Set<String> = []
  /// Names of tracks by wire id, by the media's place.
  var trackIDs: [Int: [Int: String]] = [:]
  /// What stands below `media:`.
  var lines: [String] = []
  /// Content that can be named in expectations.
  var contents: [Int: String] = [:]
  /// Media whose ads could not be taken over.
  var withoutAds: Set<Int> = []
  var hasCustomData = false
  /// Media that the document cannot define: nobody said where they are.
  var undefined: Set<Int> = []

  /// - Parameters:
  ///   - used: What steps load or name, by place.
  ///   - furthest: How far it was seen to play, in seconds.
  init(of book: RecordedMediaBook, used: Set<Int>, furthest: [Int: Double]) {
    for place in used.sorted() {
      guard let media = book[place] else { continue }
      define(media, at: place, furthest: furthest[place] ?? 0)
    }
  }

  private mutating func define(_ media: MediaInformation, at place: Int, furthest: Double) {
    let title = Self.title(of: media)
    let name = title ?? String(RecordedAddress.file(of: media.contentID).prefix { $0 != "." })
    let id = RecordedText.id(of: name, taken: &taken, else: "media")
    let slug = id.replacing("-", with: "_")
    var secrets = secrets
    let content = RecordedAddress(media.contentID, of: slug, secrets: &secrets)
    let url = media.contentURL.flatMap { RecordedAddress($0, of: slug, secrets: &secrets) }
    var body: [String] = []
    if let url, url.isWeb {
      body.append("url: \(RecordedText.quoted(url.text))")
      if let content, content.text != url.text { body.append("content_id: \(RecordedText.quoted(content.text))") }
    } else if let content {
      let remark = content.isWeb ? "" : " # only its own app can play this"
      body.append("\(content.isWeb ? "url" : "content_id"): \(RecordedText.quoted(content.text))\(remark)")
    } else {
      undefined.insert(place)
      return
    }
    self.secrets = secrets
    mediaIDs[place] = id
    if let content, !content.hasSecrets { contents[place] = content.text }
    body += Self.kind(of: media, furthest: furthest)
    body += metadata(of: media, title: title, slug: slug)
    body += tracks(of: media, at: place, slug: slug)
    body += ads(of: media, at: place, slug: slug)
    lines.append("  \(id):")
    lines += body.map { "    \($0)" }
  }

  /// An address that a receiver elsewhere could fetch; of others no secret is noted.
  mutating func webAddress(_ text: String, of slug: String) -> RecordedAddress? {
    var secrets = secrets
    guard let address = RecordedAddress(text, of: slug, secrets: &secrets), address.isWeb else { return nil }
    self.secrets = secrets
    return address
  }

  static func title(of media: MediaInformation) -> String? {
    let details = media.details
    let title = details?.title ?? details?.songName ?? details?.chapterTitle
    return title.map { RecordedText.clean($0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func kind(of media: MediaInformation, furthest: Double) -> [String] {
    var lines: [String] = []
    if let type = media.contentType, (try? NameScalar.mime(type)) != nil, RecordedText.clean(type) == type {
      lines.append("type: \(RecordedText.value(type))")
    } else {
      // Devices go by the ending of the address; documents want to know.
      lines.append("type: video/mp4 # the device did not say it")
    }
    if media.isLiveStream {
      lines.append("stream: live")
      if furthest > 0 {
        lines.append("live: { window: \(RecordedText.limit(.clamped(seconds: furthest + 60))) } # as far as was sought")
      }
    }
    if !media.isLiveStream, let duration = media.duration, duration.isFinite, duration >= 0.1 {
      lines.append("duration: \(RecordedText.spelledToTenth(duration))")
    } else if !media.isLiveStream, !media.isPicture, furthest > 45 {
      // A virtual receiver would take it for a minute.
      lines.append("duration: \(RecordedText.limit(.clamped(seconds: furthest + 60))) # the device did not say it")
    }
    let segments = ["aac", "ac3", "mp3", "ts", "ts_aac", "e_ac3", "fmp4"]
    let segment = media.hlsSegmentFormat?.lowercased().nilUnless { segments.contains($0) }
    let video = media.hlsVideoSegmentFormat?.lowercased().nilUnless { ["mpeg2_ts", "fmp4"].contains($0) }
    let hls = [segment.map { "segment: \($0)" }, video.map { "video: \($0)" }].compactMap { $0 }
    if !hls.isEmpty { lines.append("hls: { \(hls.joined(separator: ", ")) }") }
    return lines
  }

  private mutating func metadata(of media: MediaInformation, title: String?, slug: String) -> [String] {
    guard let details = media.details else { return [] }
    var lines: [String] = []
    func add(_ key: String, _ text: String?) {
      guard let text = text.map({ RecordedText.clean($0) }), !text.isEmpty else { return }
      lines.append("  \(key): \(RecordedText.value(text))")
    }
    func add(_ key: String, _ number: Int?) {
      if let number, (0...100_000).contains(number) { lines.append("  \(key): \(number)") }
    }
    var released = details.releaseDate
    switch details.kind {
    case .movie:
      lines.append("  kind: movie")
      add("title", title)
      add("subtitle", details.subtitle)
      add("studio", details.studio)
    case .tvShow:
      lines.append("  kind: tv")
      add("title", title)
      add("series", details.seriesTitle)
      add("season", details.season)
      add("episode", details.episode)
      released = details.originalAirdate
    case .musicTrack:
      lines.append("  kind: music")
      add("title", title)
      add("artist", details.artist)
      add("album", details.albumName)
      add("album_artist", details.albumArtist)
      add("composer", details.composer)
      add("track", details.trackNumber)
      add("disc", details.discNumber)
    case .photo:
      lines.append("  kind: photo")
      add("title", title)
      add("artist", details.artist)
      add("location", details.location)
      released = nil
    case .generic, .audiobookChapter, .unknown:
      add("title", title)
      add("subtitle", details.subtitle)
      add("artist", details.artist)
    }
    if let date = released?.prefix(10), date.utf8.count == 10, (try? TimeScalar.date(String(date))) != nil {
      lines.append("  released: \(date)")
    }
    let images = (details.images ?? []).prefix(4).compactMap { image in
      webAddress(image.url, of: slug).map { RecordedText.quoted($0.text) }
    }
    if !images.isEmpty { lines.append("  images: [\(images.joined(separator: ", "))]") }
    return lines.isEmpty ? [] : ["metadata:"] + lines
  }
}

extension String {
  func nilUnless(_ isWanted: (String) -> Bool) -> String? { isWanted(self) ? self : nil }
}
