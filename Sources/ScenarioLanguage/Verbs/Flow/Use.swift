/// `use`: puts a block's steps in.
enum Use: StepVerb {
  static let spec = VerbSpec(
    .use, .flow, .container,
    .keys(
      [
        KeySpec("block", .reference(.block), required: true, "The block whose steps stand here."),
        KeySpec("with", .mapOf(.anyValue, of: "arguments"), default: "{}", "Values for the parameters of the block."),
      ], short: "block"),
    "Puts a block's steps in.",
    done: "the block's steps, which stand in its place, are done",
    example: "- use: { block: start_app, with: { app: acme } }"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.use(step, id: id)
  }
}

extension StepCompiler {
  fileprivate mutating func use(_ step: StepFields, id: String) -> Compiled? {
    guard let node = step.body.node("block"), let name = node.text, !node.isEmpty else { return nil }
    if node.substitutedAt != nil {
      problems.report(
        .error, .t219, "a block cannot come from a variable", at: .init(node.place),
        footers: [.help("names of blocks are written out, so that the plan is known before the run")])
      return nil
    }
    // An unknown name was reported where names are checked.
    guard let block = blocks.use(name), let arguments = arguments(step, of: block, named: node),
      !blocks.refused.contains(name), isUnrollable
    else { return nil }
    if isUnusedBlock { return Compiled(action: .group(Plan.GroupAction(steps: [])), timeout: .zero) }
    compiledBlocks.insert(name)
    let outer = idPrefix
    idPrefix = id
    defer { idPrefix = outer }
    let steps = nested(filled(block.steps, with: arguments), prefix: "\(id).", in: step)
    guard count(steps.count, at: step) else { return nil }
    return Compiled(
      action: .group(Plan.GroupAction(steps: steps)), timeout: Self.sum(steps), argument: ScalarText.shown(name))
  }

  /// What `with:` gives for each parameter; `nil` where one of them is missing or wrong.
  private mutating func arguments(
    _ step: StepFields, of block: Blocks.Block, named node: YAMLNode
  ) -> PlaceholderFilling.Bindings? {
    let before = problems.errorCount
    let name = ScalarText.shown(block.key.text)
    let written = step.body.node("with")?.pairs ?? []
    let names = block.parameters.map(\.key.text)
    let known = Set(names)
    let unknownKeys = written.filter { !known.contains($0.key.text) }
    let listed = unknownKeys.isEmpty ? "" : ScalarText.listed(names.sorted())
    for pair in unknownKeys where !problems.budget.isSpent {
      let suggestion = problems.budget.allowsSuggestions ? Suggestions.nearest(to: pair.key.text, among: names) : nil
      problems.report(
        .error, .k101, "unknown argument \(ScalarText.quoted(pair.key.text)) of block `\(name)`",
        at: .init(pair.key.span, Suggestions.label(suggestion)),
        related: [.init(block.key.span, "the block")],
        footers: [.help(names.isEmpty ? "`\(name)` takes no arguments" : "its parameters: \(listed)")])
    }
    let hasUnknownKeys = problems.errorCount > before
    var values: [String: YAMLNode] = [:]
    for pair in written { values[pair.key.text] = pair.value }
    var bindings = PlaceholderFilling.Bindings()
    for parameter in block.parameters {
      let key = parameter.key.text
      guard var value = values[key] ?? parameter.defaultValue else {
        // What is missing may be what an unknown one was meant to be.
        if !hasUnknownKeys { reportMissing(key, of: block, parameter, at: node) }
        continue
      }
      if values[key] == nil {
        value = filling.filled(value, with: bindings) ?? value
      } else if let declaration = parameter.declaration, value.planText?.isLiteral ?? true {
        // What only the run knows is checked where it is used.
        fieldReader.checkVariable(value, by: declaration, name: key)
      }
      if !bindings.bind(key, to: value) {
        problems.report(
          .error, .y311, "arguments nest deeper than \(YAMLDocument.Limit.depth) levels",
          at: .init(value.place, "stopped here"))
      }
    }
    return problems.errorCount == before ? bindings : nil
  }

  private mutating func reportMissing(
    _ key: String, of block: Blocks.Block, _ parameter: Blocks.Parameter, at node: YAMLNode
  ) {
    let name = ScalarText.shown(block.key.text)
    problems.report(
      .error, .k105, "block `\(name)` needs `\(ScalarText.shown(key))`", at: .init(node.span, "no value for it"),
      related: [.init(parameter.key.span, "has no default")],
      footers: [.help("`use: { block: \(name), with: { \(ScalarText.shown(key)): … } }`")])
  }
}
