/// Definitions that start from another one: `like: base` (language.md 2.3).
///
/// The copy is shallow: a key that is written replaces the base's whole value.
struct Likes: Sendable {
  private let media: [String: YAMLNode]
  private let styles: [String: YAMLNode]
  private let blocks: [String: YAMLNode]

  /// What a definition starts from.
  enum Kind: Sendable { case media, textStyle, block }

  init(_ root: DecodedMap) {
    func nodes(_ key: String) -> [String: YAMLNode] {
      Dictionary(root.entries(key).map { ($0.key.text, $0.node) }, uniquingKeysWith: { first, _ in first })
    }
    media = nodes("media")
    styles = nodes("text_styles")
    blocks = nodes("blocks")
  }

  /// The map with all that it takes over; N412 where definitions start from each other in a circle.
  func resolved(_ map: DecodedMap, _ kind: Kind, reportingTo problems: inout DiagnosticCollector) -> DecodedMap {
    guard let first = map.node("like") else { return map }
    let table =
      switch kind {
      case .media: media
      case .textStyle: styles
      case .block: blocks
      }
    var pairs = map.keys.compactMap { map.pair($0.text) }
    var seen = Set(pairs.map(\.key.text))
    var visited: Set<String> = []
    var next: YAMLNode? = first
    while let node = next, let name = node.text, let base = table[name]?.pairs {
      guard visited.insert(name).inserted else {
        problems.report(
          Diagnostic(
            .error, "N412", "`\(ScalarText.shown(name))` starts from itself", at: node, "closes the circle",
            footers: [.help("one of the definitions in the circle must stand without `like`")]))
        break
      }
      // Long chains of long chains would take for ever; nobody reads them either.
      guard visited.count <= 100 else {
        problems.report(Diagnostic(.error, "N412", "more than 100 definitions start from each other", at: first))
        break
      }
      next = base.first { $0.key.text == "like" }?.value
      for pair in base where map.spec.contains(pair.key.text) && seen.insert(pair.key.text).inserted {
        pairs.append(pair)
      }
    }
    return DecodedMap(YAMLNode(.mapping(pairs), span: map.span), as: map.spec)
  }
}
