import CastProtocol

/// What a manifest of an adaptive stream leads to, one level down.
struct StreamManifest: Hashable {
  /// The first of the manifests that it lists, as written; `nil`: it lists segments.
  var variant: String?
  /// The first segment, as written; `nil` where none is found.
  var segment: String?
  /// RFC 6381, each once.
  var codecs: [String] = []

  /// HLS (RFC 8216); `nil` for what is none.
  init?(hls text: String) {
    let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix { $0.isWhitespace } }
    guard lines.first?.hasPrefix("#EXTM3U") == true else { return nil }
    var isVariant = false
    for line in lines {
      if line.hasPrefix("#EXT-X-STREAM-INF:") {
        isVariant = true
        if let start = line.range(of: "CODECS=\""), let end = line[start.upperBound...].firstIndex(of: "\"") {
          add(codecs: line[start.upperBound..<end])
        }
      } else if line.hasPrefix("#EXT-X-MAP:"), segment == nil, let start = line.range(of: "URI=\""),
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
    let base = [root, root.child("Period"), set, representation].compactMap { $0?.text("BaseURL") }.joined()
    let template = representation.child("SegmentTemplate") ?? set.child("SegmentTemplate")
    let list = (representation.child("SegmentList") ?? set.child("SegmentList"))?.child("SegmentURL")
    if let written = template?.attributes["initialization"] ?? template?.attributes["media"] {
      segment = base + Self.filled(written, representation, start: template?.attributes["startNumber"] ?? "1")
    } else if let written = list?.attributes["media"] {
      segment = base + written
    } else if !base.isEmpty {
      segment = base
    }
  }

  private mutating func add(codecs text: Substring) {
    for codec in text.split(separator: ",").map({ $0.filter { !$0.isWhitespace } })
    where !codecs.contains(codec) && codecs.count < 50 {
      codecs.append(codec)
    }
  }

  private static func filled(_ template: String, _ representation: XMLElement, start: String) -> String {
    var text = template.replacing("$RepresentationID$", with: representation.attributes["id"] ?? "")
      .replacing("$Bandwidth$", with: representation.attributes["bandwidth"] ?? "").replacing("$Time$", with: "0")
    while let begin = text.range(of: "$Number"), let end = text[begin.upperBound...].firstIndex(of: "$") {
      // `$Number%05d$` asks for so many digits.
      let width = text[begin.upperBound..<end].filter(\.isNumber).prefix(2)
      let digits = String(repeating: "0", count: max(0, min(20, Int(width) ?? 0) - start.count)) + start
      text.replaceSubrange(begin.lowerBound...end, with: digits)
    }
    return text.replacing("$$", with: "$")
  }
}

extension StringProtocol where SubSequence == Substring {
  /// Where a text stands first.
  fileprivate func range(of wanted: String) -> Range<Index>? { self[...].firstRange(of: wanted) }
}
