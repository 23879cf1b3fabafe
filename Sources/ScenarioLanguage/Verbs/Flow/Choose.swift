import CastProtocol

/// `choose`: runs the steps of the first condition that is true.
struct Choose: StepVerb, FlowAction {
  static let spec = VerbSpec(
    .choose, .flow, .flow, .value(.list(.map(entry), of: "choices")),
    "Runs the steps of the first condition that is true.",
    done: "the first choice whose `if` is true is done",
    example: """
      - load: film
      - choose:
          - if: { commands: { has: [skip_ad] } }
            steps: [skip_ad]
          - otherwise: [{ wait_until: { break: none }, timeout: 40s }]
      """, fewest: 1)

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.choose(step, id: id)
  }

  /// One entry of `choose`.
  static let entry = MapSpec(
    "a choice", topic: "choose",
    [
      KeySpec("if", .condition, "The condition under which these steps run.").needing("steps"),
      KeySpec("steps", .steps, "What runs when the condition holds."),
      KeySpec("otherwise", .steps, "What else; the last entry."),
    ], exclusive: [["if", "otherwise"], ["steps", "otherwise"]], needsOneOf: [["if", "otherwise"]])

  var branches: [Plan.Branch]

  var arguments: JSONObject { ["branches": .array(branches.map(\.json))] }
  var asAction: Plan.Action { .choose(branches) }
  var needsRole: Bool { branches.contains { $0.condition != nil } }

  var nested: [Plan.NestedSteps] {
    get { branches.map { .init($0.steps, title: $0.condition.map { "if \($0.text())" } ?? "otherwise") } }
    set { for index in branches.indices { branches[index].steps = newValue[index].steps } }
  }
}

extension StepCompiler {
  fileprivate mutating func choose(_ step: StepFields, id: String) -> Compiled? {
    // What is no list at all was reported where it was read.
    guard let nodes = step.value?.items else { return nil }
    guard !nodes.isEmpty else {
      problems.report(
        .error, .k105, "`choose` needs at least one entry", at: .init(step.verbSpan, "nothing to choose from"),
        footers: [.help("`- choose: [{ if: { player: idle }, steps: [play] }]`")])
      return nil
    }
    let entries = nodes.filter { $0.pairs != nil }.map { FieldMap($0, as: Choose.entry) }
    checkOtherwise(entries)
    let start = clock.passed
    var branches: [Plan.Branch] = []
    var ways: [[String: SavedNames.Value]] = []
    var ends: [Duration] = []
    for (index, entry) in entries.enumerated() {
      let isOtherwise = entry.has("otherwise")
      let condition = entry.node("if").flatMap { self.condition($0) }
      if !isOtherwise, let key = entry.keySpan("if"), !entry.has("steps") {
        problems.report(
          .error, .k105, "a choice needs `steps`", at: .init(key, "no `steps` here"),
          footers: [.help("`- { if: { player: idle }, steps: [play] }`")])
      }
      saved.enter()
      clock.passed = start
      let steps = nested(entry.list(isOtherwise ? "otherwise" : "steps"), prefix: "\(id).\(index + 1).", in: step)
      ways.append(saved.leave())
      ends.append(clock.passed)
      branches.append(Plan.Branch(condition: condition, steps: steps, span: entry.span))
    }
    let isExhaustive = entries.last?.has("otherwise") ?? false
    clock.passed = isExhaustive ? ends.min() ?? start : start
    saved.merge(
      ways, isExhaustive: isExhaustive,
      doubt: SavedNames.Uncertainty(
        kind: .branch,
        label: .init(step.verbSpan, isExhaustive ? "not every branch saves it" : "perhaps no branch runs")))
    let longest = branches.map { Self.sum($0.steps) }.max() ?? .zero
    return Compiled(action: .choose(branches), timeout: longest)
  }

  /// `otherwise` is the last entry, and there is one.
  private mutating func checkOtherwise(_ entries: [FieldMap]) {
    guard let first = entries.firstIndex(where: { $0.has("otherwise") }), first + 1 < entries.count,
      let key = entries[first].keySpan("otherwise")
    else { return }
    if let second = entries[(first + 1)...].first(where: { $0.has("otherwise") })?.keySpan("otherwise") {
      problems.report(
        .error, .k107, "a second `otherwise`", at: .init(second, "leave one of them out"),
        related: [.init(key, "the first")])
      return
    }
    problems.report(
      .error, .k107, "`otherwise` must be the last entry", at: .init(key, "no entry behind it can ever run"),
      footers: [.help("move it to the end of `choose`")])
  }
}

extension Plan {
  /// One entry of `choose`.
  package struct Branch: Codable, Hashable, Sendable {
    /// `nil`: `otherwise`.
    package var condition: Condition?
    package var steps: [Step]
    package var span: SourceSpan

    package init(condition: Condition?, steps: [Step], span: SourceSpan) {
      self.condition = condition
      self.steps = steps
      self.span = span
    }
  }
}

extension Plan.Branch {
  fileprivate var json: JSONValue {
    var object = JSONObject()
    object["if"] = condition?.json()
    object["steps"] = .array(steps.map(\.json))
    return .object(object)
  }
}
