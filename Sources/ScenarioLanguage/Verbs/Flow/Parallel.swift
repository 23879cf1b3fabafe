import CastProtocol

/// `parallel`: runs several branches at once.
enum Parallel: StepVerb {
  static let spec = VerbSpec(
    .parallel, .flow, .flow,
    .keys(
      [
        KeySpec("branches", branches, required: true, "What runs at the same time."),
        KeySpec("fail_fast", .bool, default: "true", "One failure ends all."),
      ], short: "branches"),
    "Several branches at once.",
    done: "all branches are done",
    example: """
      - parallel:
          - { name: left, role: left, steps: [{ load: film }] }
          - { name: right, role: right, steps: [{ load: photo }] }
      """
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.parallel(step, id: id)
  }

  /// One entry of `parallel`.
  static let branch = MapSpec(
    "a branch", topic: "parallel",
    [
      KeySpec("name", .text, "Shown in reports."),
      KeySpec("role", .reference(.role), "The device of its steps."),
      KeySpec("steps", .steps, required: true, "The steps in it, in order, one at a time."),
    ])

  private static let branches = FieldType.list(.map(branch), of: "branches")
}

extension StepCompiler {
  fileprivate mutating func parallel(_ step: StepFields, id: String) -> Compiled? {
    let maps = step.body.maps("branches")
    let start = clock.passed
    var branches: [Plan.ParallelAction.Branch] = []
    var ways: [[String: SavedNames.Value]] = []
    var end = start
    for (index, map) in maps.enumerated() {
      saved.enter()
      clock.passed = start
      let outer = role
      role = target(map.node("role")) ?? role
      let steps = nested(map.list("steps"), prefix: "\(id).\(index + 1).", in: step)
      var branch = Plan.ParallelAction.Branch(name: map.text("name") ?? "branch \(index + 1)", steps: steps)
      branch.role = role
      role = outer
      end = max(end, clock.passed)
      ways.append(saved.leave())
      branches.append(branch)
    }
    clock.passed = end
    for way in ways { for (name, value) in way { saved.define(name, value) } }
    checkDevices(of: branches, step)
    var action = Plan.ParallelAction(branches: branches)
    action.failFast = step.body.bool("fail_fast") ?? true
    let longest = branches.map { Self.sum($0.steps) }.max() ?? .zero
    let names = branches.prefix(6).map(\.name).joined(separator: ", ")
    return Compiled(action: .parallel(action), timeout: longest, argument: ScalarText.shown(names))
  }

  /// Two branches that act on one device would undo each other's work (K107).
  private mutating func checkDevices(of branches: [Plan.ParallelAction.Branch], _ step: StepFields) {
    var first: [Plan.RoleTarget?: SourceSpan] = [:]
    var isAll: SourceSpan?
    for branch in branches {
      var own: [Plan.RoleTarget?: SourceSpan] = [:]
      for step in branch.steps { step.collectActing(into: &own) }
      // The document's order, not the dictionary's.
      let acting = own.sorted { ($0.value.line, $0.value.column) < ($1.value.line, $1.value.column) }
      for (target, span) in acting {
        let other = first[target] ?? isAll ?? (target == .all ? first.values.min { $0.line < $1.line } : nil)
        if let other {
          let help =
            roleNames.isEmpty
            ? "name the devices under `roles:` and give each branch a `role:`" : "give each branch a `role:` of its own"
          problems.report(
            .error, .k107, "two branches act on the same device", at: .init(span, "acts on it at the same time"),
            related: [.init(other, "acts on it")], footers: [.help(help)])
          return
        }
      }
      for (target, span) in acting {
        first[target] = span
        if target == .all { isAll = span }
      }
    }
  }
}

extension Plan {
  package struct ParallelAction: Codable, Hashable, Sendable {
    package struct Branch: Codable, Hashable, Sendable {
      package var name: String
      package var role: RoleTarget?
      package var steps: [Step]

      package init(name: String, steps: [Step]) {
        self.name = name
        self.steps = steps
      }
    }
    package var branches: [Branch]
    /// Whether the first failure ends the other branches.
    package var failFast = true

    package init(branches: [Branch]) { self.branches = branches }
  }
}

extension Plan.ParallelAction: FlowAction {
  var arguments: JSONObject { ["failFast": .bool(failFast), "branches": .array(branches.map(\.json))] }
  var asAction: Plan.Action { .parallel(self) }
  var needsRole: Bool { false }

  var nested: [Plan.NestedSteps] {
    get {
      branches.map { .init($0.steps, title: "branch \($0.name)\($0.role.map { " on \($0.text)" } ?? "")") }
    }
    set { for index in branches.indices { branches[index].steps = newValue[index].steps } }
  }
}

extension Plan.ParallelAction.Branch {
  fileprivate var json: JSONValue {
    var object: JSONObject = ["name": .string(name)]
    object["role"] = role.map { .string($0.text) }
    object["steps"] = .array(steps.map(\.json))
    return .object(object)
  }
}

extension Plan.Step {
  /// The devices on which a step or one inside it acts, each with the first such step.
  fileprivate func collectActing(into places: inout [Plan.RoleTarget?: SourceSpan]) {
    let inner = action.steps
    if inner.isEmpty {
      if isAction, places[role] == nil { places[role] = span }
      return
    }
    for step in inner { step.collectActing(into: &places) }
  }
}
