/// Codecs as manifests write them (RFC 6381).
extension MP4Reading {
  /// Of one sound, each inside of the one before.
  private static let mostDescriptors = 8

  /// What an entry of `stsd` is, with what its configuration says.
  mutating func codec(of entry: Box) -> String? {
    var type = entry.type
    let isSound = [
      "mp4a", "enca", "ac-3", "ec-3", "ac-4", "Opus", "fLaC", "alac", "dtsc", "dtse", "dtsh", "mlpa", ".mp3",
    ]
    .contains(type)
    var start = entry.start + (isSound ? 28 : 78)
    // QuickTime has more fields for sound.
    if isSound, let version = number(entry.start + 8, 2) { start += version == 1 ? 16 : version == 2 ? 36 : 0 }
    let inner = boxes(from: start, to: entry.end)
    func content(_ name: String) -> Int? { inner.first { $0.type == name }?.start }
    if type == "encv" || type == "enca" {
      // The format before it was encrypted.
      guard let scheme = inner.first(where: { $0.type == "sinf" }),
        let format = children(of: scheme).first(where: { $0.type == "frma" }),
        let original = self.type(at: format.start)
      else { return nil }
      type = original
    }
    switch type {
    case "avc1", "avc3":
      guard let place = content("avcC"), let profile = number(place + 1, 3) else { return type }
      return "\(type).\(hex(profile, 6))"
    case "hvc1", "hev1", "dvh1", "dvhe":
      guard let place = content("hvcC"), let first = number(place + 1, 1),
        let flags = number(place + 2, 4),
        let level = number(place + 12, 1)
      else { return type }
      let tier = first >> 5 & 1 == 1 ? "H" : "L"
      let reversed = (0..<32).reduce(0) { $0 | (flags >> $1 & 1) << (31 - $1) }
      return "\(type).\(first & 31).\(String(reversed, radix: 16, uppercase: true)).\(tier)\(level)"
    case "av01":
      guard let place = content("av1C"), let first = number(place + 1, 1),
        let flags = number(place + 2, 1)
      else { return type }
      let depth = flags >> 6 & 1 == 0 ? "08" : flags >> 5 & 1 == 0 ? "10" : "12"
      return "av01.\(first >> 5).\(two(first & 31))\(flags >> 7 == 1 ? "H" : "M").\(depth)"
    case "vp08", "vp09":
      guard let place = content("vpcC"), let profile = number(place + 4, 1),
        let level = number(place + 5, 1),
        let depth = number(place + 6, 1)
      else { return type }
      return "\(type).\(two(profile)).\(two(level)).\(two(depth >> 4))"
    case "mp4a": return content("esds").map { sound(at: $0 + 4) } ?? type
    case "Opus": return "opus"
    case "fLaC": return "flac"
    case "tx3g", "text", "wvtt", "stpp", "tmcd", "mett", "metx", "rtmd", "gpmd", "c608", "mebx": return nil
    default:
      // Others choose the letters.
      let isPlain = type.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
          || $0 == 0x2E
      }
      return isPlain && type.utf8.count == 4 ? type : nil
    }
  }

  /// `mp4a.40.2`: the kind and, for AAC, its profile (ISO 14496-1 7.2.6).
  private func sound(at start: Int) -> String {
    var place = start
    var kind: Int?
    for _ in 0..<Self.mostDescriptors {
      guard let tag = number(place, 1) else { break }
      place += 1
      // A length of up to four bytes.
      for _ in 0..<4 {
        guard let part = number(place, 1) else { break }
        place += 1
        if part & 0x80 == 0 { break }
      }
      switch tag {
      case 3:
        guard let flags = number(place + 2, 1) else { return "mp4a" }
        place += 3
        if flags & 0x80 != 0 { place += 2 }
        if flags & 0x40 != 0 { place += 1 + (number(place, 1) ?? 0) }
        if flags & 0x20 != 0 { place += 2 }
      case 4:
        kind = number(place, 1)
        place += 13
      case 5:
        guard let kind else { return "mp4a" }
        guard kind == 0x40, let first = number(place, 2) else { return "mp4a.\(hex(kind, 2))" }
        let profile = first >> 11
        return "mp4a.40.\(profile == 31 ? 32 + (first >> 5 & 63) : profile)"
      default: return kind.map { "mp4a.\(hex($0, 2))" } ?? "mp4a"
      }
    }
    return kind.map { "mp4a.\(hex($0, 2))" } ?? "mp4a"
  }

  private func hex(_ number: Int, _ count: Int) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
