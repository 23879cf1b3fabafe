/// One entry of `include:`: a path, or a map with `file`, `as` and `only`.
struct IncludeEntry {
  var path: YAMLNode
  /// `as:`, with its place.
  var prefix: YAMLNode?
  /// `only:`; `nil` takes everything.
  var only: [YAMLNode]?

  /// `nil` where the entry is no such thing, which the tables report.
  init?(_ node: YAMLNode) {
    let pairs = node.pairs ?? []
    func value(_ key: String) -> YAMLNode? { pairs.first { $0.key.text == key }?.value }
    guard let path = node.pairs == nil ? node : value("file"), path.text != nil, !path.isEmpty else { return nil }
    self.path = path
    prefix = value("as").flatMap { $0.text == nil || $0.isEmpty ? nil : $0 }
    only = value("only")?.items
  }

  /// The entries that can be read, in the document's order.
  static func entries(of pairs: [YAMLNode.Pair]) -> [IncludeEntry] {
    pairs.first { $0.key.text == "include" }?.value.items?.compactMap { IncludeEntry($0) } ?? []
  }
}
