extension LanguageSchema {
  /// Every map of the language once, in the order in which the tables first name it.
  package static let maps: [MapSpec] = {
    var walk = MapWalk()
    for kind in DocumentKind.allCases { walk.visit(document(kind)) }
    walk.visit(modifiers)
    walk.visit(variable)
    for verb in verbs {
      switch verb.form {
      case .keys(let spec, let short):
        walk.visit(spec)
        if let short { walk.visit(short.type) }
      case .value(let type): walk.visit(type)
      case .bare: break
      }
    }
    return walk.found
  }()
}

/// Collects the maps that a type can hold.
private struct MapWalk {
  var found: [MapSpec] = []

  mutating func visit(_ type: FieldType) {
    switch type {
    case .map(let spec): visit(spec)
    case .list(let inner, _), .oneOrMany(let inner, _), .mapOf(let inner, _), .savable(let inner),
      .words(_, let inner):
      visit(inner)
    case .byShape(let scalar, let list, let map):
      for inner in [scalar, list, map].compactMap({ $0 }) { visit(inner) }
    default: break
    }
  }

  mutating func visit(_ spec: MapSpec) {
    if found.contains(where: { $0 === spec }) { return }
    found.append(spec)
    for key in spec.keys { visit(key.type) }
  }
}
