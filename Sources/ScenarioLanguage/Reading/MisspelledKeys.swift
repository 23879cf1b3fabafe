/// Tells misspelled keys once and reads on with what they were meant to be: what stands below `mdia:` is media after
/// all, and asks for no second message.
///
/// `mdia: { film: { ulr: … } }` becomes `media: { film: { url: … } }`, with K101 at `mdia` and at `ulr`.
struct MisspelledKeys {
  private let diagnostics: DiagnosticCollector
  /// How many keys may still be compared with known ones: a document with more is no misspelled document of ours.
  private var searches = 400

  /// The document's map with such keys replaced.
  static func repaired(
    _ root: YAMLNode, _ kind: DocumentKind, reportingTo diagnostics: DiagnosticCollector
  ) -> YAMLNode {
    guard var pairs = root.pairs else { return root }
    let spec = LanguageSchema.document(kind)
    var present = Set(pairs.map(\.key.text))
    var unknownKeys = 0
    for index in pairs.indices {
      let name = pairs[index].key.text
      guard spec[name] == nil, LanguageSchema.kinds(having: name).isEmpty else { continue }
      unknownKeys += 1
      if unknownKeys > 200 { break }
      guard let meant = Suggestions.nearest(to: name, among: spec.allowedNames), present.insert(meant).inserted
      else { continue }
      var fieldReader = FieldReader(diagnostics: diagnostics)
      fieldReader.reportUnknownKey(pairs[index], in: spec)
      pairs[index].key.text = meant
    }
    var keys = MisspelledKeys(diagnostics: diagnostics)
    if let index = pairs.firstIndex(where: { $0.key.text == "matrix" && spec.contains("matrix") }) {
      keys.repairExclusion(of: &pairs[index].value)
    }
    let result = root.with(.mapping(pairs))
    return keys.children(of: result, .map(spec)) ?? result
  }

  /// The node with such keys replaced; `nil` when there is none.
  private mutating func repaired(_ node: YAMLNode, as type: NodeType) -> YAMLNode? {
    switch type {
    case .scalar, .free, .unfit: return nil
    case .list, .steps: return children(of: node, type)
    case .step: return node.pairs.flatMap(StepFields.verbIndex) == nil ? nil : children(of: node, type)
    case .map(let spec): return map(node, spec)
    case .entries(_, let what):
      switch what {
      // Which secret is meant has consequences of its own.
      case "secrets": return nil
      case "variables", "parameters": return node.mapped { variable($1) }
      default: return children(of: node, type)
      }
    }
  }

  private mutating func children(of node: YAMLNode, _ type: NodeType) -> YAMLNode? {
    node.mapped(as: type) { _, child, type in repaired(child, as: type) }
  }

  private mutating func map(_ node: YAMLNode, _ spec: MapSpec) -> YAMLNode? {
    guard var pairs = node.pairs else { return nil }
    let renamed = repairKeys(of: &pairs, spec) ? node.with(.mapping(pairs)) : nil
    return children(of: renamed ?? node, .map(spec)) ?? renamed
  }

  /// Replaces unknown keys that resemble an absent one, if their value has the shape that it takes.
  private mutating func repairKeys(of pairs: inout [YAMLNode.Pair], _ spec: MapSpec) -> Bool {
    let unknown = pairs.indices.filter { !spec.contains(pairs[$0].key.text) }
    // A map of something else altogether is none with slips.
    guard !unknown.isEmpty, pairs.count <= 2 || unknown.count < pairs.count else { return false }
    var present = Set(pairs.map(\.key.text))
    var isChanged = false
    for index in unknown where diagnostics.budget.allowsSuggestions {
      let pair = pairs[index]
      guard !pair.value.isEmpty else { continue }
      searches -= 1
      guard searches > 0 else { break }
      guard
        let meant = Suggestions.key(pair.key.text, among: spec.allowedNames), !present.contains(meant),
        let type = spec[meant]?.type, Self.fits(pair.value, type)
      else { continue }
      present.insert(meant)
      var fieldReader = FieldReader(diagnostics: diagnostics)
      fieldReader.reportUnknownKey(pair, in: spec)
      pairs[index].key.text = meant
      isChanged = true
    }
    return isChanged
  }

  /// Whether a value has a shape that the type takes.
  private static func fits(_ node: YAMLNode, _ type: FieldType) -> Bool {
    guard case .unfit = NodeType(type, of: node) else { return true }
    // A variable can bring any of several shapes.
    switch type {
    case .byShape, .savable(.byShape): return node.text?.hasPrefix("${") == true
    default: return false
    }
  }

  /// A declaration of a variable, by its other keys or by a type that there is.
  private mutating func variable(_ node: YAMLNode) -> YAMLNode? {
    guard let pairs = node.pairs, !VariableDeclaration.describes(node) else { return nil }
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

  /// `exlude` in a matrix, where any name is a variable's: a list of maps is none of its values.
  private mutating func repairExclusion(of matrix: inout YAMLNode) {
    guard var pairs = matrix.pairs, !pairs.contains(where: { $0.key.text == "exclude" }) else { return }
    let place = pairs.firstIndex { pair in
      guard let items = pair.value.items, !items.isEmpty, items.allSatisfy({ $0.pairs != nil }) else { return false }
      return Suggestions.nearest(to: pair.key.text, among: ["exclude"]) != nil
    }
    guard let place else { return }
    diagnostics.report(
      .error, .k101, "unknown key \(ScalarText.quoted(pairs[place].key.text)) in `matrix`",
      at: .init(pairs[place].key.span, Suggestions.label("exclude")),
      footers: [.help("a variable of the matrix has a list of plain values")])
    pairs[place].key.text = "exclude"
    matrix = matrix.with(.mapping(pairs))
  }
}
