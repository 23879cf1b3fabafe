import CastProtocol

/// `queue_reorder`: reorders the queue.
enum QueueReorder: StepVerb {
  static let spec = VerbSpec(
    .queueReorder, .media, .action,
    .keys([
      KeySpec("items", .list(LanguageSchema.queueItem, of: "items"), required: true, "In their new order.").distinct()
        .holding(),
      KeySpec(
        "before", LanguageSchema.queueItem, default: "end",
        "The item that stands behind them: a media id, a URL or an item id."),
    ]),
    "Reorders the queue.",
    sends: "`QUEUE_REORDER`",
    done: "the order is in a status or a QUEUE_CHANGE",
    example: "- queue: [film, photo]\n- queue_reorder: { items: [photo, film] }"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    let body = step.body
    guard let items = compiler.references(body, of: step) else { return nil }
    var action = Plan.QueueReorderAction(items: items)
    guard compiler.readAnchor(body, into: &action.before) else { return nil }
    if let anchor = action.before, let node = body.node("before"),
      compiler.reportAnchor(anchor, at: node, among: items)
    {
      return nil
    }
    return .init(action: .queueReorder(action), argument: compiler.shown(body.node("items")))
  }
}

extension Plan {
  package struct QueueReorderAction: Codable, Hashable, Sendable {
    /// In their new order.
    package var items: [QueueItemReference]
    /// `nil`: at the end.
    package var before: QueueItemReference?

    package init(items: [QueueItemReference]) { self.items = items }
  }
}

extension Plan.QueueReorderAction: ControlAction {
  var arguments: JSONObject { ["items": .array(items.map(\.json)), "before": before.map(\.json) ?? "end"] }
  var detail: String? { before.map { "before \($0.text)" } ?? "at the end" }

  func messages(trackIDs: inout [String: Int]) -> [JSONValue] {
    let anchor = before == nil ? nil : 0
    var json = MediaRequest(.queueReorder(itemIDs: [], insertBefore: anchor), session: 0).json(requestID: 0)
    json.fill("insertBefore", before?.wire)
    json.fill("itemIds", .array(items.map(\.wire)))
    return [json]
  }
}
