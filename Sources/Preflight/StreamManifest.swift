import CastProtocol

/// What a manifest of an adaptive stream leads to, one level down.
struct StreamManifest: Hashable {
  /// The first of the manifests that it lists, as written; `nil`: it lists segments.
  var variant: String?
  /// The first segment, as written; `nil` where none is found.
  var segment: String?
  /// Its base addresses: the first is relative to the manifest, each further one to the one before.
  var bases: [String] = []
  /// RFC 6381, each once.
  var codecs: [String] = []

  /// In bytes, of a template and of what is put into it.
  private static let mostPart = 2_048
  /// In bytes, of what becomes of a template: servers take no longer addresses.
  static let mostAddress = 8_192

  /// HLS (RFC 8216); `nil` for what is none.
  init?(hls text: String) {
    let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix { $0.isWhitespace } }
    guard lines.first?.hasPrefix("#EXTM3U") == true else { return nil }
    var isVariant = false
    for line in lines {
      if line.hasPrefix("#EXT-X-STREAM-INF:") {
        isVariant = true
        if let start = line.firstRange(of: "CODECS=\""), let end = line[start.upperBound...].firstIndex(of: "\"") {
          add(codecs: line[start.upperBound..<end])
        }
      } else if line.hasPrefix("#EXT-X-MAP:"), segment == nil, let start = line.firstRange(of: "URI=\""),
        let end = line[start.upperBound...].firstIndex(of: "\"")
      {
        segment = String(line[start.upperBound..<end])
      } else if !line.hasPrefix("#"), !line.isEmpty {
        if isVariant { variant = variant ?? String(line) } else { segment = segment ?? String(line) }
        isVariant = false
      }
    }
  }

  /// DASH (ISO 23009-1): the first segment of the first representation, where it is told by a template, a list or a base.
  init?(dash bytes: [UInt8]) {
    guard let root = try? XMLParser.parse(bytes), root.name == "MPD" else { return nil }
    let sets = root.everywhere("AdaptationSet")
    for set in sets {
      for element in [set] + set.all("Representation") {
        if let text = element.attributes["codecs"] { add(codecs: Substring(text)) }
      }
    }
    guard let set = sets.first, let representation = set.child("Representation") else { return }
    let levels = [root, root.child("Period"), set, representation].compactMap(\.self)
    bases = levels.compactMap { $0.text("BaseURL") }.filter { !$0.isEmpty }
    // The innermost counts; what it leaves out is as further out says.
    let templates = levels.reversed().compactMap { $0.child("SegmentTemplate") }
    func value(_ name: String) -> String? { templates.lazy.compactMap { $0.attributes[name] }.first }
    let list = levels.reversed().lazy.compactMap { $0.child("SegmentList") }.first
    let timeline = templates.lazy.compactMap { $0.child("SegmentTimeline") }.first
    if let written = value("initialization") ?? value("media") {
      segment = Self.filled(
        written, representation, number: value("startNumber") ?? "1",
        time: Self.time(timeline, isLive: root.attributes["type"] == "dynamic"))
    } else if let written = list?.child("Initialization")?.attributes["sourceURL"]
      ?? list?.child("SegmentURL")?.attributes["media"]
    {
      segment = written
    } else if let last = bases.popLast() {
      segment = last
    }
  }

  /// The start of a segment that exists: the first, or in a live stream, which drops old ones, the last (ISO 23009-1
  /// 5.3.9.6).
  private static func time(_ timeline: XMLElement?, isLive: Bool) -> String {
    var (next, last) = (0, 0)
    for (index, entry) in (timeline?.all("S") ?? []).enumerated() {
      func number(_ name: String) -> Int? {
        entry.attributes[name].flatMap { Int($0) }.flatMap { isTime($0) ? $0 : nil }
      }
      let start = number("t") ?? next
      if index == 0, !isLive { return "\(start)" }
      let (duration, repeats) = (number("d") ?? 0, max(0, number("r") ?? 0))
      let (length, overflows) = duration.multipliedReportingOverflow(by: repeats)
      guard !overflows, isTime(length), isTime(start + length) else { break }
      last = start + length
      next = last + duration
      guard isTime(next) else { break }
    }
    return "\(last)"
  }

  /// Whether a time or a length is one that a stream can have: two of them can be added.
  private static func isTime(_ number: Int) -> Bool { number.magnitude < 1 << 53 }

  private mutating func add(codecs text: Substring) {
    for codec in text.split(separator: ",").map({ $0.filter { !$0.isWhitespace } })
    where !codecs.contains(codec) && codecs.count < 50 {
      codecs.append(codec)
    }
  }

  /// The segment of a template; `nil` where it would be longer than an address is.
  private static func filled(_ template: String, _ representation: XMLElement, number: String, time: String) -> String?
  {
    let (id, bandwidth) = (representation.attributes["id"] ?? "", representation.attributes["bandwidth"] ?? "")
    guard [template, id, bandwidth, number].allSatisfy({ $0.utf8.count <= mostPart }) else { return nil }
    var text = template.replacing("$RepresentationID$", with: id)
    guard text.utf8.count <= mostAddress else { return nil }
    text = text.replacing("$Bandwidth$", with: bandwidth)
    guard text.utf8.count <= mostAddress else { return nil }
    for (name, value) in [("$Number", number), ("$Time", time)] {
      // As many as an address has room for.
      for _ in 0..<8 {
        guard let begin = text.firstRange(of: name), let end = text[begin.upperBound...].firstIndex(of: "$") else {
          break
        }
        // `$Number%05d$` asks for so many digits.
        let width = text[begin.upperBound..<end].filter(\.isNumber).prefix(2)
        let digits = String(repeating: "0", count: max(0, min(20, Int(width) ?? 0) - value.count)) + value
        text.replaceSubrange(begin.lowerBound...end, with: digits)
      }
    }
    guard text.utf8.count <= mostAddress else { return nil }
    return text.replacing("$$", with: "$")
  }
}
