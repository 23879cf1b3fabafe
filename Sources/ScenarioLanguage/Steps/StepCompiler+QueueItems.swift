import CastProtocol

/// Items of the queue that plays.
extension StepCompiler {
  /// Item ids are given by the receiver, from 1 on, and fit the wire's 31 bits.
  private static let itemNumbers = 0...Int(Int32.max)
  private static let itemHint =
    "items are named by their number, which `showcaller queue` shows, or by their address"

  /// The items under `items`, each once.
  mutating func references(_ body: DecodedMap, of step: DecodedStep) -> [Plan.QueueItemReference]? {
    reportEmpty(body, of: step) ? nil : references(body.list("items"))
  }

  /// Items, each named once.
  mutating func references(_ nodes: [YAMLNode]) -> [Plan.QueueItemReference]? {
    var items: [Plan.QueueItemReference] = []
    var seen: [Plan.QueueItemReference: YAMLNode] = [:]
    var isSound = true
    for node in nodes {
      guard let item = reference(node) else {
        isSound = false
        continue
      }
      if reportTwice(item, at: node, among: &seen) { isSound = false }
      items.append(item)
    }
    return isSound ? items : nil
  }

  /// What the key names, which may be left out; `nil` when it is wrong.
  mutating func reference(
    _ key: String, of body: DecodedMap
  ) -> (reference: Plan.QueueItemReference?, Void)? {
    guard let node = body.node(key) else { return (nil, ()) }
    return reference(node).map { ($0, ()) }
  }

  /// An item by the media it plays, by the receiver's number, or by a number that an earlier step saved.
  mutating func reference(_ node: YAMLNode, words: [String] = []) -> Plan.QueueItemReference? {
    if let name = node.savedName {
      return saved.check(name, fits: .int, of: "a queue item", at: node, reportingTo: problems) ? .saved(name) : nil
    }
    guard let text = node.text, !node.isEmpty else { return nil }
    if let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) {
      do throws(ScalarProblem) { return .number(try NumberScalar.int(text, in: Self.itemNumbers)) } catch {
        problems.report(Diagnostic(error, at: node))
        return nil
      }
    }
    if URLScalar.looksLikeURL(text) { return .media(id: text, content: text) }
    if let media = definitions.media.use(text) { return .media(id: text, content: media.information.contentID) }
    if definitions.brokenMedia.contains(text) { return nil }
    if let word = Suggestions.choice(text, among: words) {
      problems.report(
        Diagnostic(.error, .n406, "unknown media \(ScalarText.quoted(text))", at: node, "did you mean `\(word)`?")
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
      Diagnostic(
        .error, .t213, "\(ScalarText.quoted(node.planText?.source ?? "")) cannot go before itself", at: node,
        "is among the items that move"))
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
      Diagnostic(
        .error, .t213, "\(ScalarText.quoted(node.planText?.source ?? "")) stands twice in this list", at: node,
        "again here", related: [.init(first.substitutedAt ?? first.span, "first here")]))
    return true
  }
}
