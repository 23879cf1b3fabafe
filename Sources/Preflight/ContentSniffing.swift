/// What bytes are, by how they begin, as browsers find out (WHATWG MIME Sniffing), as far as receivers play it.
enum ContentSniffing {
  static func type(of bytes: [UInt8]) -> String? {
    func begins(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if begins("GIF87a") || begins("GIF89a") { return "image/gif" }
    if begins("RIFF"), begins("WEBP", at: 8) { return "image/webp" }
    if begins("RIFF"), begins("WAVE", at: 8) { return "audio/wav" }
    if begins("ftyp", at: 4) {
      // Pictures lie in the same kind of box as films.
      if begins("avif", at: 8) || begins("avis", at: 8) { return "image/avif" }
      if ["heic", "heix", "mif1", "msf1"].contains(where: { begins($0, at: 8) }) { return "image/heic" }
      return "video/mp4"
    }
    if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return "video/webm" }
    if begins("OggS") { return "audio/ogg" }
    if begins("fLaC") { return "audio/flac" }
    if begins("ID3") || bytes.starts(with: [0xFF, 0xFB]) { return "audio/mpeg" }
    if bytes.count > 376, bytes[0] == 0x47, bytes[188] == 0x47, bytes[376] == 0x47 { return "video/mp2t" }
    let text = String(decoding: bytes.prefix(1_000), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    if text.hasPrefix("#EXTM3U") { return "application/x-mpegurl" }
    if text.hasPrefix("WEBVTT") { return "text/vtt" }
    if text.contains("<MPD") { return "application/dash+xml" }
    if text.contains("<tt ") || text.contains("<tt>") || text.contains("<tt:tt") { return "application/ttml+xml" }
    let start = text.prefix(20).lowercased()
    if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") { return "text/html" }
    return nil
  }

  /// Width and height of a picture; `nil` where its first bytes do not tell.
  static func imageSize(of bytes: [UInt8]) -> (width: Int, height: Int)? {
    func big(_ place: Int, _ count: Int) -> Int? {
      guard place >= 0, place + count <= bytes.count else { return nil }
      return bytes[place..<(place + count)].reduce(0) { $0 << 8 | Int($1) }
    }
    func little(_ place: Int, _ count: Int) -> Int? {
      guard place >= 0, place + count <= bytes.count else { return nil }
      return bytes[place..<(place + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    func both(_ width: Int?, _ height: Int?) -> (width: Int, height: Int)? {
      guard let width, let height, width > 0, height > 0 else { return nil }
      return (width, height)
    }
    switch type(of: bytes) {
    case "image/png": return both(big(16, 4), big(20, 4))
    case "image/gif": return both(little(6, 2), little(8, 2))
    case "image/webp" where bytes.dropFirst(12).starts(with: "VP8X".utf8):
      return both(little(24, 3).map { $0 + 1 }, little(27, 3).map { $0 + 1 })
    case "image/webp" where bytes.dropFirst(12).starts(with: "VP8 ".utf8):
      return both(little(26, 2).map { $0 & 0x3FFF }, little(28, 2).map { $0 & 0x3FFF })
    case "image/webp" where bytes.dropFirst(12).starts(with: "VP8L".utf8):
      guard let bits = little(21, 4) else { return nil }
      return both((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    case "image/jpeg":
      var place = 2
      while let marker = big(place, 2), let length = big(place + 2, 2), marker >> 8 == 0xFF, length >= 2 {
        // Frame headers have the size; tables of codes, which lie between their numbers, do not.
        if (0xC0...0xCF).contains(marker & 0xFF), ![0xC4, 0xC8, 0xCC].contains(marker & 0xFF) {
          return both(big(place + 7, 2), big(place + 5, 2))
        }
        place += 2 + length
      }
      return nil
    default: return nil
    }
  }
}
