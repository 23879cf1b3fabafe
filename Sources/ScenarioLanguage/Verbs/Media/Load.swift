package import CastProtocol

/// `load`: loads media.
enum Load: StepVerb {
  static let spec = VerbSpec(
    .load, .media, .action,
    .keys(
      [
        KeySpec(
          "media", LanguageSchema.mediaItem, required: true,
          "What to load: an id under `media:`, a URL, or a media written out here."),
        KeySpec(
          "app", .reference(.app), default: "the app launched last, else defaults.app",
          "The app to load into; it is launched if it does not run."),
        KeySpec(
          "autoplay", .bool, default: "true",
          "Whether it plays by itself; with `false` the step is done when it is paused."),
        KeySpec("start", .position, default: "start", "Where playing begins, counted from the start of the media."),
        KeySpec("rate", LanguageSchema.rate, default: "1", "Playback rate from the beginning on, 0.5 to 2.").positive(),
        KeySpec(
          "tracks", LanguageSchema.trackIDs, default: "[]",
          "Ids of the tracks that are active from the beginning, at most one text track."),
        KeySpec(
          "text_style", .byShape(scalar: .reference(.textStyle), map: .map(LanguageSchema.textStyle)),
          default: "defaults",
          "How captions look: an id under `text_styles:`, or a style written out here."),
        KeySpec("credentials", .text, "Credentials that the app gets with the media; take them from a secret."),
        KeySpec("custom", .anyMap, "Free data for the app, sent as `customData`."),
        KeySpec(
          "until", LanguageSchema.until, default: "playing",
          "Which state ends the step: `accepted` by the receiver, `loaded`, `playing` or `paused`."),
      ], short: "media"),
    "Loads media.",
    sends: "`LOAD`",
    done:
      "`until` is reached in our own media session; LOAD_FAILED, LOAD_CANCELLED and idle with an error fail at once",
    example: "- load: { media: film, start: 1m, tracks: [en], text_style: big, until: playing }"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.load(step)
  }
}

extension StepCompiler {
  fileprivate mutating func load(_ step: StepFields) -> Compiled? {
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

  private mutating func start(_ body: FieldMap, of media: CompiledMedia) -> Double {
    guard let position = body.position("start"), let node = body.node("start") else { return 0 }
    switch position {
    case .start: return 0
    case .at(let time):
      if let duration = media.duration, time >= duration {
        problems.report(
          .error, .c512, "`start` is beyond the end of \(media.id.map { "`\($0)`" } ?? "this media")", at: node,
          "it lasts \(duration.spelled)")
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
  private mutating func style(_ body: FieldMap, of media: CompiledMedia) -> TextTrackStyle? {
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
    var place = node.place
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

extension Plan {
  package struct LoadAction: Codable, Hashable, Sendable {
    package enum Until: String, Codable, Hashable, Sendable, CaseIterable { case accepted, loaded, playing, paused }
    /// The media's id, `nil` for a bare URL.
    package var mediaID: String?
    /// Complete but for the request id.
    package var request: LoadRequest
    /// The app to load into: `nil` is the app the run launched or joined last, else `defaultAppID`.
    package var appID: String?
    package var defaultAppID: String
    package var until = Until.playing
    /// The document's names of tracks, by wire id.
    package var trackNames: [Int: String] = [:]
    package var places = MediaSpans()

    package init(request: LoadRequest, defaultAppID: String) {
      self.request = request
      self.defaultAppID = defaultAppID
    }
  }

  /// Where a media says what proofs rest on.
  package struct MediaSpans: Codable, Hashable, Sendable {
    package var duration: SourceSpan?
    /// The `at` of each break, by id.
    package var breaks: [String: SourceSpan] = [:]
    /// The `duration` of each clip that has one, by id.
    package var clips: [String: SourceSpan] = [:]

    package init() {}
  }
}

extension Plan.LoadAction: PlanAction {
  var arguments: JSONObject {
    var object = JSONObject()
    object["media"] = mediaID.map { .string($0) }
    object["url"] = .string(request.media.contentURL ?? request.media.contentID)
    object["app"] = appID.map { .string($0) }
    object["defaultApp"] = .string(defaultAppID)
    object["until"] = .string(until.rawValue)
    if !trackNames.isEmpty {
      let names = trackNames.sorted { $0.key < $1.key }
      object["tracks"] = .object(JSONObject(names.map { JSONObject.Member($0.value, .int($0.key)) }))
    }
    object["request"] = MediaRequest.load(request).json(requestID: 0)
    return object
  }
  var detail: String? { request.media.contentURL ?? request.media.contentID }
  var needsRole: Bool { true }
  var media: [MediaInformation] { [request.media] }

  func messages(trackIDs: inout [String: Int]) -> [JSONValue] {
    trackIDs = Dictionary(trackNames.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    return [MediaRequest.load(request).json(requestID: 0)]
  }
}
