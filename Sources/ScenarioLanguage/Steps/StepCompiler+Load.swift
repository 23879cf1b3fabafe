import CastProtocol

extension StepCompiler {
  mutating func load(_ step: DecodedStep) -> Compiled? {
    let body = step.body
    guard let node = body.node("media"),
      let media = media(node, map: body.map("media"), after: step.value?.pairs == nil ? "load" : "media")
    else { return nil }
    lastMedia = media
    var request = LoadRequest(media: media.information)
    request.autoplay = body.bool("autoplay") ?? true
    request.currentTime = start(body, of: media)
    if let rate = body.number("rate"), let node = body.node("rate") {
      checkRate(rate, at: node)
      request.playbackRate = rate
    }
    if body.has("tracks") || !media.tracks.isEmpty {
      request.activeTrackIDs = withMedia { $0.activeTracks(body.list("tracks"), of: media) }
    }
    request.media.textTrackStyle = style(body, of: media)
    request.credentials = body.text("credentials")
    if let custom = body.node("custom") { request.customData = FreeData.json(custom, reportingTo: problems) }

    var action = Plan.LoadAction(request: request, defaultAppID: defaults.appID)
    action.mediaID = media.id
    action.appID = body.node("app").flatMap { app($0) }
    action.until =
      body.choice("until", as: Plan.LoadAction.Until.self)
      ?? (media.isImage ? .loaded : request.autoplay ? .playing : .paused)
    action.trackNames = media.trackNames
    action.places = media.places
    checkSize(request, of: media, at: node)
    let argument = media.id ?? node.text.map { ScalarText.shown($0) }
    return Compiled(action: .load(action), timeout: defaults.timeouts.load, argument: argument)
  }

  /// The media by id, by URL, or written in place.
  mutating func media(_ node: YAMLNode, map: DecodedMap?, after key: String) -> CompiledMedia? {
    let media = compiledMedia(node, map: map, after: key)
    // A block that nothing uses sends nobody anywhere.
    if let media, !isUnusedBlock { addresses.add(media) }
    return media
  }

  private mutating func compiledMedia(_ node: YAMLNode, map: DecodedMap?, after key: String) -> CompiledMedia? {
    if let map {
      if let base = map.text("like") { _ = definitions.media.use(base) }
      return withMedia { $0.media(map, id: nil) }
    }
    guard let name = node.text, !node.isEmpty else { return nil }
    if let media = definitions.media.use(name) { return media }
    if URLScalar.looksLikeURL(name) { return withMedia { $0.media(at: node, after: key) } }
    // A media that is there but wrong was reported where it is defined.
    if !definitions.brokenMedia.contains(name) {
      definitions.media.report(unknown: name, kind: "media", at: node, reportingTo: problems)
    }
    return nil
  }

  private mutating func start(_ body: DecodedMap, of media: CompiledMedia) -> Double {
    guard let position = body.position("start"), let node = body.node("start") else { return 0 }
    switch position {
    case .start: return 0
    case .at(let time):
      if let duration = media.duration, time >= duration {
        problems.report(
          Diagnostic(
            .error, .c512, "`start` is beyond the end of \(media.id.map { "`\($0)`" } ?? "this media")", at: node,
            "it lasts \(duration.spelled)"))
      }
      return time.seconds
    case .end:
      problems.report(
        Diagnostic(
          .error, .c512, "`start: end` leaves nothing to play", at: node,
          footers: [.help("a duration from the start, such as `start: 1m30s`")]
        ).onCommandLine(nil))
      return 0
    }
  }

  /// Defaults below the media's own style below the step's.
  private mutating func style(_ body: DecodedMap, of media: CompiledMedia) -> TextTrackStyle? {
    let own = body.has("text_style") ? withMedia { $0.textStyle("text_style", of: body) } : nil
    let layers = [defaults.textStyle, media.information.textTrackStyle, own].compactMap { $0 }
    guard let first = layers.first else { return nil }
    return layers.dropFirst().reduce(first) { $0.overridden(by: $1) }
  }

  /// C508. Few loads come near the limit, so most are only estimated.
  private mutating func checkSize(_ request: LoadRequest, of media: CompiledMedia, at node: YAMLNode) {
    var custom = 0
    if let data = request.customData { custom = data.serialized().utf8.count }
    let texts = (request.credentials?.utf8.count ?? 0) * 6 + (request.activeTrackIDs?.count ?? 0) * 12
    guard estimatedSize(media) + custom + texts > MessageSize.limit / 2 else { return }
    var size = MessageSize(envelopeOf: .load(request))
    guard !size.fits else { return }
    for part in MessageSize.measure(request.media).parts { size.note("media.\(part.name)", part.bytes) }
    size.note("custom", custom)
    size.note("credentials", request.credentials?.utf8.count ?? 0)
    let isOneLine = node.span.line == node.span.endLine
    var place = node.substitutedAt ?? node.span
    if !isOneLine, node.substitutedAt == nil, let first = node.pairs?.first { place = first.key.span }
    problems.report(
      tooLarge(
        size, "LOAD", at: .init(place), help: "host the large part and name it by `content_id` or a URL"))
  }

  /// An upper bound of a media's bytes that is cheap to get.
  private mutating func estimatedSize(_ media: CompiledMedia) -> Int {
    let information = media.information
    let isBare = information.metadata == nil && information.tracks == nil && information.customData == nil
    if media.id == nil, isBare, information.breakClips == nil, information.contentID.utf8.count < 4_000 { return 0 }
    if let id = media.id, let known = mediaSizes[id] { return known }
    let bytes = MessageSize.measure(information).bytes
    if let id = media.id { mediaSizes[id] = bytes }
    return bytes
  }
}
