import CastProtocol

/// `for_each`: repeats steps for each value.
enum ForEach: StepVerb {
  static let spec = VerbSpec(
    .forEach, .flow, .flow,
    .keys([
      KeySpec(
        "item", .savable(.byShape(list: .list(.anyValue, of: "values"))), required: true,
        "The values: a list, or a variable that holds one."),
      KeySpec("steps", .steps, required: true, "What to do with each, as `${item}` and `${index}` (from 1)."),
    ]),
    "Repeats steps for each value.",
    done: "the steps ran for every value",
    example: """
      - load: film
      - for_each:
          item: [0.5, 1, 1.5, 2]
          steps: [{ rate: "${item}" }, { expect: { rate: "${item}" } }]
      """
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.forEach(step, id: id)
  }
}

extension StepCompiler {
  fileprivate mutating func forEach(_ step: StepFields, id: String) -> Compiled? {
    guard let list = step.body.node("item"), let nodes = step.body.node("steps")?.items else { return nil }
    if let name = list.savedName { return forEach(step, over: name, at: list, nodes, id: id) }
    guard let items = list.items, isUnrollable else { return nil }
    if items.isEmpty {
      problems.report(
        .warning, .p601, "these steps can never run", at: .init(step.verbSpan, "goes through an empty list"),
        related: [.init(list.place, "the list")])
    }
    let outer = idPrefix
    defer { idPrefix = outer }
    var steps: [Plan.Step] = []
    steps.reserveCapacity(min(items.count * nodes.count, UnrollCost.Limit.steps))
    var bindings = PlaceholderFilling.Bindings()
    let prefix = id + "."
    for (index, item) in items.enumerated() {
      idPrefix = prefix + "pass" + String(index + 1)
      let position = YAMLNode(.scalar(.init(text: String(index + 1), style: .plain)), span: item.span)
      guard bindings.bind("item", to: item), bindings.bind("index", to: position) else { return nil }
      let filled = filled(nodes, with: bindings)
      numberOffset = index * nodes.count
      steps += nested(filled, prefix: prefix, in: step)
      guard count(nodes.count, at: step) else { return nil }
    }
    return Compiled(
      action: .group(Plan.GroupAction(steps: steps)), timeout: Self.sum(steps), argument: shown(list).map(Self.cut))
  }

  /// Over a list that an earlier step saved.
  private mutating func forEach(
    _ step: StepFields, over name: String, at list: YAMLNode, _ nodes: [YAMLNode], id: String
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
    let outer = fieldReader.loopNames
    fieldReader.loopNames = ["item", "index"]
    let start = clock.passed
    var nodes = nodes
    for index in nodes.indices { _ = fieldReader.readStep(&nodes[index]) }
    let steps = nested(nodes, prefix: "\(id).", in: step)
    fieldReader.loopNames = outer
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

  private static func cut(_ text: String) -> String { text.count > 40 ? String(text.prefix(39)) + "…" : text }
}

extension Plan {
  package struct ForEachAction: Codable, Hashable, Sendable {
    /// The saved value whose entries `item` and `index` go through.
    package var list: String
    package var steps: [Step]

    package init(list: String, steps: [Step]) {
      self.list = list
      self.steps = steps
    }
  }
}

extension Plan.ForEachAction: FlowAction {
  var arguments: JSONObject { ["item": .string("${\(list)}"), "steps": .array(steps.map(\.json))] }
  var asAction: Plan.Action { .forEach(self) }
  var needsRole: Bool { false }

  var nested: [Plan.NestedSteps] {
    get { [.init(steps)] }
    set { steps = newValue[0].steps }
  }
}
