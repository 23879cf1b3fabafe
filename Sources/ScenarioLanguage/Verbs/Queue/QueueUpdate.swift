import CastProtocol

/// `queue_update`: changes the queue.
enum QueueUpdate: StepVerb {
  static let spec = VerbSpec(
    .queueUpdate, .media, .action,
    .keys(
      [
        KeySpec("jump", .anyInteger, "How many items."),
        KeySpec("repeat", LanguageSchema.repeatMode, "What follows the end."),
        KeySpec("shuffle", .bool, "Whether to shuffle."),
        KeySpec(
          "items",
          .list(
            .map(
              MapSpec(
                "a queue item", topic: "queue_update",
                [
                  KeySpec(
                    "item", LanguageSchema.queueItem, required: true, "The item: a media id, a URL or an item id."),
                  KeySpec("media", LanguageSchema.mediaItem, required: true, "Its new content."),
                ])), of: "queue items"), "New contents."),
      ], needsOneOf: [["jump", "repeat", "shuffle", "items"]]),
    "Changes the queue.",
    sends: "`QUEUE_UPDATE`",
    done: "the status shows it",
    example: "- queue: [film, photo]\n- queue_update: { repeat: all, shuffle: true }"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.queueUpdate(step)
  }
}

extension StepCompiler {
  fileprivate mutating func queueUpdate(_ step: StepFields) -> Compiled? {
    let body = step.body
    var action = Plan.QueueUpdateAction()
    action.jump = body.int("jump")
    action.repeatMode = body.choice("repeat", as: Plan.RepeatMode.self)
    action.shuffle = body.bool("shuffle")
    var parts = ["jump", "repeat", "shuffle"].compactMap { key in shown(body.node(key)).map { "\(key) \($0)" } }
    if action.shuffle == false, action.repeatMode == .shuffle, let span = body.span("shuffle") {
      problems.report(
        .error, .k107, "`repeat: shuffle` and `shuffle: false` exclude each other", at: .init(span, "no shuffling"),
        related: body.span("repeat").map { [.init($0, "shuffles at every turn")] } ?? [],
        footers: [.help("`repeat: all` repeats in order")])
    }
    if body.has("items") {
      guard let replacements = replacements(body, of: step) else { return nil }
      action.items = replacements
      parts.append(ScalarText.counted(replacements.count, "item"))
    }
    if action.jump != nil || !action.items.isEmpty { lastMedia = nil }
    return Compiled(action: .queueUpdate(action), argument: parts.joined(separator: ", "))
  }

  private mutating func replacements(
    _ body: FieldMap, of step: StepFields
  ) -> [Plan.QueueUpdateAction.Replacement]? {
    let maps = body.maps("items")
    if reportEmpty(body, of: step) { return nil }
    var request = QueueUpdateRequest()
    request.jump = body.int("jump")
    request.repeatMode = body.choice("repeat", as: Plan.RepeatMode.self)?.wire
    request.shuffle = body.bool("shuffle")
    request.items = []
    var size = MessageSize(envelopeOf: MediaRequest(.queueUpdate(request), session: Int(Int32.max)))
    var found: [Plan.QueueUpdateAction.Replacement] = []
    var seen: [Plan.QueueItemReference: YAMLNode] = [:]
    var isSound = true
    for map in maps {
      guard let itemNode = map.node("item"), let mediaNode = map.node("media"),
        let item = reference(itemNode),
        let media = queueItem(mediaNode, map: map.map("media"), into: &size, hasID: true)
      else {
        isSound = false
        continue
      }
      if reportTwice(item, at: itemNode, among: &seen) { isSound = false }
      if size.fits { found.append(.init(item: item, media: media)) }
    }
    report(
      size, "QUEUE_UPDATE", of: body,
      help: "replace the first \(MessageSize.countPlaceholder) and the rest in another step")
    return isSound && maps.count == body.list("items").count ? found : nil
  }
}

extension Plan {
  package struct QueueUpdateAction: Codable, Hashable, Sendable {
    package struct Replacement: Codable, Hashable, Sendable {
      package var item: QueueItemReference
      package var media: QueueItem

      package init(item: QueueItemReference, media: QueueItem) {
        self.item = item
        self.media = media
      }
    }
    /// How many items forward, or back where negative.
    package var jump: Int?
    package var repeatMode: RepeatMode?
    package var shuffle: Bool?
    package var items: [Replacement] = []

    package init() {}
  }
}

extension Plan.QueueUpdateAction: PlanAction {
  var arguments: JSONObject {
    var object = JSONObject()
    object["jump"] = jump.map { .int($0) }
    object["repeat"] = repeatMode.map { .string($0.rawValue) }
    object["shuffle"] = shuffle.map { .bool($0) }
    if !items.isEmpty {
      object["items"] = .array(items.map { ["item": $0.item.json, "media": $0.media.json] })
    }
    return object
  }
  var needsRole: Bool { true }
  var media: [MediaInformation] { items.map(\.media.media) }

  func messages(trackIDs: inout [String: Int]) -> [JSONValue] {
    var request = QueueUpdateRequest()
    request.jump = jump
    request.repeatMode = repeatMode?.wire
    request.shuffle = shuffle
    if !items.isEmpty {
      request.items = items.map { replacement in
        var item = QueueItem(media: replacement.media.media)
        item.itemID = 0
        return item
      }
    }
    var json = MediaRequest(.queueUpdate(request), session: 0).json(requestID: 0)
    guard let sent = json["items"]?.array else { return [json] }
    let filled = zip(sent, items).map { item, replacement in
      var item = item
      item.fill("itemId", replacement.item.wire)
      return item
    }
    json.fill("items", .array(filled))
    return [json]
  }
}
