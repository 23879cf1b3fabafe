import CastProtocol

/// `queue_remove`: removes from the queue.
struct QueueRemove: StepVerb, ControlAction {
  static let spec = VerbSpec(
    .queueRemove, .media, .action,
    .keys(
      [
        KeySpec("items", .list(LanguageSchema.queueItem, of: "items"), required: true, "What to remove.").distinct()
          .holding()
      ], short: "items"),
    "Removes from the queue.",
    sends: "`QUEUE_REMOVE`",
    done: "the items are gone",
    example: "- queue: [film, photo]\n- queue_remove: [photo]"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.references(step.body, of: step).map {
      .init(action: .queueRemove($0), argument: compiler.shown(step.body.node("items")))
    }
  }

  let items: [Plan.QueueItemReference]

  var arguments: JSONObject { ["items": .array(items.map(\.json))] }

  func messages(trackIDs: inout [String: Int]) -> [JSONValue] {
    var json = MediaRequest(.queueRemove(itemIDs: []), session: 0).json(requestID: 0)
    json.fill("itemIds", .array(items.map(\.wire)))
    return [json]
  }
}
