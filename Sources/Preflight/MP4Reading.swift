/// What a film in boxes (ISO 14496-12) says of its codecs, from the parts of it that were fetched.
enum MP4Reading {
  /// What the beginning of a film leads to.
  enum Outcome: Hashable {
    /// RFC 6381, each once.
    case codecs([String])
    /// The box with the codecs begins at `offset`; `length` is `nil` where its header was not read.
    case elsewhere(offset: Int, length: Int?)
    case unknown
  }

  /// More boxes are not looked at.
  private static let mostBoxes = 1_000
  private static let mostDepth = 8

  private struct Box {
    let type: String
    /// Of what is inside, in the bytes at hand; it may end beyond them.
    let start: Int
    let end: Int
  }

  /// - Parameters:
  ///   - bytes: A part of the file that begins with a box.
  ///   - offset: Where it lies in the file.
  static func outcome(_ bytes: [UInt8], at offset: Int = 0) -> Outcome {
    var place = 0
    for _ in 0..<mostBoxes {
      guard let box = box(bytes, at: place) else { break }
      if box.type == "moov" {
        let found = codecs(bytes, box)
        // A cut box would miss the sound, which often follows the long tables of the pictures.
        if box.end > bytes.count { return .elsewhere(offset: offset + place, length: box.end - place) }
        return found.isEmpty ? .unknown : .codecs(found)
      }
      guard box.end > place, box.end < .max / 2 else { return .unknown }
      place = box.end
    }
    return place > bytes.count || place == bytes.count && place > 0
      ? .elsewhere(offset: offset + place, length: nil) : .unknown
  }

  /// The codecs of a movie box, of which the end may be missing.
  static func codecs(ofMovie bytes: [UInt8]) -> [String] {
    box(bytes, at: 0).map { $0.type == "moov" ? codecs(bytes, $0) : [] } ?? []
  }

  private static func codecs(_ bytes: [UInt8], _ movie: Box) -> [String] {
    var found: [String] = []
    for track in children(bytes, movie) where track.type == "trak" {
      var tables = [track]
      for name in ["mdia", "minf", "stbl", "stsd"] {
        tables = tables.flatMap { children(bytes, $0) }.filter { $0.type == name }
      }
      for table in tables {
        // A version, flags and a number come before the entries.
        for entry in boxes(bytes, table.start + 8, table.end) {
          if let codec = codec(bytes, entry), !found.contains(codec) { found.append(codec) }
        }
      }
    }
    return found
  }

  // MARK: boxes

  private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int? {
    guard place >= 0, count <= 7, place <= bytes.count - count else { return nil }
    return bytes[place..<(place + count)].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func type(_ bytes: [UInt8], at place: Int) -> String? {
    guard place >= 0, place <= bytes.count - 4 else { return nil }
    return String(decoding: bytes[place..<(place + 4)], as: UTF8.self)
  }

  private static func box(_ bytes: [UInt8], at place: Int) -> Box? {
    guard var size = number(bytes, place, 4), let type = type(bytes, at: place + 4) else { return nil }
    var header = 8
    if size == 1 {
      // 64 bits, of which the first eight are zero in any file there is.
      guard number(bytes, place + 8, 1) == 0, let long = number(bytes, place + 9, 7) else { return nil }
      (size, header) = (long, 16)
    }
    // 0: to the end of the file.
    if size == 0 { size = max(8, bytes.count - place) }
    guard size >= header, size < .max / 4 else { return nil }
    return Box(type: type, start: place + header, end: place + size)
  }

  private static func boxes(_ bytes: [UInt8], _ start: Int, _ end: Int) -> [Box] {
    var found: [Box] = []
    var place = start
    while place < min(end, bytes.count), found.count < mostBoxes, let box = box(bytes, at: place) {
      found.append(box)
      place = box.end
    }
    return found
  }

  private static func children(_ bytes: [UInt8], _ box: Box) -> [Box] { boxes(bytes, box.start, box.end) }

  // MARK: codecs

  /// What an entry of `stsd` is, with what its configuration says.
  private static func codec(_ bytes: [UInt8], _ entry: Box) -> String? {
    var type = entry.type
    let isSound = [
      "mp4a", "enca", "ac-3", "ec-3", "ac-4", "Opus", "fLaC", "alac", "dtsc", "dtse", "dtsh", "mlpa", ".mp3",
    ]
    .contains(type)
    var start = entry.start + (isSound ? 28 : 78)
    // QuickTime has more fields for sound.
    if isSound, let version = number(bytes, entry.start + 8, 2) { start += version == 1 ? 16 : version == 2 ? 36 : 0 }
    let inner = boxes(bytes, start, entry.end)
    func content(_ name: String) -> Int? { inner.first { $0.type == name }?.start }
    if type == "encv" || type == "enca" {
      // The format before it was encrypted.
      guard let scheme = inner.first(where: { $0.type == "sinf" }),
        let format = children(bytes, scheme).first(where: { $0.type == "frma" }),
        let original = Self.type(bytes, at: format.start)
      else { return nil }
      type = original
    }
    switch type {
    case "avc1", "avc3":
      guard let place = content("avcC"), let profile = number(bytes, place + 1, 3) else { return type }
      return "\(type).\(hex(profile, 6))"
    case "hvc1", "hev1", "dvh1", "dvhe":
      guard let place = content("hvcC"), let first = number(bytes, place + 1, 1),
        let flags = number(bytes, place + 2, 4),
        let level = number(bytes, place + 12, 1)
      else { return type }
      let tier = first >> 5 & 1 == 1 ? "H" : "L"
      let reversed = (0..<32).reduce(0) { $0 | (flags >> $1 & 1) << (31 - $1) }
      return "\(type).\(first & 31).\(String(reversed, radix: 16, uppercase: true)).\(tier)\(level)"
    case "av01":
      guard let place = content("av1C"), let first = number(bytes, place + 1, 1),
        let flags = number(bytes, place + 2, 1)
      else { return type }
      let depth = flags >> 6 & 1 == 0 ? "08" : flags >> 5 & 1 == 0 ? "10" : "12"
      return "av01.\(first >> 5).\(two(first & 31))\(flags >> 7 == 1 ? "H" : "M").\(depth)"
    case "vp08", "vp09":
      guard let place = content("vpcC"), let profile = number(bytes, place + 4, 1),
        let level = number(bytes, place + 5, 1),
        let depth = number(bytes, place + 6, 1)
      else { return type }
      return "\(type).\(two(profile)).\(two(level)).\(two(depth >> 4))"
    case "mp4a": return content("esds").map { sound(bytes, $0 + 4) } ?? type
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
  private static func sound(_ bytes: [UInt8], _ start: Int) -> String {
    var place = start
    var kind: Int?
    for _ in 0..<mostDepth {
      guard let tag = number(bytes, place, 1) else { break }
      place += 1
      // A length of up to four bytes.
      for _ in 0..<4 {
        guard let part = number(bytes, place, 1) else { break }
        place += 1
        if part & 0x80 == 0 { break }
      }
      switch tag {
      case 3:
        guard let flags = number(bytes, place + 2, 1) else { return "mp4a" }
        place += 3
        if flags & 0x80 != 0 { place += 2 }
        if flags & 0x40 != 0 { place += 1 + (number(bytes, place, 1) ?? 0) }
        if flags & 0x20 != 0 { place += 2 }
      case 4:
        kind = number(bytes, place, 1)
        place += 13
      case 5:
        guard let kind else { return "mp4a" }
        guard kind == 0x40, let first = number(bytes, place, 2) else { return "mp4a.\(hex(kind, 2))" }
        let profile = first >> 11
        return "mp4a.40.\(profile == 31 ? 32 + (first >> 5 & 63) : profile)"
      default: return kind.map { "mp4a.\(hex($0, 2))" } ?? "mp4a"
      }
    }
    return kind.map { "mp4a.\(hex($0, 2))" } ?? "mp4a"
  }

  private static func hex(_ number: Int, _ count: Int) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
