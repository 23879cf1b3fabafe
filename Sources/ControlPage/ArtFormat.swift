/// What the first bytes of a picture say; only what browsers show and cannot run.
enum ArtFormat: String, CaseIterable {
  case jpeg, png, gif, webp, avif

  /// `nil` for anything else.
  init?(_ bytes: [UInt8]) {
    func has(_ text: String, at place: Int) -> Bool { bytes.dropFirst(place).starts(with: Array(text.utf8)) }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if has("GIF87a", at: 0) || has("GIF89a", at: 0) {
      self = .gif
    } else if has("RIFF", at: 0), has("WEBP", at: 8) {
      self = .webp
    } else if has("ftypavif", at: 4) || has("ftypavis", at: 4) {
      self = .avif
    } else {
      return nil
    }
  }

  var type: String { "image/\(rawValue)" }

  /// In pixels; `nil` where it is not found.
  func width(of bytes: [UInt8]) -> Int? {
    func big(_ place: Int) -> Int? { place + 1 < bytes.count ? Int(bytes[place]) << 8 | Int(bytes[place + 1]) : nil }
    func little(_ place: Int) -> Int? { place + 1 < bytes.count ? Int(bytes[place + 1]) << 8 | Int(bytes[place]) : nil }
    switch self {
    case .png: return big(16).flatMap { high in big(18).map { high << 16 | $0 } }
    case .gif: return little(6)
    case .webp where bytes.dropFirst(12).starts(with: Array("VP8X".utf8)): return little(24).map { $0 + 1 }
    case .webp where bytes.dropFirst(12).starts(with: Array("VP8L".utf8)): return little(21).map { $0 & 0x3FFF + 1 }
    case .webp: return little(26).map { $0 & 0x3FFF }
    case .avif: return nil
    case .jpeg:
      // Segments follow each other; one that starts a frame has the size.
      var place = 2
      while let marker = big(place), marker >= 0xFFC0, let length = big(place + 2), length >= 2 {
        if (0xFFC0...0xFFCF).contains(marker), ![0xFFC4, 0xFFC8, 0xFFCC].contains(marker) { return big(place + 7) }
        place += 2 + length
      }
      return nil
    }
  }
}
