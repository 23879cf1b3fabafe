/// What is read as written although unrolling has yet to fill it: blocks, and the steps of loops.
extension FieldReader {
  /// Reads a block; texts that use its parameters are left for `use`.
  mutating func readBlock(_ node: inout YAMLNode, _ field: Field) -> Bool {
    isInBlock = true
    blocks.enter(field.name)
    defer { isInBlock = false }
    var isSound = true
    if let params = node.index(of: "params") {
      for index in 0..<(node[value: params].pairs?.count ?? 0) where !readParameter(index, of: &node[value: params]) {
        isSound = false
      }
    }
    return readPairs(of: &node, LanguageSchema.block, field) && isSound
  }

  private mutating func readParameter(_ index: Int, of parameters: inout YAMLNode) -> Bool {
    guard let pair = parameters.pairs?[index] else { return true }
    let name = pair.key.text
    let key = YAMLNode(.scalar(.init(text: name, style: .plain)), span: pair.key.span)
    do throws(ScalarProblem) { _ = try NameScalar.id(name, isVariable: true) } catch { return report(error, at: key) }
    if RunTimeNames.reserved.contains(name) {
      diagnostics.report(
        .error, .n411, "`\(name)` is built in, a parameter cannot have its name", at: .init(pair.key.span),
        footers: [.help("call it `my_\(name)`")])
      return false
    }
    let parameter = Blocks.Parameter(pair)
    guard let declaration = parameter.declaration else { return true }
    let field = Field(name: name, keySpan: pair.key.span)
    guard read(&parameters[value: index], as: .map(LanguageSchema.variable), field: field) else { return false }
    let before = diagnostics.errorCount
    checkLimits(of: declaration, name: name)
    guard let value = parameter.defaultValue, diagnostics.errorCount == before else {
      return diagnostics.errorCount == before
    }
    checkVariable(value, by: declaration, name: name)
    return diagnostics.errorCount == before
  }

  /// `for_each`, whose steps know `item` and `index`.
  mutating func readLoop(_ node: inout YAMLNode, _ spec: MapSpec, _ field: Field) -> Bool {
    let outer = placeholders
    defer { placeholders = outer }
    // Its own list is outside the loop.
    var isSound = true
    if let index = node.index(of: "item"), let key = node.pairs?[index].key, let type = spec["item"]?.type,
      !read(&node[value: index], as: type, field: field.under(key))
    {
      isSound = false
    }
    placeholders.formUnion(["item", "index"])
    return readPairs(of: &node, spec, field) && isSound
  }
}
