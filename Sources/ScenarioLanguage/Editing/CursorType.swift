/// What a node is by the schema, as far as an editor has to know: also inside conditions, which tables do not describe.
enum CursorType {
  /// A value of this type.
  case field(FieldType)
  case map(MapSpec)
  case step
  /// A map of the status fields below a path to matchers.
  case status(FieldPath)
  /// A map of matchers of one field.
  case matchers(FieldPath, StatusField.ValueType)
  /// What a matcher compares with.
  case operand(StatusField.ValueType)
  /// The number of entries of a list, or anything that no table tells of.
  case unknown

  /// The type of what stands under a key.
  func child(_ node: YAMLNode, under key: String) -> CursorType {
    switch self {
    case .field(let type): Self.child(of: type, node, under: key)
    case .map(let spec): Self.child(of: spec, under: key)
    case .step: Self.ofStep(key)
    case .status(let path): Self.ofStatus(key, below: path, node)
    case .matchers(let path, let type): Self.ofMatcher(key, path, type)
    case .operand, .unknown: .unknown
    }
  }

  /// The type of the entries of a list.
  func item(_ node: YAMLNode) -> CursorType {
    switch self {
    case .field(.steps): .step
    case .field(.list(let inner, _)), .field(.oneOrMany(let inner, _)): .field(inner)
    case .field(.savable(let inner)): CursorType.field(inner).item(node)
    case .field(.byShape(_, let list?, _)): CursorType.field(list).item(node)
    case .operand(.list(let element)): .operand(element)
    case .operand: self
    default: .unknown
    }
  }

  private static func child(of spec: MapSpec, under key: String) -> CursorType {
    // To the tables a variable is any value, and a parameter of a block, too.
    let isDocument = DocumentKind.allCases.contains { LanguageSchema.document($0) === spec }
    if isDocument && key == "vars" || spec === LanguageSchema.block && key == "params" {
      return .field(.mapOf(.map(LanguageSchema.variable), of: "variables"))
    }
    return spec.type(of: key).map { .field($0) } ?? .unknown
  }

  private static func child(of type: FieldType, _ node: YAMLNode, under key: String) -> CursorType {
    switch type {
    case .savable(let inner), .oneOrMany(let inner, _): child(of: inner, node, under: key)
    case .byShape(_, _, let map?): child(of: map, node, under: key)
    case .map(let spec): child(of: spec, under: key)
    case .mapOf(let inner, _): .field(inner)
    case .condition: ofStatus(key, below: FieldPath([]), node)
    case .matchers: .matchers(FieldPath([key]), .free)
    default: .unknown
    }
  }

  private static func ofStep(_ key: String) -> CursorType {
    switch LanguageSchema.verb(key)?.form {
    case .keys(let spec, let short):
      .field(.byShape(scalar: short?.type, list: short?.type, map: .map(spec)))
    case .value(let type): .field(type)
    case .bare: .unknown
    case nil: LanguageSchema.modifiers.type(of: key).map { .field($0) } ?? .unknown
    }
  }

  private static func ofStatus(_ key: String, below path: FieldPath, _ node: YAMLNode) -> CursorType {
    if path.parts.isEmpty, let known = LanguageSchema.conditionKeys.first(where: { $0.name == key }) {
      return .field(known.type)
    }
    let field = FieldPath(parsing: key, below: path)
    guard let type = StatusField.find(field)?.type else {
      return StatusField.hasMembers(field) ? .status(field) : .unknown
    }
    if case .structure = type, node.pairs?.first.flatMap({ MatcherName(rawValue: $0.key.text) }) == nil {
      return node.pairs == nil ? .operand(type) : .status(field)
    }
    return node.pairs == nil ? .operand(type) : .matchers(field, type)
  }

  private static func ofMatcher(_ key: String, _ path: FieldPath, _ type: StatusField.ValueType) -> CursorType {
    switch MatcherName(rawValue: key)?.spec.operand {
    case .matcher: .matchers(path, type)
    case .values, .reference: .operand(type)
    case .elements: if case .list(let element) = type { .operand(element) } else { .operand(type) }
    case .bool: .operand(.bool)
    case .tolerance, .offset, .pattern, .text, .count, .advance, nil: .unknown
    }
  }

  /// Whether a single word may stand there: an entry of a list that no map is.
  var takesWord: Bool {
    switch self {
    case .field(let type): type.takesScalar
    case .step, .operand: true
    case .map, .status, .matchers, .unknown: false
    }
  }

  /// Whether a map may stand there.
  var takesMap: Bool {
    switch self {
    case .field(let type): type.takesMap
    case .map, .step, .status, .matchers: true
    case .operand, .unknown: false
    }
  }
}

extension FieldType {
  /// Whether a map can be of this type.
  fileprivate var takesMap: Bool {
    switch self {
    case .map, .mapOf, .condition, .matchers, .anyMap, .anyValue: true
    case .savable(let inner), .oneOrMany(let inner, _): inner.takesMap
    case .byShape(_, _, let map): map != nil
    default: false
    }
  }
}
