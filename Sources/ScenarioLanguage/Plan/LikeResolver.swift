/// Definitions that start from another one: `like: base` (docs/language/library.md "Like").
///
/// The copy is shallow: a key that is written replaces the base's whole value. With
///
///     base: { url: u, metadata: { title: A, subtitle: S } }
///     own: { like: base, metadata: { title: B } }
///
/// `{ like: own, duration: 5m }` becomes `{ like: own, duration: 5m, metadata: { title: B }, url: u }`.
struct LikeResolver: Sendable {
  /// Nodes that were taken over so far.
  private(set) var takenOver = 0
  private var sizes: [Kind: [String: Int]] = [:]

  /// What a definition starts from, by the key that holds such definitions.
  enum Kind: String, CaseIterable, Sendable {
    case media
    case textStyle = "text_styles"
    case block = "blocks"
    case app = "apps"
    case inventory
  }

  private let tables: [Kind: [String: YAMLNode]]

  init(_ root: FieldMap) {
    tables = Dictionary(
      uniqueKeysWithValues: Kind.allCases.map { kind in
        let nodes = root.entries(kind.rawValue).map { ($0.key.text, $0.node) }
        return (kind, Dictionary(nodes, uniquingKeysWith: { first, _ in first }))
      })
  }

  /// N412, at the same place whichever of the circle's definitions was looked at first.
  private func circle(_ members: ArraySlice<String>, _ table: [String: YAMLNode]) -> Diagnostic? {
    guard let name = members.min(), let start = members.firstIndex(of: name),
      let node = table[name]?.pairs?.first(where: { $0.key.text == "like" })?.value
    else { return nil }
    let way = members[start...] + members[..<start] + [name]
    return Diagnostic(
      .error, .n412, "`\(ScalarText.shown(name))` starts from itself", at: node, "begins the circle",
      footers: [
        .note(way.prefix(10).map { ScalarText.shown($0) }.joined(separator: " → ")),
        .help("one of them must stand without `like`"),
      ])
  }

  private func table(_ kind: Kind) -> [String: YAMLNode] { tables[kind] ?? [:] }

  /// Nodes that definitions may take over from others, all together.
  private static let limit = YAMLDocument.Limit.nodes

  private mutating func size(of name: String, _ kind: Kind) -> Int {
    if let known = sizes[kind]?[name] { return known }
    let size = table(kind)[name].map { $0.measure.size } ?? 0
    sizes[kind, default: [:]][name] = size
    return size
  }

  /// The value at the end of a chain of `like`, if that definition is one value: `A1B2C3D4` for `{ like: a }` with
  /// `a: A1B2C3D4`.
  func lastText(from map: FieldMap, _ kind: Kind) -> String? {
    let table = table(kind)
    var next = map.text("like")
    for _ in 0..<100 {
      guard let name = next, let node = table[name] else { return nil }
      guard let pairs = node.pairs else { return node.text }
      next = pairs.first { $0.key.text == "like" }?.value.text
    }
    return nil
  }

  /// The map with all that it takes over; N412 where definitions start from each other in a circle.
  mutating func resolved(_ map: FieldMap, _ kind: Kind, reportingTo problems: DiagnosticCollector) -> FieldMap {
    guard let first = map.node("like"), takenOver <= Self.limit, !problems.budget.isSpent else { return map }
    let table = table(kind)
    var pairs = map.keys.compactMap { map.pair($0.text) }
    var seen = Set(pairs.map(\.key.text))
    var visited: Set<String> = []
    var chain: [String] = []
    var next: YAMLNode? = first
    while let node = next, let name = node.text, let base = table[name]?.pairs {
      guard visited.insert(name).inserted else {
        if let problem = circle(chain.drop { $0 != name }, table) { problems.report(problem) }
        break
      }
      // Many definitions at the end of one long chain would each walk all of it.
      guard visited.count <= 100 else {
        problems.report(.error, .n412, "more than 100 definitions start from each other", at: first)
        break
      }
      takenOver += size(of: name, kind)
      if takenOver > Self.limit {
        problems.reportAndStop(
          Diagnostic(
            .error, .y302, "`like` expands this document to more than \(Self.limit) nodes", at: first,
            "stopped here", footers: [.help("write only what differs, or share large parts by `vars:`")]))
        return map
      }
      chain.append(name)
      next = base.first { $0.key.text == "like" }?.value
      for pair in base where map.spec.contains(pair.key.text) && seen.insert(pair.key.text).inserted {
        pairs.append(pair)
      }
    }
    return FieldMap(YAMLNode(.mapping(pairs), span: map.span), as: map.spec)
  }
}
