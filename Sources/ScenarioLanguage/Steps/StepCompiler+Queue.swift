import CastProtocol

extension StepCompiler {
  /// `queue queue_insert queue_remove queue_jump queue_update queue_reorder`.
  mutating func queueStep(_ step: DecodedStep) -> Compiled? {
    let body = step.body
    let timeout = defaults.timeouts.step
    switch step.verb.name {
    case "queue": return queue(step)
    case "queue_insert":
      guard let items = queueItems(body, of: step), let before = reference("before", of: body) else { return nil }
      var action = Plan.QueueInsertAction(items: items)
      action.before = before.reference
      return Compiled(action: .queueInsert(action), timeout: timeout, argument: shown(body.node("items")))
    case "queue_remove":
      guard let items = references(body, of: step) else { return nil }
      return Compiled(action: .queueRemove(items), timeout: timeout, argument: shown(body.node("items")))
    case "queue_jump":
      lastMedia = nil
      guard let node = body.node("to") else { return nil }
      let argument = shown(node)
      switch node.text {
      case "next": return Compiled(action: .queueJump(.next), timeout: timeout, argument: argument)
      case "previous": return Compiled(action: .queueJump(.previous), timeout: timeout, argument: argument)
      default:
        return reference(node, words: ["next", "previous"]).map {
          Compiled(action: .queueJump(.item($0)), timeout: timeout, argument: argument)
        }
      }
    case "queue_update": return queueUpdate(step)
    case "queue_reorder":
      guard let items = references(body, of: step), let before = reference("before", of: body) else { return nil }
      if let anchor = before.reference, let node = body.node("before"), reportAnchor(anchor, at: node, among: items) {
        return nil
      }
      var action = Plan.QueueReorderAction(items: items)
      action.before = before.reference
      return Compiled(action: .queueReorder(action), timeout: timeout, argument: shown(body.node("items")))
    default: return nil
    }
  }

  private mutating func queue(_ step: DecodedStep) -> Compiled? {
    let body = step.body
    let count = body.list("items").count
    guard let items = queueItems(body, of: step) else { return nil }
    // Nobody knows which item plays by the time of a later step.
    lastMedia = nil
    var action = Plan.QueueAction(items: items, defaultAppID: defaults.appID)
    action.startAt = body.int("start_at") ?? 1
    if action.startAt > count, let node = body.node("start_at") {
      problems.report(
        Diagnostic(
          .error, .t213, "`start_at: \(action.startAt)` is beyond the end of the queue", at: node,
          "the queue has \(count) item\(count == 1 ? "" : "s")", footers: [.help("1 is the first item")]))
    }
    action.repeatMode = body.choice("repeat", as: Plan.RepeatMode.self) ?? .none
    action.appID = body.node("app").flatMap { app($0) }
    let isImage = items.indices.contains(action.startAt - 1) && items[action.startAt - 1].isImage
    action.until = body.choice("until", as: Plan.LoadAction.Until.self) ?? (isImage ? .loaded : .playing)
    return Compiled(action: .queue(action), timeout: defaults.timeouts.load, argument: shown(body.node("items")))
  }

  private mutating func queueUpdate(_ step: DecodedStep) -> Compiled? {
    let body = step.body
    var action = Plan.QueueUpdateAction()
    action.jump = body.int("jump")
    action.repeatMode = body.choice("repeat", as: Plan.RepeatMode.self)
    action.shuffle = body.bool("shuffle")
    var parts = ["jump", "repeat", "shuffle"].compactMap { key in shown(body.node(key)).map { "\(key) \($0)" } }
    if action.shuffle == false, action.repeatMode == .shuffle, let span = body.span("shuffle") {
      problems.report(
        Diagnostic(
          .error, .k107, "`repeat: shuffle` and `shuffle: false` exclude each other", at: .init(span, "no shuffling"),
          related: body.span("repeat").map { [.init($0, "shuffles at every turn")] } ?? [],
          footers: [.help("`repeat: all` repeats in order")]))
    }
    if body.has("items") {
      guard let replacements = replacements(body, of: step) else { return nil }
      action.items = replacements
      parts.append("\(replacements.count) item\(replacements.count == 1 ? "" : "s")")
    }
    if action.jump != nil || !action.items.isEmpty { lastMedia = nil }
    return Compiled(
      action: .queueUpdate(action), timeout: defaults.timeouts.step, argument: parts.joined(separator: ", "))
  }

  private mutating func replacements(
    _ body: DecodedMap, of step: DecodedStep
  ) -> [Plan.QueueUpdateAction.Replacement]? {
    let maps = body.maps("items")
    if reportEmpty(body, of: step) { return nil }
    var request = QueueUpdateRequest()
    request.jump = body.int("jump")
    request.repeatMode = body.choice("repeat", as: Plan.RepeatMode.self)?.wire
    request.shuffle = body.bool("shuffle")
    request.items = []
    var size = MessageSize(envelopeOf: .queueUpdate(mediaSessionID: Int(Int32.max), request))
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
    report(size, "QUEUE_UPDATE", of: body, help: "replace the first \(MessageSize.hole) and the rest in another step")
    return isSound && maps.count == body.list("items").count ? found : nil
  }

  // MARK: What goes into a queue

  /// The media under `items`; nothing when one of them is wrong.
  private mutating func queueItems(_ body: DecodedMap, of step: DecodedStep) -> [Plan.QueueItem]? {
    let nodes = body.list("items")
    if reportEmpty(body, of: step) { return nil }
    let isLoad = step.verb.name == "queue"
    var size: MessageSize
    if isLoad {
      var request = QueueLoadRequest(items: [])
      request.startIndex = nodes.count
      request.repeatMode = body.choice("repeat", as: Plan.RepeatMode.self)?.wire ?? .off
      size = MessageSize(envelopeOf: .queueLoad(request))
    } else {
      let before = body.has("before") ? Int(Int32.max) : nil
      size = MessageSize(
        envelopeOf: .queueInsert(
          mediaSessionID: Int(Int32.max), QueueInsertRequest(items: [], insertBefore: before)))
    }
    var items: [Plan.QueueItem] = []
    var isSound = true
    for node in nodes {
      let map = node.pairs == nil ? nil : DecodedMap(node, as: LanguageSchema.media)
      guard let item = queueItem(node, map: map, into: &size) else {
        isSound = false
        continue
      }
      // What does not fit is refused as a whole: it need not be kept.
      if size.fits { items.append(item) }
    }
    let rest = isLoad ? "queue the first \(MessageSize.hole) and `queue_insert` the rest" : nil
    report(
      size, isLoad ? "QUEUE_LOAD" : "QUEUE_INSERT", of: body,
      help: rest ?? "insert the first \(MessageSize.hole) and the rest in another step")
    return isSound ? items : nil
  }

  private mutating func queueItem(
    _ node: YAMLNode, map: DecodedMap?, into size: inout MessageSize, hasID: Bool = false
  ) -> Plan.QueueItem? {
    guard let media = media(node, map: map, after: "queue") else { return nil }
    var item = Plan.QueueItem(mediaID: media.id, media: media.information)
    item.isImage = media.isImage
    item.trackNames = media.trackNames
    if let style = defaults.textStyle {
      item.media.textTrackStyle = media.information.textTrackStyle.map { style.overridden(by: $0) } ?? style
    }
    size.add(item, hasID: hasID, cache: &itemSizes)
    return item
  }

  /// A list without anything in it is no list of items.
  mutating func reportEmpty(_ body: DecodedMap, of step: DecodedStep) -> Bool {
    guard let node = body.node("items"), node.items?.isEmpty == true else { return false }
    problems.report(
      Diagnostic(.error, .k105, "`\(step.verb.name)` needs at least one item", at: node, "nothing in it"))
    return true
  }
}
