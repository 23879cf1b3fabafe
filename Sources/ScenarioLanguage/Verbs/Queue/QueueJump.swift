import CastProtocol

/// `queue_jump`: goes to another item.
enum QueueJump: StepVerb {
  static let spec = VerbSpec(
    .queueJump, .media, .action,
    .keys(
      [
        KeySpec(
          "to", .savable(.words(["next", "previous"], else: .text)), required: true, "`next`, `previous`, or an item.")
      ], short: "to"),
    "Goes to another item.",
    sends: "`QUEUE_UPDATE` with the item or the jump",
    done: "the current item has changed",
    example: "- queue: [film, photo]\n- queue_jump: next"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.lastMedia = nil
    guard let node = step.body.node("to") else { return nil }
    let jump: Plan.QueueJump
    switch node.text {
    case "next": jump = .next
    case "previous": jump = .previous
    default:
      guard let item = compiler.reference(node, words: ["next", "previous"]) else { return nil }
      jump = .item(item)
    }
    return .init(action: .queueJump(jump), argument: compiler.shown(node))
  }
}

extension Plan {
  package enum QueueJump: Codable, Hashable, Sendable {
    case next, previous
    case item(QueueItemReference)
  }
}

extension Plan.QueueJump: ControlAction {
  var arguments: JSONObject {
    switch self {
    case .next: ["to": "next"]
    case .previous: ["to": "previous"]
    case .item(let item): ["to": item.json]
    }
  }

  func messages(trackIDs: inout [String: Int]) -> [JSONValue] {
    var request = QueueUpdateRequest()
    switch self {
    case .next: request.jump = 1
    case .previous: request.jump = -1
    case .item: request.currentItemID = 0
    }
    var json = MediaRequest(.queueUpdate(request), session: 0).json(requestID: 0)
    if case .item(let item) = self { json.fill("currentItemId", item.wire) }
    return [json]
  }
}
