/// What is checked as written although unrolling has yet to fill it: blocks, and the steps of loops.
extension TableChecker {
  /// A block as if its parameters fitted anywhere.
  mutating func checkBlock(_ node: YAMLNode, _ field: Field) -> Bool {
    guard let pairs = node.pairs else { return checkMap(node, LanguageSchema.block, field) }
    let outer = placeholders
    placeholders = Blocks.parameterNames(of: node, among: blocks)
    defer { placeholders = outer }
    var isSound = true
    for pair in pairs.first(where: { $0.key.text == "params" })?.value.pairs ?? [] where !checkParameter(pair) {
      isSound = false
    }
    return checkPairs(pairs, LanguageSchema.block, field, span: node.span) && isSound
  }

  private mutating func checkParameter(_ pair: YAMLNode.Pair) -> Bool {
    let name = pair.key.text
    let key = YAMLNode(.scalar(.init(text: name, style: .plain)), span: pair.key.span)
    do throws(ScalarProblem) { _ = try NameScalar.id(name, isVariable: true) } catch { return report(error, at: key) }
    if RunTimeNames.reserved.contains(name) {
      diagnostics.report(
        Diagnostic(
          .error, .n411, "`\(name)` is built in, a parameter cannot have its name", at: .init(pair.key.span),
          footers: [.help("call it `my_\(name)`")]))
      return false
    }
    let parameter = Blocks.Parameter(pair)
    guard let declaration = parameter.declaration else { return true }
    let field = Field(name: name, keySpan: pair.key.span)
    guard check(pair.value, as: .map(LanguageSchema.variable), field: field) else { return false }
    guard let type = parameter.type else { return true }
    let before = diagnostics.errorCount
    checkLimits(declaration, as: type, name: name)
    guard let value = parameter.defaultValue, diagnostics.errorCount == before else {
      return diagnostics.errorCount == before
    }
    checkVariable(value, as: type, name: name, declaration: declaration)
    return diagnostics.errorCount == before
  }

  /// `for_each`, whose steps know `item` and `index`.
  mutating func checkLoop(_ pairs: [YAMLNode.Pair], _ spec: MapSpec, _ field: Field, span: SourceSpan) -> Bool {
    let outer = placeholders
    defer { placeholders = outer }
    // Its own list is outside the loop.
    var isSound = true
    if let pair = pairs.first(where: { $0.key.text == "item" }), let key = spec["item"],
      !check(pair.value, as: key.type, field: field.under(pair.key))
    {
      isSound = false
    }
    placeholders.formUnion(["item", "index"])
    return checkPairs(pairs, spec, field, span: span) && isSound
  }
}
