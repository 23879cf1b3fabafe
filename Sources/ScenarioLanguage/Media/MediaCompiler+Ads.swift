import CastProtocol

extension MediaCompiler {
  private struct Clip {
    var key: YAMLNode.Key
    var duration: Duration?
  }

  /// Clips and breaks (docs/protocol.md 5.7).
  mutating func readAds(_ map: FieldMap, into media: inout CompiledMedia) {
    var clips: [String: Clip] = [:]
    var names: [String] = []
    var wireClips: [MediaInformation.BreakClip] = []
    for entry in map.entries("clips") {
      guard let clip = entry.map else { continue }
      let name = entry.key.text
      clips[name] = Clip(key: entry.key, duration: clip.duration("duration"))
      names.append(name)
      media.places.clips[name] = clip.node("duration")?.place
      let wireClip = self.clip(clip, id: name)
      wireClips.append(wireClip)
      media.note(clip.node("url"), .media, type: wireClip.contentType)
      media.note(clip.node("poster"), .image)
      media.note(clip.node("vast"), .ad)
    }

    let owner = media.id ?? "this media"
    var wireBreaks: [MediaInformation.Break] = []
    var last: (id: String, position: Duration, span: SourceSpan)?
    var ids: [String: SourceSpan] = [:]
    for adBreak in map.maps("breaks") {
      guard let id = adBreak.text("id"), let place = adBreak.node("at"), let position = adBreak.position("at") else {
        continue
      }
      if let first = ids[id], let span = adBreak.span("id") {
        problems.report(
          .error, .c506, "break `\(id)` is declared twice", at: .init(span, "again here"),
          related: [.init(first, "first here")])
        continue
      }
      ids[id] = adBreak.span("id")
      media.places.breaks[id] = place.place
      var wire = MediaInformation.Break()
      wire.id = id
      switch position {
      case .start: wire.position = 0
      case .end: wire.position = -1
      case .at(let time): wire.position = time.seconds
      }
      for node in adBreak.list("clips") {
        guard let name = node.text else { continue }
        wire.breakClipIDs.append(name)
        if let clip = clips[name] {
          if adBreak.bool("embedded") == true, clip.duration == nil {
            problems.report(
              .error, .c506, "break `\(id)` is part of the stream, but clip `\(name)` has no `duration`", at: node,
              "how long?", related: [.init(clip.key.span, "defined here")])
          }
        } else {
          // Clips of another shape were reported, and any of them may be meant.
          if map.node("clips").map({ $0.pairs == nil && !$0.isEmpty }) == true { continue }
          problems.report(unknownClip(name, in: id, of: media, clips: clips, names: names, at: node))
        }
      }
      wire.isEmbedded = adBreak.bool("embedded")
      wire.expanded = adBreak.bool("expanded")
      wireBreaks.append(wire)
      guard let time = position.time else { continue }
      if let duration = media.duration, time > duration, let span = map.span("duration") {
        problems.report(
          .error, .c506, "break `\(id)` is after the end of `\(owner)`", at: place, "never reached",
          related: [.init(span, "the \(media.id ?? "media") lasts \(duration.spelled)")],
          footers: [.help("`at: end` is a post-roll")])
      }
      if let last, time <= last.position {
        let what = time == last.position ? "at the same place as" : "before"
        problems.report(
          .error, .c506, "break `\(id)` is \(what) `\(last.id)`, which stands above it", at: place,
          related: [.init(last.span, "`\(last.id)` is here")],
          footers: [.help(time == last.position ? "one break can play several clips" : "list breaks in their order")])
      }
      last = (id, time, place.span)
    }
    readVAST(map, into: &wireBreaks, &wireClips)
    if !wireClips.isEmpty { media.information.breakClips = wireClips }
    if !wireBreaks.isEmpty { media.information.breaks = wireBreaks }
    if let node = map.node("vmap") { media.information.vmapAdTagURL = url(node, after: "vmap") }
    media.note(map.node("vmap"), .ad)
    media.note(map.node("vast"), .ad)
  }

  /// `vast:` of a media is a pre-roll of one clip: the wire describes single clips by VAST, whole media only by VMAP.
  private mutating func readVAST(
    _ map: FieldMap, into breaks: inout [MediaInformation.Break], _ clips: inout [MediaInformation.BreakClip]
  ) {
    guard let node = map.node("vast"), let url = url(node, after: "vast") else { return }
    let id = Self.freeName("vast", among: clips.map(\.id) + breaks.map(\.id))
    if breaks.contains(where: { $0.position == 0 }) {
      problems.report(
        .error, .c506, "`vast` plays before the media, and so does a break at its start", at: node,
        "a second pre-roll", footers: [.help("make it a clip of that break: `clips: { ad: { vast: … } }`")])
    }
    var clip = MediaInformation.BreakClip()
    clip.id = id
    clip.vastAdTagURL = url
    clips.append(clip)
    var preroll = MediaInformation.Break()
    preroll.id = id
    preroll.breakClipIDs = [id]
    breaks.insert(preroll, at: 0)
  }

  private static func freeName(_ name: String, among taken: [String]) -> String {
    let taken = Set(taken)
    if !taken.contains(name) { return name }
    // One of so many names is free.
    return (2...taken.count + 2).lazy.map { "\(name)-\($0)" }.first { !taken.contains($0) } ?? name
  }

  private mutating func clip(_ map: FieldMap, id: String) -> MediaInformation.BreakClip {
    var clip = MediaInformation.BreakClip()
    clip.id = id
    if let node = map.node("url") {
      clip.contentID = url(node, after: "url")
      clip.contentType = map.text("type") ?? mediaType(of: node.text ?? "", at: node, example: "video/mp4")
    }
    clip.title = map.text("title")
    clip.posterURL = map.node("poster").flatMap { url($0, after: "poster") }
    clip.clickThroughURL = map.text("click_url")
    clip.vastAdTagURL = map.node("vast").flatMap { url($0, after: "vast") }
    let duration = map.duration("duration")
    let skippable = map.duration("skippable_after")
    clip.duration = duration?.seconds
    clip.whenSkippable = skippable?.seconds
    if let duration, let skippable, skippable >= duration, let node = map.node("skippable_after"),
      let length = map.span("duration")
    {
      problems.report(
        .error, .c505, "clip `\(id)` can never be skipped: it ends before `skippable_after`", at: node,
        skippable > duration ? "later than the end" : "at its very end",
        related: [.init(length, "the clip lasts \(duration.spelled)")],
        footers: [.help("leave `skippable_after` out for an ad that cannot be skipped")])
    }
    return clip
  }

  private func unknownClip(
    _ name: String, in adBreak: String, of media: CompiledMedia, clips: [String: Clip], names: [String],
    at node: YAMLNode
  ) -> Diagnostic {
    let suggestion = problems.budget.exceedsReading ? nil : Suggestions.nearest(to: name, among: names.prefix(500))
    let related = suggestion.flatMap { clips[$0] }.map { [Diagnostic.Label($0.key.span, "defined here")] } ?? []
    let owner = media.id.map { "`\($0)`" } ?? "this media"
    return Diagnostic(
      .error, .c504, "break `\(adBreak)` plays clip \(ScalarText.quoted(name)), which \(owner) does not have",
      at: node, Suggestions.label(suggestion, else: "no such clip"), related: related,
      footers: suggestion == nil ? [.help("declare it under `\(media.id.map { "media.\($0)." } ?? "")clips`")] : [])
  }
}

extension PositionScalar {
  /// Content time where it is known without the media's length.
  var time: Duration? {
    switch self {
    case .start: .zero
    case .at(let time): time
    case .end: nil
    }
  }
}
