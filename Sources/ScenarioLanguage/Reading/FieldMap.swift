package import CastProtocol

/// A map of the document that was read by its table: values by key, typed.
///
/// All that is wrong with the map was reported when it was read: a key that is absent and one whose value is wrong, or
/// beyond its limits, both give `nil`. Before reporting more about a map, ask
/// ``DiagnosticCollector/hasErrors(within:)`` whether it is sound.
///
/// ```swift
/// let load = step.body                                    // `load: film` and `load: { media: film }` alike
/// let until = load.choice("until", as: Plan.LoadAction.Until.self)
/// let within = step.modifiers.duration("within") ?? defaults.within
/// for track in media.maps("tracks") { names.append(track.text("id") ?? "") }
/// for clip in media.entries("clips") { length[clip.key.text] = clip.map?.duration("duration") }
/// diagnostics.report(.error, .c505, "...", at: .init(load.span("start") ?? load.span, "..."))
/// ```
package struct FieldMap: Sendable {
  package let spec: MapSpec
  /// The whole map.
  package let span: SourceSpan
  let pairs: [YAMLNode.Pair]

  /// Keeps the keys that the table knows. A node that is no map counts as an empty one.
  package init(_ node: YAMLNode, as spec: MapSpec) {
    self.init(node.pairs ?? [], span: node.span, as: spec)
  }

  init(_ pairs: [YAMLNode.Pair], span: SourceSpan, as spec: MapSpec) {
    self.spec = spec
    self.span = span
    let isKnown = pairs.indices.allSatisfy { spec.contains(pairs[$0].key.text) }
    self.pairs = isKnown ? pairs : pairs.filter { spec.contains($0.key.text) }
  }

  /// Where it stands in ``pairs``.
  private func index(_ key: String) -> Int? {
    assert(spec.contains(key), "no key \(key) in \(spec.place)")
    return pairs.isEmpty ? nil : pairs.index(of: key)
  }

  /// Whether nothing is written in it.
  var isEmpty: Bool { pairs.isEmpty }

  /// The entry under `key`, if somebody wrote one.
  package func pair(_ key: String) -> YAMLNode.Pair? { index(key).map { pairs[$0] } }

  /// The keys that were written, in the document's order.
  package var keys: [YAMLNode.Key] { pairs.map(\.key) }

  package func has(_ key: String) -> Bool { index(key) != nil }
  package func node(_ key: String) -> YAMLNode? { index(key).map { pairs[$0].value } }
  package func span(_ key: String) -> SourceSpan? { index(key).map { pairs[$0].value.span } }
  package func keySpan(_ key: String) -> SourceSpan? { index(key).map { pairs[$0].key.span } }

  /// Where messages about a whole value point: at the `${x}` that brought it, at the value, or, where that has several
  /// lines, at its key.
  func place(_ key: String) -> SourceSpan? {
    guard let node = node(key) else { return nil }
    return node.substitutedAt ?? (node.span.line == node.span.endLine ? node.span : keySpan(key))
  }

  // MARK: Scalars

  /// The text as written; `nil` also where it has placeholders for the run.
  package func text(_ key: String) -> String? { index(key).flatMap { pairs[$0].value.text } }

  /// What the scalar under `key` says by its type.
  private func value(_ key: String) -> ScalarValue? { index(key).flatMap { pairs[$0].value.value } }

  package func bool(_ key: String) -> Bool? { value(key)?.bool }
  package func int(_ key: String) -> Int? { value(key)?.int }
  /// A number, a factor, percent points.
  package func number(_ key: String) -> Double? { value(key)?.number }
  package func duration(_ key: String) -> Duration? { value(key)?.duration }
  package func position(_ key: String) -> PositionScalar? { value(key)?.position }
  /// Seconds since 1970.
  package func moment(_ key: String) -> Double? { value(key)?.moment }
  /// `#RRGGBBAA`.
  package func color(_ key: String) -> String? { value(key)?.color }
  package func host(_ key: String) -> HostAndPort? { value(key)?.host }
  package func days(_ key: String) -> Set<Int>? { value(key)?.days }
  package func dates(_ key: String) -> DateRange? { value(key)?.dates }
  package func cron(_ key: String) -> CronExpression? { value(key)?.cron }
  package func choice<Choice: RawRepresentable<String>>(_ key: String, as type: Choice.Type) -> Choice? {
    text(key).flatMap(Choice.init(rawValue:))
  }

  // MARK: Structure

  /// The entries of a list; a single value where one or many are allowed.
  package func list(_ key: String) -> [YAMLNode] {
    guard let node = node(key) else { return [] }
    return node.items ?? (node.pairs == nil && !node.isEmpty ? [node] : [])
  }

  /// The texts of a list of scalars.
  package func texts(_ key: String) -> [String] { list(key).compactMap(\.text) }

  /// The texts of a map of scalars, by their names.
  package func texts(by key: String) -> [String: String] {
    Dictionary(
      entries(key).compactMap { entry in entry.node.text.map { (entry.key.text, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The map under `key`, if it is one.
  package func map(_ key: String) -> FieldMap? {
    guard let node = node(key), node.pairs != nil, let spec = spec.type(of: key)?.mapSpec else { return nil }
    return FieldMap(node, as: spec)
  }

  /// The maps of a list, others left out.
  package func maps(_ key: String) -> [FieldMap] {
    guard let spec = spec.type(of: key)?.mapSpec else { return [] }
    return list(key).filter { $0.pairs != nil }.map { FieldMap($0, as: spec) }
  }

  /// One name of the document's choice, such as a media id, with its value.
  package struct Entry: Sendable {
    package let key: YAMLNode.Key
    package let node: YAMLNode
    /// The value, where it is a map with a table.
    package let map: FieldMap?
  }

  package func entries(_ key: String) -> [Entry] {
    let spec = spec.type(of: key)?.mapSpec
    return (node(key)?.pairs ?? []).map { pair in
      let map = spec.flatMap { pair.value.pairs == nil ? nil : FieldMap(pair.value, as: $0) }
      return Entry(key: pair.key, node: pair.value, map: map)
    }
  }
}
