/// What a node is by the schema, once its shape has decided between the forms that its field takes.
///
/// `[{ load: { media: film }, within: 5s }]` as a value of `.steps` is `.steps`, and its item is a `.step`. In that one
/// `load` is the `.map` of the verb's keys, in which `media` is `.scalar(.reference(.mediaOrURL))`; `within` is
/// `.scalar(.duration)`. The same field as `load: film` is that scalar itself.
enum NodeType {
  case scalar(FieldType)
  case list(of: FieldType)
  case steps
  case step
  case map(MapSpec)
  /// Names of the document's choice, each with a value; the second part names the entries.
  case entries(FieldType, of: String)
  /// No table says what is inside: free data, conditions, unknown keys.
  case free
  /// The node has a shape that its field does not take.
  case unfit

  init(_ type: FieldType, of node: YAMLNode) {
    switch type {
    case .savable(let inner): self.init(inner, of: node)
    case .oneOrMany(let inner, _):
      if node.items == nil { self.init(inner, of: node) } else { self = .list(of: inner) }
    case .byShape:
      if let fitting = type.form(of: node) { self.init(fitting, of: node) } else { self = .unfit }
    case .list(let inner, _): self = node.items == nil ? .unfit : .list(of: inner)
    case .steps: self = node.items == nil ? .unfit : .steps
    case .map(let spec): self = node.pairs == nil ? .unfit : .map(spec)
    case .mapOf(let inner, let what): self = node.pairs == nil ? .unfit : .entries(inner, of: what)
    case .condition, .matchers, .anyMap: self = node.pairs == nil ? .unfit : .free
    case .anyValue: self = .free
    default: if case .scalar = node.content { self = .scalar(type) } else { self = .unfit }
    }
  }

  /// The type of a child: of what stands under a key, or of an item, which has none.
  func child(_ node: YAMLNode, under key: String?) -> NodeType {
    switch (self, key) {
    case (.list(let inner), nil), (.entries(let inner, _), _?): return NodeType(inner, of: node)
    case (.steps, nil): return .step
    case (.map(let spec), let key?): return spec.type(of: key).map { NodeType($0, of: node) } ?? .free
    case (.step, let key?):
      switch LanguageSchema.verb(key)?.form {
      case .keys(let spec, _) where node.pairs != nil: return .map(spec)
      case .keys(_, let short): return short.map { NodeType($0.type, of: node) } ?? .unfit
      case .value(let type): return NodeType(type, of: node)
      case .bare: return .free
      case nil: return LanguageSchema.modifiers.type(of: key).map { NodeType($0, of: node) } ?? .free
      }
    default: return .free
    }
  }
}

extension YAMLNode {
  /// The node with what `change` makes of each of its children, whose types it is told; `nil` where it changes none.
  func mapped(as type: NodeType, _ change: (Key?, YAMLNode, NodeType) -> YAMLNode?) -> YAMLNode? {
    mapped { key, child in change(key, child, type.child(child, under: key?.text)) }
  }
}

extension FieldType {
  /// The form among several that a node's shape asks for; `nil` where there is none.
  func form(of node: YAMLNode) -> FieldType? {
    guard case .byShape(let scalar, let list, let map) = self else { return nil }
    return switch node.content {
    case .scalar: scalar
    case .sequence: list
    case .mapping: map
    }
  }

  /// The types of which a value is one, or of which its entries are.
  var inner: [FieldType] {
    switch self {
    case .list(let inner, _), .oneOrMany(let inner, _), .mapOf(let inner, _), .savable(let inner), .words(_, let inner):
      [inner]
    case .byShape(let scalar, let list, let map): [scalar, list, map].compactMap { $0 }
    default: []
    }
  }

  /// The table of the maps in this type: its own, its entries' or that of one of its shapes.
  package var mapSpec: MapSpec? {
    if case .map(let spec) = self { spec } else { inner.compactMap(\.mapSpec).last }
  }
}
