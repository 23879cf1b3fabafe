import CastProtocol

/// Steps that are put in several times: blocks, and loops over lists that are known.
extension StepCompiler {
  // MARK: use

  mutating func use(_ step: DecodedStep, id: String) -> Compiled? {
    guard let node = step.body.node("block"), let name = node.text, !node.isEmpty else { return nil }
    if node.substitutedAt != nil {
      problems.report(
        Diagnostic(
          .error, .t219, "a block cannot come from a variable", at: .init(node.substitutedAt ?? node.span),
          footers: [.help("names of blocks are written out, so that the plan is known before the run")]))
      return nil
    }
    // An unknown name was reported where names are checked.
    guard let block = blocks.use(name), let arguments = arguments(step, of: block, named: node),
      !blocks.refused.contains(name), isUnrollable
    else { return nil }
    if isUnusedBlock { return Compiled(action: .group(Plan.GroupAction(steps: [])), timeout: .zero) }
    compiledBlocks.insert(name)
    let outer = copy
    copy = id
    defer { copy = outer }
    let steps = nested(filled(block.steps, with: arguments), prefix: "\(id).", in: step)
    guard count(steps, at: step) else { return nil }
    return Compiled(
      action: .group(Plan.GroupAction(steps: steps)), timeout: Self.sum(steps), argument: ScalarText.shown(name))
  }

  /// What `with:` gives for each parameter; `nil` where one of them is missing or wrong.
  private mutating func arguments(
    _ step: DecodedStep, of block: Blocks.Block, named node: YAMLNode
  ) -> PlaceholderFilling.Bindings? {
    let before = problems.errorCount
    let name = ScalarText.shown(block.key.text)
    let written = step.body.node("with")?.pairs ?? []
    let names = block.parameters.map(\.key.text)
    let known = Set(names)
    let unknownKeys = written.filter { !known.contains($0.key.text) }
    let listed =
      unknownKeys.isEmpty ? "" : names.sorted().prefix(6).joined(separator: ", ") + (names.count > 6 ? ", …" : "")
    for pair in unknownKeys where !problems.isFull {
      let suggestion = problems.wantsSuggestions ? Suggestions.nearest(to: pair.key.text, among: names) : nil
      problems.report(
        Diagnostic(
          .error, .k101, "unknown argument \(ScalarText.quoted(pair.key.text)) of block `\(name)`",
          at: .init(pair.key.span, suggestion.map { "did you mean `\($0)`?" } ?? ""),
          related: [.init(block.key.span, "the block")],
          footers: [.help(names.isEmpty ? "`\(name)` takes no arguments" : "its parameters: \(listed)")]))
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
        value = filling.filled(value, with: bindings, reportingTo: problems) ?? value
      } else if let type = parameter.type, let declaration = parameter.declaration, value.planText?.isLiteral ?? true {
        // What only the run knows is checked where it is used.
        checker.checkVariable(value, as: type, name: key, declaration: declaration)
      }
      if !bindings.bind(key, to: value) {
        problems.report(
          Diagnostic(
            .error, .y311, "arguments nest deeper than \(YAMLDocument.Limit.depth) levels",
            at: .init(value.substitutedAt ?? value.span, "stopped here")))
      }
    }
    return problems.errorCount == before ? bindings : nil
  }

  private mutating func reportMissing(
    _ key: String, of block: Blocks.Block, _ parameter: Blocks.Parameter, at node: YAMLNode
  ) {
    let name = ScalarText.shown(block.key.text)
    problems.report(
      Diagnostic(
        .error, .k105, "block `\(name)` needs `\(ScalarText.shown(key))`", at: .init(node.span, "no value for it"),
        related: [.init(parameter.key.span, "has no default")],
        footers: [.help("`use: { block: \(name), with: { \(ScalarText.shown(key)): … } }`")]))
  }

  // MARK: for_each

  mutating func forEach(_ step: DecodedStep, id: String) -> Compiled? {
    guard let list = step.body.node("item"), let nodes = step.body.node("steps")?.items else { return nil }
    if let name = list.savedName { return forEach(step, over: name, at: list, nodes, id: id) }
    guard let items = list.items, isUnrollable else { return nil }
    if items.isEmpty {
      problems.report(
        Diagnostic(
          .warning, .p601, "these steps can never run", at: .init(step.verbSpan, "goes through an empty list"),
          related: [.init(list.substitutedAt ?? list.span, "the list")]))
    }
    let outer = copy
    defer { copy = outer }
    var steps: [Plan.Step] = []
    var number = 0
    for (index, item) in items.enumerated() {
      copy = "\(id).pass\(index + 1)"
      var bindings = PlaceholderFilling.Bindings()
      let position = YAMLNode(.scalar(.init(text: "\(index + 1)", style: .plain)), span: item.span)
      guard bindings.bind("item", to: item), bindings.bind("index", to: position) else { return nil }
      let decoded = filled(nodes, with: bindings)
      offset = number
      number += decoded.count
      steps += nested(decoded, prefix: "\(id).", in: step)
      guard count(decoded.count, at: step) else { return nil }
    }
    return Compiled(
      action: .group(Plan.GroupAction(steps: steps)), timeout: Self.sum(steps), argument: shown(list).map(Self.cut))
  }

  /// Over a list that an earlier step saved.
  private mutating func forEach(
    _ step: DecodedStep, over name: String, at list: YAMLNode, _ nodes: [YAMLNode], id: String
  ) -> Compiled? {
    guard
      saved.check(name, fits: .list(of: .free), of: "for_each", at: list, reportingTo: problems)
    else { return nil }
    var element = StatusField.ValueType.free
    if case .list(let type)? = saved.type(of: name), type != .record { element = type }
    saved.enter()
    let origin = Diagnostic.Label(list.span, "an entry of `\(ScalarText.shown(name))`")
    saved.define("item", SavedNames.Value(type: element, origin: origin))
    saved.define("index", SavedNames.Value(type: .int))
    let outer = checker.loopNames
    checker.loopNames = ["item", "index"]
    let start = clock.passed
    for node in nodes { _ = checker.checkStep(node) }
    let steps = nested(nodes.compactMap { DecodedStep($0) }, prefix: "\(id).", in: step)
    checker.loopNames = outer
    clock.passed = start
    var kept = saved.leave()
    kept["item"] = nil
    kept["index"] = nil
    saved.merge(
      [kept], isExhaustive: false,
      doubt: SavedNames.Uncertainty(kind: .loop, label: .init(step.verbSpan, "the list may be empty")))
    // How long the list is only the run knows; the deadline around it counts.
    return Compiled(
      action: .forEach(Plan.ForEachAction(list: name, steps: steps)), timeout: deadline, argument: "${\(name)}")
  }

  // MARK: Shared

  /// Compiles a block that nothing uses for what is wrong with it: its parameters fit anywhere.
  mutating func checkUnusedBlock(_ block: Blocks.Block) {
    let names = Set(block.parameters.map(\.key.text))
    isUnusedBlock = true
    saved.holes = names
    checker.holes = names
    clock = DeadlineClock()
    role = roleNames.isEmpty ? nil : .all
    saved.enter()
    _ = steps(block.steps.compactMap { DecodedStep($0) }, prefix: "\(block.key.text).")
    _ = saved.leave()
    role = nil
    isUnusedBlock = false
    saved.holes = []
    checker.holes = []
  }

  /// Steps with what is bound put in; those that this changes are checked once more.
  private mutating func filled(_ nodes: [YAMLNode], with bindings: PlaceholderFilling.Bindings) -> [DecodedStep] {
    var steps: [DecodedStep] = []
    steps.reserveCapacity(nodes.count)
    for node in nodes {
      guard let filled = filling.filled(node, with: bindings, reportingTo: problems) else {
        if let step = DecodedStep(node) { steps.append(step) }
        continue
      }
      _ = checker.checkStep(filled)
      if let step = DecodedStep(filled) { steps.append(step) }
      // Lists that came as arguments could not be counted before.
      let coming = unrolled + UnrollCost.unrolled(filled, blocks: blocks.costs)
      if coming > UnrollCost.Limit.steps, isUnrollable, let step = steps.last {
        problems.reportAndStop(UnrollCost.tooMany("\(coming)", at: step.verbSpan))
        isUnrollable = false
      }
    }
    return steps
  }

  /// Counts what was unrolled; P617 where even the count before could not know how much it is.
  private mutating func count(_ steps: [Plan.Step], at step: DecodedStep) -> Bool { count(steps.count, at: step) }

  private mutating func count(_ added: Int, at step: DecodedStep) -> Bool {
    unrolled += added
    if unrolled <= UnrollCost.Limit.steps { return true }
    if isUnrollable {
      problems.reportAndStop(UnrollCost.tooMany("more than \(UnrollCost.Limit.steps)", at: step.verbSpan))
      isUnrollable = false
    }
    return false
  }

  private static func cut(_ text: String) -> String { text.count > 40 ? String(text.prefix(39)) + "…" : text }
}
