/// Misspelled keys further down: what stands below `clisp:` is clips after all, and asks for no second message.
extension MisspelledKeys {
  struct Walk {
    var diagnostics: DiagnosticCollector
    /// How many keys may still be compared with others: a document of strange keys is not one of slips.
    private var searches = 400

    init(diagnostics: DiagnosticCollector) { self.diagnostics = diagnostics }

    /// The node with such keys replaced; `nil` when there is none.
    mutating func repaired(_ node: YAMLNode, as type: FieldType) -> YAMLNode? {
      switch type {
      case .savable(let inner), .words(_, let inner): return repaired(node, as: inner)
      case .byShape(_, let list, let map):
        if node.items != nil, let list { return repaired(node, as: list) }
        if node.pairs != nil, let map { return repaired(node, as: map) }
        return nil
      case .oneOrMany(let inner, _):
        return node.items == nil ? repaired(node, as: inner) : items(of: node) { $0.repaired($1, as: inner) }
      case .list(let inner, _): return items(of: node) { $0.repaired($1, as: inner) }
      case .steps: return items(of: node) { $0.step($1) }
      case .map(let spec): return map(node, spec)
      case .mapOf(let inner, let what):
        // Which secret is meant has consequences of its own.
        if what == "secrets" { return nil }
        let isVariables = what == "variables" || what == "parameters"
        return values(of: node) { isVariables ? $0.variable($1) : $0.repaired($1, as: inner) }
      default: return nil
      }
    }

    /// `exlude` in a matrix, where any name is a variable's: a list of maps is none of its values.
    mutating func repairExclusion(of matrix: inout YAMLNode) {
      guard var pairs = matrix.pairs, !pairs.contains(where: { $0.key.text == "exclude" }) else { return }
      let place = pairs.firstIndex { pair in
        guard let items = pair.value.items, !items.isEmpty, items.allSatisfy({ $0.pairs != nil }) else { return false }
        return Suggestions.nearest(to: pair.key.text, among: ["exclude"]) != nil
      }
      guard let place else { return }
      diagnostics.report(
        Diagnostic(
          .error, .k101, "unknown key \(ScalarText.quoted(pairs[place].key.text)) in `matrix`",
          at: .init(pairs[place].key.span, "did you mean `exclude`?"),
          footers: [.help("a variable of the matrix has a list of plain values")]))
      pairs[place].key.text = "exclude"
      matrix = YAMLNode(.mapping(pairs), span: matrix.span, substitutedAt: matrix.substitutedAt)
    }

    private mutating func items(of node: YAMLNode, _ body: (inout Walk, YAMLNode) -> YAMLNode?) -> YAMLNode? {
      guard var items = node.items else { return nil }
      var isChanged = false
      for index in items.indices {
        guard let item = body(&self, items[index]) else { continue }
        items[index] = item
        isChanged = true
      }
      return isChanged ? YAMLNode(.sequence(items), span: node.span, substitutedAt: node.substitutedAt) : nil
    }

    private mutating func values(of node: YAMLNode, _ body: (inout Walk, YAMLNode) -> YAMLNode?) -> YAMLNode? {
      guard var pairs = node.pairs else { return nil }
      var isChanged = false
      for index in pairs.indices {
        guard let value = body(&self, pairs[index].value) else { continue }
        pairs[index].value = value
        isChanged = true
      }
      return isChanged ? YAMLNode(.mapping(pairs), span: node.span, substitutedAt: node.substitutedAt) : nil
    }

    private mutating func map(_ node: YAMLNode, _ spec: MapSpec) -> YAMLNode? {
      guard var pairs = node.pairs else { return nil }
      var isChanged = false
      if pairs.contains(where: { !spec.contains($0.key.text) }) { isChanged = repairKeys(of: &pairs, spec) }
      for index in pairs.indices {
        guard let key = spec[pairs[index].key.text], let value = repaired(pairs[index].value, as: key.type) else {
          continue
        }
        pairs[index].value = value
        isChanged = true
      }
      return isChanged ? YAMLNode(.mapping(pairs), span: node.span, substitutedAt: node.substitutedAt) : nil
    }

    /// Replaces keys that are like one that is not there, and whose value is of that one's shape.
    private mutating func repairKeys(of pairs: inout [YAMLNode.Pair], _ spec: MapSpec) -> Bool {
      // A map of something else altogether is none with slips.
      guard pairs.count <= 2 || pairs.contains(where: { spec.contains($0.key.text) }) else { return false }
      var present = Set(pairs.map(\.key.text))
      var isChanged = false
      for index in pairs.indices where diagnostics.budget.allowsSuggestions {
        let pair = pairs[index]
        guard !spec.contains(pair.key.text), !pair.value.isEmpty else { continue }
        searches -= 1
        guard searches > 0 else { break }
        guard
          let meant = Suggestions.key(pair.key.text, among: spec.allowedNames), !present.contains(meant),
          let type = spec[meant]?.type, Self.fits(pair.value, type)
        else { continue }
        present.insert(meant)
        var checker = TableChecker(diagnostics: diagnostics)
        checker.reportUnknownKey(pair, in: spec)
        pairs[index].key.text = meant
        isChanged = true
      }
      return isChanged
    }

    private mutating func step(_ node: YAMLNode) -> YAMLNode? {
      guard var pairs = node.pairs, let index = DecodedStep.verbIndex(pairs),
        let verb = LanguageSchema.verb(pairs[index].key.text)
      else { return nil }
      var isChanged = false
      for position in pairs.indices {
        let value = pairs[position].value
        var changed: YAMLNode?
        if position != index {
          changed = LanguageSchema.modifiers[pairs[position].key.text].flatMap { repaired(value, as: $0.type) }
        } else {
          switch verb.form {
          case .keys(let spec, let short):
            changed = value.pairs == nil ? short.flatMap { repaired(value, as: $0.type) } : map(value, spec)
          case .value(let type): changed = repaired(value, as: type)
          case .bare: break
          }
        }
        guard let changed else { continue }
        pairs[position].value = changed
        isChanged = true
      }
      return isChanged ? YAMLNode(.mapping(pairs), span: node.span, substitutedAt: node.substitutedAt) : nil
    }

    /// A declaration of a variable, by its other keys or by a type that there is.
    private mutating func variable(_ node: YAMLNode) -> YAMLNode? {
      guard let pairs = node.pairs, !VariableReader.isDeclaration(node) else { return nil }
      let spec = LanguageSchema.variable
      guard pairs.count <= spec.keys.count, searches > 0 else { return nil }
      searches -= 1
      let isDeclaration = pairs.allSatisfy { pair in
        spec.contains(pair.key.text) || Suggestions.nearest(to: pair.key.text, among: spec.allowedNames) != nil
      }
      let saysType = pairs.contains { pair in
        Suggestions.nearest(to: pair.key.text, among: ["type"]) != nil
          && LanguageSchema.variableType(pair.value.text ?? "") != nil
      }
      guard isDeclaration, saysType || pairs.contains(where: { spec.contains($0.key.text) }) else { return nil }
      return map(node, spec)
    }

    /// Whether a value has a shape that the type takes.
    private static func fits(_ node: YAMLNode, _ type: FieldType) -> Bool {
      switch type {
      case .savable(let inner): return fits(node, inner)
      case .byShape(let scalar, let list, let map):
        switch node.content {
        case .scalar: return scalar != nil || node.text?.hasPrefix("${") == true
        case .sequence: return list != nil
        case .mapping: return map != nil
        }
      case .oneOrMany(let inner, _): return node.items != nil || fits(node, inner)
      case .anyValue: return true
      case .list, .steps: return node.items != nil
      case .map, .mapOf, .anyMap, .condition, .matchers: return node.pairs != nil
      default: return node.text != nil
      }
    }
  }

}
