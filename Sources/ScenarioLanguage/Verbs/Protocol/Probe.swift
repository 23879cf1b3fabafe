import CastProtocol

/// `probe`: fetches media from here.
enum Probe: StepVerb {
  static let spec = VerbSpec(
    .probe, .protocol, .inquiry,
    .keys(
      [
        KeySpec("media", .reference(.mediaOrURL), required: true, "Media id or URL."),
        KeySpec("cors", .bool, default: "true", "Look at the CORS header."),
        KeySpec("ranges", .bool, default: "true", "Ask for a range."),
        KeySpec("tracks", .bool, default: "true", "Text tracks and clips too."),
      ], short: "media"),
    "Fetches media from here.",
    sends: "HTTP requests from this computer, none to the device",
    done: "the media is reachable with the right type, a CORS header and a valid certificate",
    example: "- probe: { media: film, cors: true, tracks: false }"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.probe(step)
  }
}

extension StepCompiler {
  fileprivate mutating func probe(_ step: StepFields) -> Compiled? {
    let body = step.body
    guard let node = body.node("media"),
      let media = media(node, map: nil, after: step.value?.pairs == nil ? step.verb.name : "media")
    else { return nil }
    let information = media.information
    var urls = [information.contentURL ?? information.contentID]
    guard URLScalar.looksLikeURL(urls[0]) else {
      problems.report(
        .error, .k105, "\(ScalarText.quoted(node.text ?? "")) has no `url` to fetch", at: node,
        "only a `content_id`", footers: [.help("an app makes a URL of the id; showcaller cannot")])
      return nil
    }
    if body.bool("tracks") ?? true {
      urls += (information.tracks ?? []).compactMap { $0.type == "TEXT" ? $0.trackContentID : nil }
      urls += (information.breakClips ?? []).compactMap { $0.contentURL ?? $0.contentID }
    }
    var seen: Set<String> = []
    var action = Plan.ProbeAction(urls: urls.filter { seen.insert($0).inserted })
    action.looksAtCORS = body.bool("cors") ?? true
    action.asksForRange = body.bool("ranges") ?? true
    return Compiled(action: .probe(action), argument: shown(node))
  }
}

extension Plan {
  package struct ProbeAction: Codable, Hashable, Sendable {
    /// What is fetched: the media, then its text tracks and clips where `tracks` says so.
    package var urls: [String]
    package var looksAtCORS = true
    package var asksForRange = true

    package init(urls: [String]) { self.urls = urls }
  }
}

extension Plan.ProbeAction: LocalAction {
  var arguments: JSONObject {
    [
      "urls": .array(urls.map { .string($0) }), "cors": .bool(looksAtCORS), "ranges": .bool(asksForRange),
    ]
  }
  var detail: String? { urls.count > 1 ? "\(urls.count) URLs" : nil }
  var needsRole: Bool { false }
}
