/// MIME types by a URL's extension (docs/language/media.md "Media").
enum MediaType {
  private static let media = [
    "mp4": "video/mp4", "m4v": "video/mp4", "m4a": "audio/mp4", "mp3": "audio/mpeg", "webm": "video/webm",
    "m3u8": "application/x-mpegurl", "mpd": "application/dash+xml", "jpg": "image/jpeg", "jpeg": "image/jpeg",
    "png": "image/png", "gif": "image/gif", "webp": "image/webp", "mkv": "video/x-matroska", "mov": "video/quicktime",
    "ts": "video/mp2t", "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg", "wav": "audio/wav",
    "flac": "audio/flac", "aac": "audio/aac",
  ]
  private static let pages: Set<String> = ["html", "htm", "php", "asp", "aspx", "jsp"]
  private static let pageHosts = [
    "youtube.com", "youtu.be", "vimeo.com", "twitch.tv", "netflix.com", "dailymotion.com", "spotify.com",
  ]
  private static let tracks = ["vtt": "text/vtt", "ttml": "application/ttml+xml", "dfxp": "application/ttml+xml"]

  /// The type of files with an extension, the point included or not.
  static func ofAny(extension text: String) -> String? {
    let name = (text.hasPrefix(".") ? String(text.dropFirst()) : text).lowercased()
    return media[name] ?? tracks[name]
  }

  /// The type of media at a URL, `nil` where its extension says nothing.
  static func ofMedia(at url: String) -> String? { pathExtension(of: url).flatMap { media[$0] } }

  /// The type of a text track at a URL.
  static func ofTrack(at url: String) -> String? { pathExtension(of: url).flatMap { tracks[$0] } }

  /// Whether a URL leads to a page for browsers, by its ending or by its host.
  static func isPage(_ url: String) -> Bool {
    if let ending = pathExtension(of: url) { return pages.contains(ending) }
    guard let host = (try? URLScalar.read(url))?.host.lowercased() else { return false }
    return pageHosts.contains { host == $0 || host.hasSuffix("." + $0) }
  }

  /// Whether a URL leads to subtitles of a kind that receivers do not show.
  static func isOtherSubtitles(_ url: String) -> Bool {
    pathExtension(of: url).map { ["srt", "sub", "ass", "ssa", "sbv"].contains($0) } ?? false
  }

  static func isImage(_ type: String) -> Bool { type.lowercased().hasPrefix("image/") }

  /// The letters after the last point of the path, in lower case; queries and fragments do not count.
  static func pathExtension(of url: String) -> String? {
    let path = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let name = path.lastIndex(of: UInt8(ascii: "/")).map { path[path.index(after: $0)...] } ?? path
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return nil }
    let suffix = Substring(name[name.index(after: dot)...])
    return suffix.isEmpty ? nil : suffix.lowercased()
  }
}
