extension YAMLNode {
  /// The node with other content at its place.
  func with(_ content: Content) -> YAMLNode { YAMLNode(content, span: span, substitutedAt: substitutedAt) }

  /// The node with what `change` makes of each of its children; `nil` where it changes none, so that nothing is copied.
  /// The key is `nil` for an item of a list.
  ///
  /// `{ a: 1, b: [2] }` with a change that answers `3` under `a` and `nil` else is `{ a: 3, b: [2] }`.
  func mapped(_ change: (Key?, YAMLNode) -> YAMLNode?) -> YAMLNode? {
    switch content {
    case .scalar: return nil
    case .sequence(let items):
      var result: [YAMLNode]?
      for (index, item) in items.enumerated() {
        guard let changed = change(nil, item) else { continue }
        if result == nil { result = items }
        result?[index] = changed
      }
      return result.map { with(.sequence($0)) }
    case .mapping(let pairs):
      var result: [Pair]?
      for (index, pair) in pairs.enumerated() {
        guard let changed = change(pair.key, pair.value) else { continue }
        if result == nil { result = pairs }
        result?[index].value = changed
      }
      return result.map { with(.mapping($0)) }
    }
  }

  /// What putting a value somewhere costs.
  struct Measure {
    /// Nodes in it, itself included.
    var size = 1
    var depth = 1
    /// Of all its texts.
    var bytes = 0
  }

  var measure: Measure {
    var measure = Measure()
    func add(_ child: YAMLNode) {
      let inner = child.measure
      measure.size += inner.size
      measure.depth = max(measure.depth, inner.depth + 1)
      measure.bytes += inner.bytes
    }
    switch content {
    case .scalar(let scalar): measure.bytes = scalar.text.utf8.count
    case .sequence(let items): for item in items { add(item) }
    case .mapping(let pairs): for pair in pairs { add(pair.value) }
    }
    return measure
  }
}
