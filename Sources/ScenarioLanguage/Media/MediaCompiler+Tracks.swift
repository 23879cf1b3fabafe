import CastProtocol

extension MediaCompiler {
  /// Numbers the tracks 1, 2, 3 ... around the numbers that are pinned, and fills in types.
  mutating func readTracks(_ map: FieldMap, into media: inout CompiledMedia) {
    let maps = map.maps("tracks")
    guard !maps.isEmpty else { return }
    var taken = Set(maps.compactMap { $0.int("number") })
    var next = 1
    var byID: [String: CompiledMedia.Track] = [:]
    var byNumber: [Int: CompiledMedia.Track] = [:]
    var wire: [MediaInformation.Track] = []
    for map in maps {
      guard let id = map.text("id"), let idSpan = map.span("id") else { continue }
      let number: Int
      if let pinned = map.int("number") {
        number = pinned
      } else {
        while taken.contains(next) { next += 1 }
        number = next
        taken.insert(next)
      }
      if let other = byID[id] ?? byNumber[number] {
        let what =
          other.id == id ? "track `\(id)` is declared twice" : "tracks `\(other.id)` and `\(id)` have the same number"
        problems.report(
          .error, .c503, what, at: .init(idSpan, "again here"), related: [.init(other.span, "first here")])
        continue
      }
      let compiledTrack = track(map, id: id, number: number)
      wire.append(compiledTrack)
      media.note(map.node("url"), compiledTrack.type == "TEXT" ? .track : .media, type: compiledTrack.trackContentType)
      let compiled = CompiledMedia.Track(
        id: id, number: number, kind: map.text("kind") ?? "text", language: map.text("language"), span: idSpan)
      media.add(compiled)
      byID[id] = compiled
      byNumber[number] = compiled
    }
    media.information.tracks = wire
  }

  private mutating func track(_ map: FieldMap, id: String, number: Int) -> MediaInformation.Track {
    var track = MediaInformation.Track()
    let kind = map.text("kind") ?? "text"
    track.trackID = number
    track.type = kind.uppercased()
    track.subtype = map.text("subtype")?.uppercased()
    track.language = map.text("language")
    track.name = map.text("name")
    if let node = map.node("url") {
      track.trackContentID = url(node, after: "url")
      if kind == "text" { checkMixedContent(node, id: id) }
      track.trackContentType =
        map.text("type")
        ?? (kind == "text"
          ? mediaType(of: node.text ?? "", at: node, example: "text/vtt", isTrack: true)
          : MediaType.ofMedia(at: node.text ?? ""))
    } else {
      track.trackContentType = map.text("type")
      if kind == "text", map.bool("inband") != true, !map.has("number") {
        problems.report(
          .error, .k105, "text track `\(id)` has no `url`", at: .init(map.span("id") ?? map.span),
          footers: [.help("for a track inside the stream add `inband: true`")])
      }
    }
    track.isInband = map.bool("inband")
    return track
  }

  /// C511: receiver pages come by https, and what they fetch by script must then come by https, too.
  private mutating func checkMixedContent(_ node: YAMLNode, id: String) {
    guard let text = node.text, let url = try? URLScalar.read(text), url.scheme.lowercased() == "http",
      !problems.hasError(at: node.span(of: url.hostRange))
    else { return }
    problems.report(
      .warning, .c511, "text track `\(id)` comes by http, receiver pages by https", at: node,
      part: url.schemeRange, "may stay empty without an error",
      footers: [
        .help("serve it by https, with an `Access-Control-Allow-Origin` header"),
        .note("the page of the Default Media Receiver comes by https; browsers keep such pages from reading http"),
      ])
  }

  /// The wire ids of tracks that shall be active; C503 for one that is not declared, C510 for two text tracks.
  mutating func activeTracks(_ nodes: [YAMLNode], of media: CompiledMedia) -> [Int] {
    var found: [Int] = []
    var text: (track: CompiledMedia.Track, node: YAMLNode)?
    for node in nodes {
      guard let name = node.text else { continue }
      guard let track = media.track(name) else {
        problems.report(unknownTrack(name, of: media, at: node))
        continue
      }
      if track.kind == "text", let other = text, other.track.id != track.id {
        problems.report(
          .error, .c510, "two active text tracks: `\(other.track.id)` and `\(track.id)`", at: node,
          "a receiver shows one", related: [.init(other.node.place, "first text track")])
      }
      if track.kind == "text", text == nil { text = (track, node) }
      found.append(track.number)
    }
    return found
  }

  private func unknownTrack(_ name: String, of media: CompiledMedia, at node: YAMLNode) -> Diagnostic {
    let place = media.id.map { "media `\($0)`" } ?? "this media"
    let suggestion =
      problems.budget.exceedsReading ? nil : Suggestions.nearest(to: name, among: media.tracks.prefix(500).map(\.id))
    let declared = ScalarText.listed(media.tracks.lazy.map(\.id))
    let related = media.tracks.first.map { [Diagnostic.Label($0.span, "declared: \(declared)")] } ?? []
    return Diagnostic(
      .error, .c503, "track \(ScalarText.quoted(name)) is not declared by \(place)", at: node,
      Suggestions.label(suggestion, else: "no such track"), related: related,
      footers: [
        .help(
          "declare it under `\(media.id.map { "media.\($0)." } ?? "")tracks`; for a track inside the stream add `inband: true`"
        )
      ])
  }
}
