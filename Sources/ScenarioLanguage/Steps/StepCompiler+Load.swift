import CastProtocol

extension StepCompiler {
  /// What fits into one message (cast-protocol.md 1.2); beyond it receivers close the connection.
  private static let maximumMessage = 65_536

  mutating func load(_ step: DecodedStep) -> Compiled? {
    let body = step.body
    guard let node = body.node("media"),
      let media = media(node, map: body.map("media"), short: step.value?.pairs == nil)
    else { return nil }
    lastMedia = media
    var request = LoadRequest(media: media.information)
    request.autoplay = body.bool("autoplay") ?? true
    request.currentTime = start(body, of: media)
    if let rate = body.number("rate"), let node = body.node("rate") {
      checkLoadRate(rate, at: node)
      request.playbackRate = rate
    }
    if body.has("tracks") || !media.tracks.isEmpty {
      request.activeTrackIDs = withMedia { $0.activeTracks(body.list("tracks"), of: media) }
    }
    request.media.textTrackStyle = style(body, of: media)
    request.credentials = body.text("credentials")
    if let custom = body.node("custom") { request.customData = FreeData.json(custom, reportingTo: &problems) }

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
  private mutating func media(_ node: YAMLNode, map: DecodedMap?, short: Bool) -> CompiledMedia? {
    if let map {
      if let base = map.text("like") { _ = definitions.media.use(base) }
      return withMedia { $0.media(map, id: nil) }
    }
    guard let name = node.text, !node.isEmpty else { return nil }
    if let media = definitions.media.use(name) { return media }
    if URLScalar.looksLikeURL(name) { return withMedia { $0.media(at: node, after: short ? "load" : "media") } }
    // A media that is there but wrong was reported where it is defined.
    if !definitions.brokenMedia.contains(name) {
      problems.report(definitions.media.unknown(name, kind: "media", at: node, after: problems))
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
            .error, "C512", "`start` is beyond the end of \(media.id.map { "`\($0)`" } ?? "this media")", at: node,
            "it lasts \(duration.spelled)"))
      }
      return time.seconds
    case .end:
      problems.report(
        Diagnostic(
          .error, "C512", "`start: end` leaves nothing to play", at: node,
          footers: [.help("a duration from the start, such as `start: 1m30s`")]))
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

  private mutating func checkLoadRate(_ rate: Double, at node: YAMLNode) {
    guard rate < 0.5 || rate > 2 else { return }
    problems.report(
      Diagnostic(
        rate <= 0 ? .error : .warning, "C507",
        rate <= 0 ? "playback rate must be above zero" : "many receivers refuse a playback rate of \(rate.decimals(3))",
        at: node, footers: [.help("0.5 to 2")]))
  }

  /// C508. Only free data and long lists can make a LOAD that large, so others are not written out.
  private mutating func checkSize(_ request: LoadRequest, of media: CompiledMedia, at node: YAMLNode) {
    var size = mediaSize(request.media, id: media.id)
    for text in [request.credentials.map { JSONValue.string($0) }, request.customData].compactMap({ $0 }) {
      size += text.serialized().utf8.count
    }
    size += (request.activeTrackIDs?.count ?? 0) * 6
    guard size > Self.maximumMessage else { return }
    let custom = [request.customData, request.media.customData].compactMap { $0?.serialized().utf8.count }.max() ?? 0
    problems.report(
      Diagnostic(
        .error, "C508",
        "this LOAD message is \((Double(size) / 1_024).decimals(1)) KiB; receivers accept at most 64 KiB", at: node,
        footers: [
          .help("host the large part and name it by `content_id` or a URL"),
          .note("custom data takes \((Double(custom) / 1_024).decimals(1)) KiB of it"),
        ]))
  }

  /// Bytes of a LOAD with nothing but this media, written out once for each definition.
  private mutating func mediaSize(_ media: MediaInformation, id: String?) -> Int {
    if let id, let known = mediaSizes[id] { return known }
    let parts = (media.tracks?.count ?? 0) + (media.breaks?.count ?? 0) + (media.breakClips?.count ?? 0)
    let texts = media.contentID.utf8.count + (media.contentURL?.utf8.count ?? 0)
    let isPlain = media.customData == nil && (media.metadata?.members.count ?? 0) < 4 && parts == 0
    let size =
      isPlain && texts < 4_000
      ? texts : MediaRequest.load(LoadRequest(media: media)).json(requestID: 0).serialized().utf8.count
    if let id { mediaSizes[id] = size }
    return size
  }
}
