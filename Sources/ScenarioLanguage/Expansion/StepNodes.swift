/// Where a step of the document holds steps of its own.
enum StepNodes {
  /// The step lists inside one step, in the document's order: wherever the verb's table says that steps stand.
  static func lists(in step: YAMLNode) -> [YAMLNode] {
    guard let pairs = step.pairs else { return [] }
    var lists: [YAMLNode] = []
    for index in pairs.indices where holdsSteps(pairs[index].key) {
      let pair = pairs[index]
      collect(pair.value, NodeType.step.child(pair.value, under: pair.key.text), &lists)
    }
    return lists
  }

  /// Whether a step may bring others: it holds them, or it uses a block.
  static func bringsSteps(_ step: YAMLNode) -> Bool {
    guard let pairs = step.pairs else { return false }
    return pairs.indices.contains { holdsSteps(pairs[$0].key) }
  }

  private static func holdsSteps(_ key: YAMLNode.Key) -> Bool { LanguageSchema.verb(key.text)?.holdsSteps == true }

  private static func collect(_ node: YAMLNode, _ type: NodeType, _ lists: inout [YAMLNode]) {
    switch type {
    case .steps: lists.append(node)
    case .list: for item in node.items ?? [] { collect(item, type.child(item, under: nil), &lists) }
    case .map:
      for pair in node.pairs ?? [] { collect(pair.value, type.child(pair.value, under: pair.key.text), &lists) }
    case .scalar, .step, .entries, .free, .unfit: break
    }
  }

  /// The steps of a block's definition.
  static func steps(ofBlock block: YAMLNode) -> YAMLNode? { block.pairs?.first { $0.key.text == "steps" }?.value }

  /// The name after `use:`, short or long; `nil` where the step uses no block, or one that only arguments name.
  static func usedBlock(_ step: YAMLNode) -> YAMLNode? {
    guard let value = step.pairs?.first(where: { $0.key.text == "use" })?.value else { return nil }
    let name = value.pairs == nil ? value : value.pairs?.first { $0.key.text == "block" }?.value
    return name?.text?.isEmpty == false ? name : nil
  }
}
