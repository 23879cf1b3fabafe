package import CastProtocol

/// `queue`: loads a queue.
enum Queue: StepVerb {
  static let spec = VerbSpec(
    .queue, .media, .action,
    .keys(
      [
        KeySpec("items", .list(LanguageSchema.mediaItem, of: "media"), required: true, "What to play.").holding(),
        KeySpec("start_at", .int(1...100_000), default: "1", "The first to play."),
        KeySpec("repeat", LanguageSchema.repeatMode, default: "none", "What follows the end."),
        KeySpec(
          "app", .reference(.app), default: "as load", "The app to load into; it is launched if it does not run."),
        KeySpec(
          "until", LanguageSchema.until, default: "playing",
          "Which state ends the step: `accepted` by the receiver, `loaded`, `playing` or `paused`."),
      ], short: "items"),
    "Loads a queue.",
    sends: "one `QUEUE_LOAD`",
    done: "as `load`",
    example: "- queue: { items: [film, photo], start_at: 1, repeat: all }"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.queue(step)
  }
}

extension StepCompiler {
  fileprivate mutating func queue(_ step: StepFields) -> Compiled? {
    let body = step.body
    let count = body.list("items").count
    guard let items = queueItems(body, of: step) else { return nil }
    // Nobody knows which item plays by the time of a later step.
    lastMedia = nil
    var action = Plan.QueueAction(items: items, defaultAppID: defaults.appID)
    action.startAt = body.int("start_at") ?? 1
    if action.startAt > count, let node = body.node("start_at") {
      problems.report(
        .error, .t213, "`start_at: \(action.startAt)` is beyond the end of the queue", at: node,
        "the queue has \(ScalarText.counted(count, "item"))", footers: [.help("1 is the first item")])
    }
    action.repeatMode = body.choice("repeat", as: Plan.RepeatMode.self) ?? .none
    action.appID = body.node("app").flatMap { app($0) }
    let isImage = items.indices.contains(action.startAt - 1) && items[action.startAt - 1].isImage
    action.until = body.choice("until", as: Plan.LoadAction.Until.self) ?? (isImage ? .loaded : .playing)
    return Compiled(action: .queue(action), timeout: defaults.timeouts.load, argument: shown(body.node("items")))
  }
}

extension Plan {
  /// `QUEUE_LOAD`, one message.
  package struct QueueAction: Codable, Hashable, Sendable {
    package var items: [QueueItem]
    /// 1 is the first.
    package var startAt = 1
    package var repeatMode = RepeatMode.none
    /// As of ``LoadAction``.
    package var appID: String?
    package var defaultAppID: String
    package var until = LoadAction.Until.playing

    package init(items: [QueueItem], defaultAppID: String) {
      self.items = items
      self.defaultAppID = defaultAppID
    }

    /// What goes over the wire.
    package var request: QueueLoadRequest {
      var request = QueueLoadRequest(items: items.map { CastProtocol.QueueItem(media: $0.media) })
      request.startIndex = startAt - 1
      request.repeatMode = repeatMode.wire
      return request
    }
  }
}

extension Plan.QueueAction: PlanAction {
  var arguments: JSONObject {
    var object: JSONObject = [
      "items": .array(items.map(\.json)), "startAt": .int(startAt), "repeat": .string(repeatMode.rawValue),
    ]
    object["app"] = appID.map { .string($0) }
    object["defaultApp"] = .string(defaultAppID)
    object["until"] = .string(until.rawValue)
    object["request"] = MediaRequest.queueLoad(request).json(requestID: 0)
    return object
  }
  var detail: String? {
    let mode = repeatMode == .none ? "" : ", repeat \(repeatMode.rawValue)"
    return "\(ScalarText.counted(items.count, "item")) from \(startAt)\(mode)"
  }
  var needsRole: Bool { true }
  var media: [MediaInformation] { items.map(\.media) }

  func messages(trackIDs: inout [String: Int]) -> [JSONValue] {
    trackIDs = [:]
    return [MediaRequest.queueLoad(request).json(requestID: 0)]
  }
}
