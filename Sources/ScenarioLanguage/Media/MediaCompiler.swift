import CastProtocol

/// Compiles media to MediaInformation (docs/language/media.md "Media", docs/protocol.md 5.3) and checks what Cast makes
/// of them.
struct MediaCompiler {
  var styles: SymbolTable<TextTrackStyle>
  var likes: LikeResolver
  /// Whether a file next to the document exists.
  let fileExists: @Sendable (String) -> Bool
  /// Whether receivers find what listens on this computer at `localhost`.
  var receiversAreHere = false
  let problems: DiagnosticCollector

  /// A media with keys; `id` is its name under `media:`.
  mutating func media(_ written: FieldMap, id: String?) -> CompiledMedia {
    let map = likes.resolved(written, .media, reportingTo: problems)
    var media = CompiledMedia()
    media.id = id
    media.duration = map.duration("duration")
    media.places.duration = map.node("duration")?.place
    let url = map.node("url").flatMap { self.url($0, after: "url") }
    media.information.contentID = map.text("content_id") ?? url ?? ""
    media.information.contentURL = map.has("content_id") ? url : nil
    let type =
      map.text("type") ?? mediaType(of: url ?? "", at: map.node("url") ?? map.node("content_id"), example: "video/mp4")
    media.information.contentType = type
    media.note(map.node("url"), .media, type: type)
    media.isImage = type.map(MediaType.isImage) ?? false
    media.isLive = map.text("stream") == "live" || map.has("live")
    media.information.streamType = media.isLive ? "LIVE" : media.isImage ? "NONE" : "BUFFERED"
    media.information.duration = media.duration?.seconds
    media.information.metadata = metadata(map.map("metadata"), id: id)
    for image in map.map("metadata")?.list("images") ?? [] where self.url(image, after: "images") != nil {
      media.note(image, .image)
    }
    media.foreignIDs = map.texts(by: "ids")
    media.liveWindow = map.map("live")?.duration("window")
    readTracks(map, into: &media)
    media.information.textTrackStyle = textStyle("text_style", of: map)
    readAds(map, into: &media)
    if let hls = map.map("hls") {
      media.information.hlsSegmentFormat = hls.text("segment")
      media.information.hlsVideoSegmentFormat = hls.text("video")
    }
    media.information.startAbsoluteTime = map.map("live")?.moment("starts")
    if let custom = map.node("custom") { media.information.customData = FreeData.json(custom, reportingTo: problems) }
    return media
  }

  /// A bare URL; `key` is what stands before it.
  mutating func media(at node: YAMLNode, after key: String) -> CompiledMedia? {
    // An item has its URL under `media:` once it is a map.
    guard let text = url(node, after: ["queue", "play"].contains(key) ? "media" : key) else { return nil }
    var media = CompiledMedia()
    media.information.contentID = text
    media.information.contentType = mediaType(of: text, at: node, example: "video/mp4", bareAfter: key)
    media.note(node, .media, type: media.information.contentType)
    media.isImage = media.information.contentType.map(MediaType.isImage) ?? false
    media.information.streamType = media.isImage ? "NONE" : "BUFFERED"
    return media
  }

  /// A style by name or in place; `nil` when there is none.
  mutating func textStyle(_ key: String, of map: FieldMap) -> TextTrackStyle? {
    if let inner = map.map(key) { return textStyle(inner) }
    return map.node(key).flatMap { textStyle(named: $0) }
  }

  /// A style written in place.
  mutating func textStyle(_ map: FieldMap) -> TextTrackStyle {
    if let base = map.text("like") { _ = styles.use(base) }
    return TextStyleCompiler.style(likes.resolved(map, .textStyle, reportingTo: problems), reportingTo: problems)
  }

  mutating func textStyle(named node: YAMLNode) -> TextTrackStyle? {
    guard let name = node.text, !node.isEmpty else { return nil }
    if let style = styles.use(name) { return style }
    styles.report(unknown: name, kind: "text style", at: node, reportingTo: problems)
    return nil
  }

  /// The URL's text when a receiver can fetch it.
  mutating func url(_ node: YAMLNode, after key: String) -> String? {
    guard let text = node.text, let url = try? URLScalar.read(text) else { return nil }
    if let problem = url.problemOfReceivers(after: key, areHere: receiversAreHere) {
      problems.report(problem, at: node)
      return nil
    }
    if url.isFile, !fileExists(url.path) {
      problems.report(
        .warning, .n409, "file \(ScalarText.quoted(url.path)) was not found next to this document", at: node)
    }
    return text
  }

  /// The type from the extension; C509 where it says nothing.
  ///
  /// - Parameter bareAfter: The key before a URL that stands without a map of its own.
  mutating func mediaType(
    of url: String, at node: YAMLNode?, example: String, isTrack: Bool = false, bareAfter: String? = nil
  ) -> String? {
    // Files of this computer are served as WebVTT, whatever subtitles they are.
    let isServed = isTrack && url.hasPrefix("file:") && MediaType.pathExtension(of: url) == "srt"
    let type = isServed ? "text/vtt" : isTrack ? MediaType.ofTrack(at: url) : MediaType.ofMedia(at: url)
    guard type == nil, let node, !url.isEmpty || node.text != nil, !problems.hasErrors(within: node.span) else {
      return type
    }
    var label = MediaType.pathExtension(of: url).map { "`.\(ScalarText.shown($0))` says nothing" } ?? "no extension"
    var help = "add `type: \(example)`"
    if let bareAfter { help = Self.typeHint(url, type: example, after: bareAfter) }
    var commandLineHelp = "add `--type`, such as `--type video/mp4`"
    if isTrack {
      commandLineHelp =
        "subtitles are WebVTT or TTML: an address that ends with `.vtt` or `.ttml`; convert other kinds"
    }
    if isTrack, MediaType.isOtherSubtitles(url) {
      label = "receivers do not show these"
      help = "convert it to WebVTT, a file that ends with `.vtt`"
    } else if !isTrack, MediaType.isPage(url) {
      label = "a page, not a media file"
      help = "a receiver plays the file itself: a URL that ends with `.mp4`, `.m3u8` or the like"
      commandLineHelp = "a device plays the file itself: an address that ends with `.mp4`, `.m3u8` or the like"
    }
    problems.report(
      Diagnostic(
        .error, .c509, "the type of this \(isTrack ? "track" : "media") cannot be told from its URL", at: node, label,
        footers: [.help(help)]
      ).onCommandLine(commandLineHelp))
    return nil
  }

  /// How a type is said for a URL that stands alone.
  private static func typeHint(_ url: String, type: String, after key: String) -> String {
    let media = "{ url: \(ScalarText.shown(url)), type: \(type) }"
    switch key {
    case "media": return "write `media: \(media)`"
    case "queue": return "write `\(media)`"
    case "play": return "give it a name under `media:`, such as `film: \(media)`, and use the name"
    default: return "write `\(key): { media: \(media) }`"
    }
  }

  // Kinds and names: docs/protocol.md 5.4.
  private func metadata(_ map: FieldMap?, id: String?) -> JSONObject? {
    guard let map else { return id.map { ["metadataType": 0, "title": .string($0)] } }
    let kinds = ["generic": 0, "movie": 1, "tv": 2, "music": 3, "photo": 4]
    let kind = map.text("kind") ?? "generic"
    var object: JSONObject = ["metadataType": .int(kinds[kind] ?? 0)]
    let names: [(key: String, wire: String)] = [
      ("series", "seriesTitle"), ("title", "title"), ("subtitle", "subtitle"), ("artist", "artist"),
      ("studio", "studio"), ("season", "season"), ("episode", "episode"), ("album", "albumName"),
      ("album_artist", "albumArtist"), ("composer", "composer"), ("track", "trackNumber"), ("disc", "discNumber"),
      ("released", kind == "tv" ? "originalAirdate" : "releaseDate"), ("location", "location"),
      ("taken", "creationDateTime"),
    ]
    for (key, wire) in names {
      if ["season", "episode", "track", "disc"].contains(key) {
        if let number = map.int(key) { object[wire] = .int(number) }
      } else if let text = map.text(key) {
        object[wire] = .string(text)
      } else if key == "title", let id {
        object[wire] = .string(id)
      }
    }
    let images = map.texts("images")
    if !images.isEmpty { object["images"] = .array(images.map { ["url": .string($0)] }) }
    return object
  }
}
