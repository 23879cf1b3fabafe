import CastProtocol

/// What a `contentType` says, or else the suffix of the address.
enum ContentType {
  private static let streaming: Set<String> = [
    "application/x-mpegurl", "application/vnd.apple.mpegurl", "application/dash+xml",
  ]
  private static let imageSuffixes: Set<String> = ["jpg", "jpeg", "png", "gif", "bmp", "webp", "svg", "apng"]
  private static let audioSuffixes: Set<String> = ["mp3", "m4a", "aac", "ogg", "oga", "opus", "wav", "flac", "weba"]

  /// The category of a media or a clip; `nil` when no device plays it.
  ///
  /// What is no MIME type counts as unknown: it is guessed from the address, and without a hint there as video/mp4
  /// (docs/protocol.md 5.3). A clip may say `mimeType` instead (5.7).
  static func category(of media: JSONObject) -> LoadedMedia.Category? {
    let given = (media["contentType"]?.string ?? media["mimeType"]?.string ?? "").lowercased()
    guard given.contains("/") else { return guess(media.contentAddress ?? "") }
    let type = String(given.prefix { $0 != ";" && $0 != " " })
    if type.hasPrefix("video/") || streaming.contains(type) { return .video }
    if type.hasPrefix("audio/") { return .audio }
    return type.hasPrefix("image/") ? .image : nil
  }

  private static func guess(_ address: String) -> LoadedMedia.Category {
    let path = address.prefix { $0 != "?" && $0 != "#" }
    guard let dot = path.lastIndex(of: ".") else { return .video }
    let suffix = path[path.index(after: dot)...].lowercased()
    return imageSuffixes.contains(suffix) ? .image : audioSuffixes.contains(suffix) ? .audio : .video
  }
}

extension JSONObject {
  /// Where content is: `contentUrl`, else `contentId` (docs/protocol.md 5.3).
  var contentAddress: String? {
    [self["contentUrl"]?.string, self["contentId"]?.string].compactMap { $0 }.first { !$0.isEmpty }
  }
}
