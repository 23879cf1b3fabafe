import CastProtocol

/// Items to put into a queue, and items of the queue that plays.
extension StepCompiler {
  /// Item ids are given by the receiver, from 1 on, and fit the wire's 31 bits.
  private static let itemNumbers = 0...Int(Int32.max)
  private static let itemHint = "items are named by their number, which `showcaller queue` shows, or by their address"

  /// The items under `items`, each once.
  mutating func references(_ body: FieldMap, of step: StepFields) -> [Plan.QueueItemReference]? {
    reportEmpty(body, of: step) ? nil : references(body.list("items"))
  }

  /// Items, each named once.
  mutating func references(_ nodes: [YAMLNode]) -> [Plan.QueueItemReference]? {
    var seen: [Plan.QueueItemReference: YAMLNode] = [:]
    return nodes.allOrNil { node in
      guard let item = reference(node), !reportTwice(item, at: node, among: &seen) else { return nil }
      return item
    }
  }

  /// The item under `before`, which may be left out; false when it is wrong.
  mutating func readAnchor(_ body: FieldMap, into anchor: inout Plan.QueueItemReference?) -> Bool {
    guard let node = body.node("before") else { return true }
    anchor = reference(node)
    return anchor != nil
  }

  /// An item by the media it plays, by the receiver's number, or by a number that an earlier step saved.
  mutating func reference(_ node: YAMLNode, words: [String] = []) -> Plan.QueueItemReference? {
    if let name = node.savedName {
      return saved.check(name, fits: .int, of: "a queue item", at: node, reportingTo: problems) ? .saved(name) : nil
    }
    guard let text = node.text, !node.isEmpty else { return nil }
    if let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) {
      do throws(ScalarProblem) { return .number(try NumberScalar.int(text, in: Self.itemNumbers)) } catch {
        problems.report(error, at: node)
        return nil
      }
    }
    if URLScalar.looksLikeURL(text) { return .media(id: text, content: text) }
    if let media = definitions.media.use(text) { return .media(id: text, content: media.information.contentID) }
    if definitions.brokenMedia.contains(text) { return nil }
    if let word = Suggestions.choice(text, among: words) {
      problems.report(
        Diagnostic(.error, .n406, "unknown media \(ScalarText.quoted(text))", at: node, Suggestions.label(word))
          .onCommandLine(Self.itemHint))
    } else if !definitions.media.isIncomplete {
      problems.report(
        definitions.media.unknown(text, kind: "media", at: node, after: problems).onCommandLine(Self.itemHint))
    }
    return nil
  }

  /// Tells that items shall go before one of themselves; false where they do not.
  mutating func reportAnchor(
    _ anchor: Plan.QueueItemReference, at node: YAMLNode, among items: [Plan.QueueItemReference]
  ) -> Bool {
    guard items.contains(anchor) else { return false }
    problems.report(
      .error, .t213, "\(ScalarText.quoted(node.planText?.source ?? "")) cannot go before itself", at: node,
      "is among the items that move")
    return true
  }

  mutating func reportTwice(
    _ item: Plan.QueueItemReference, at node: YAMLNode, among seen: inout [Plan.QueueItemReference: YAMLNode]
  ) -> Bool {
    guard let first = seen[item] else {
      seen[item] = node
      return false
    }
    problems.report(
      .error, .t213, "\(ScalarText.quoted(node.planText?.source ?? "")) stands twice in this list", at: node,
      "again here", related: [.init(first.place, "first here")])
    return true
  }

  /// The media under `items`; nothing when one of them is wrong.
  mutating func queueItems(_ body: FieldMap, of step: StepFields) -> [Plan.QueueItem]? {
    let nodes = body.list("items")
    if reportEmpty(body, of: step) { return nil }
    let isLoad = step.verb.verb == .queue
    var size: MessageSize
    if isLoad {
      var request = QueueLoadRequest(items: [])
      request.startIndex = nodes.count
      request.repeatMode = body.choice("repeat", as: Plan.RepeatMode.self)?.wire ?? .off
      size = MessageSize(envelopeOf: .queueLoad(request))
    } else {
      let before = body.has("before") ? Int(Int32.max) : nil
      size = MessageSize(
        envelopeOf: MediaRequest(
          .queueInsert(QueueInsertRequest(items: [], insertBefore: before)), session: Int(Int32.max)))
    }
    var items: [Plan.QueueItem] = []
    var isSound = true
    for node in nodes {
      let map = node.pairs == nil ? nil : FieldMap(node, as: LanguageSchema.media)
      guard let item = queueItem(node, map: map, into: &size) else {
        isSound = false
        continue
      }
      // What does not fit is refused as a whole: it need not be kept.
      if size.fits { items.append(item) }
    }
    let rest = isLoad ? "queue the first \(MessageSize.countPlaceholder) and `queue_insert` the rest" : nil
    report(
      size, isLoad ? "QUEUE_LOAD" : "QUEUE_INSERT", of: body,
      help: rest ?? "insert the first \(MessageSize.countPlaceholder) and the rest in another step")
    return isSound ? items : nil
  }
  mutating func queueItem(
    _ node: YAMLNode, map: FieldMap?, into size: inout MessageSize, hasID: Bool = false
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
  mutating func reportEmpty(_ body: FieldMap, of step: StepFields) -> Bool {
    guard let node = body.node("items"), node.items?.isEmpty == true else { return false }
    problems.report(.error, .k105, "`\(step.verb.name)` needs at least one item", at: node, "nothing in it")
    return true
  }
}
