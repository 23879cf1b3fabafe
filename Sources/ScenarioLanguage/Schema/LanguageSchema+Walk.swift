extension LanguageSchema {
  /// Every map of the language once, in the order in which the tables first name it.
  package static let maps: [MapSpec] = {
    var found: [MapSpec] = []
    func visit(_ type: FieldType) {
      if case .map(let spec) = type { visit(spec) }
      for inner in type.inner { visit(inner) }
    }
    func visit(_ spec: MapSpec) {
      if found.contains(where: { $0 === spec }) { return }
      found.append(spec)
      for key in spec.keys { visit(key.type) }
    }
    for kind in DocumentKind.allCases { visit(document(kind)) }
    visit(modifiers)
    visit(variable)
    for verb in verbs {
      switch verb.form {
      case .keys(let spec, let short):
        visit(spec)
        if let short { visit(short.type) }
      case .value(let type): visit(type)
      case .bare: break
      }
    }
    return found
  }()
}
