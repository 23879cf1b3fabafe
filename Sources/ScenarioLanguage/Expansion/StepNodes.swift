/// Where a step of the document holds steps of its own.
enum StepNodes {
  /// The step lists inside one step, in the document's order.
  static func lists(in step: YAMLNode) -> [YAMLNode] {
    var lists: [YAMLNode] = []
    for pair in step.pairs ?? [] {
      switch pair.key.text {
      case "group", "repeat", "for_each": lists += values(of: ["steps", "finally"], in: pair.value)
      case "choose": for entry in pair.value.items ?? [] { lists += values(of: ["steps", "otherwise"], in: entry) }
      case "parallel":
        let branches = pair.value.items ?? pair.value.pairs?.first { $0.key.text == "branches" }?.value.items
        for branch in branches ?? [] { lists += values(of: ["steps"], in: branch) }
      default: break
      }
    }
    return lists
  }

  /// The steps of a block's definition.
  static func steps(ofBlock block: YAMLNode) -> YAMLNode? { block.pairs?.first { $0.key.text == "steps" }?.value }

  /// The name after `use:`, short or long; `nil` where the step uses no block, or one that only arguments name.
  static func usedBlock(_ step: YAMLNode) -> YAMLNode? {
    guard let value = step.pairs?.first(where: { $0.key.text == "use" })?.value else { return nil }
    let name = value.pairs == nil ? value : value.pairs?.first { $0.key.text == "block" }?.value
    return name?.text?.isEmpty == false ? name : nil
  }

  private static func values(of keys: [String], in map: YAMLNode) -> [YAMLNode] {
    (map.pairs ?? []).filter { keys.contains($0.key.text) }.map(\.value)
  }
}
