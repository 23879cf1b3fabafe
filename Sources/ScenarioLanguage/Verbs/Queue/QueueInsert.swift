import CastProtocol

/// `queue_insert`: inserts into the queue.
enum QueueInsert: StepVerb {
  static let spec = VerbSpec(
    .queueInsert, .media, .action,
    .keys([
      KeySpec("items", .list(LanguageSchema.mediaItem, of: "media"), required: true, "What to insert.").holding(),
      KeySpec(
        "before", LanguageSchema.queueItem, default: "end",
        "The item that stands behind them: a media id, a URL or an item id."),
    ]),
    "Inserts into the queue.",
    sends: "`QUEUE_INSERT`",
    done: "the status shows the items",
    example: "- queue: [film]\n- queue_insert: { items: [photo], before: film }"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    guard let items = compiler.queueItems(step.body, of: step) else { return nil }
    var action = Plan.QueueInsertAction(items: items)
    guard compiler.readAnchor(step.body, into: &action.before) else { return nil }
    return .init(action: .queueInsert(action), argument: compiler.shown(step.body.node("items")))
  }
}

extension Plan {
  package struct QueueInsertAction: Codable, Hashable, Sendable {
    package var items: [QueueItem]
    /// `nil`: at the end.
    package var before: QueueItemReference?

    package init(items: [QueueItem]) { self.items = items }
  }
}

extension Plan.QueueInsertAction: PlanAction {
  var arguments: JSONObject { ["items": .array(items.map(\.json)), "before": before.map(\.json) ?? "end"] }
  var detail: String? { before.map { "before \($0.text)" } ?? "at the end" }
  var needsRole: Bool { true }
  var media: [MediaInformation] { items.map(\.media) }

  func messages(trackIDs: inout [String: Int]) -> [JSONValue] {
    let request = QueueInsertRequest(
      items: items.map { QueueItem(media: $0.media) }, insertBefore: before == nil ? nil : 0)
    var json = MediaRequest(.queueInsert(request), session: 0).json(requestID: 0)
    json.fill("insertBefore", before?.wire)
    return [json]
  }
}
