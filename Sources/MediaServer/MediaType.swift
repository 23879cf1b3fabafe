/// The MIME type of a file: by what it begins with, else by its name.
package enum MediaType {
  /// Enough of a file's beginning to know what it is.
  package static let sniffed = 512

  /// - Parameter name: Its name, of which the ending counts.
  package static func of(_ name: String, beginning bytes: [UInt8]) -> String {
    sniff(bytes) ?? byEnding[ending(of: name)] ?? "application/octet-stream"
  }

  static func ending(of name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  private static let byEnding: [String: String] = [
    "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/quicktime", "webm": "video/webm", "mkv": "video/x-matroska",
    "mp3": "audio/mpeg", "m4a": "audio/mp4", "aac": "audio/aac", "flac": "audio/flac", "ogg": "audio/ogg",
    "opus": "audio/ogg", "wav": "audio/wav", "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png",
    "gif": "image/gif", "webp": "image/webp", "bmp": "image/bmp", "svg": "image/svg+xml", "avif": "image/avif",
    "vtt": "text/vtt", "srt": "text/vtt", "ttml": "application/ttml+xml", "m3u8": "application/vnd.apple.mpegurl",
    "mpd": "application/dash+xml", "ts": "video/mp2t", "m4s": "video/iso.segment",
  ]

  /// By the signatures that these formats begin with; `nil` for any other.
  private static func sniff(_ bytes: [UInt8]) -> String? {
    func begins(_ prefix: [UInt8], at offset: Int = 0) -> Bool {
      bytes.count >= offset + prefix.count && Array(bytes[offset..<offset + prefix.count]) == prefix
    }
    func text(_ range: Range<Int>) -> String {
      bytes.count >= range.upperBound ? String(decoding: bytes[range], as: UTF8.self) : ""
    }
    if begins([0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if text(0..<6) == "GIF87a" || text(0..<6) == "GIF89a" { return "image/gif" }
    if text(0..<4) == "RIFF", text(8..<12) == "WEBP" { return "image/webp" }
    if text(0..<4) == "RIFF", text(8..<12) == "WAVE" { return "audio/wav" }
    if text(4..<8) == "ftyp" {
      switch text(8..<12) {
      case "M4A ", "M4B ": return "audio/mp4"
      case "qt  ": return "video/quicktime"
      case "avif", "avis": return "image/avif"
      default: return "video/mp4"
      }
    }
    // Matroska or WebM: the document type stands in the first bytes.
    if begins([0x1A, 0x45, 0xDF, 0xA3]) {
      return text(0..<min(64, bytes.count)).contains("webm") ? "video/webm" : "video/x-matroska"
    }
    if text(0..<3) == "ID3" || begins([0xFF, 0xFB]) || begins([0xFF, 0xF3]) { return "audio/mpeg" }
    if text(0..<4) == "fLaC" { return "audio/flac" }
    if text(0..<4) == "OggS" { return "audio/ogg" }
    if text(0..<6) == "WEBVTT" || text(3..<9) == "WEBVTT" && begins([0xEF, 0xBB, 0xBF]) { return "text/vtt" }
    return nil
  }
}
