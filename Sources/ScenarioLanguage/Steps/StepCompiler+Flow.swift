import CastProtocol

extension StepCompiler {
  /// `group use choose repeat for_each parallel set save`, and what else is of the flow family.
  mutating func flowStep(_ step: DecodedStep, id: String) -> Compiled? {
    switch step.verb.name {
    case "group": return group(step, id: id)
    case "use": return use(step, id: id)
    case "choose": return choose(step, id: id)
    case "repeat": return repetition(step, id: id)
    case "for_each": return forEach(step, id: id)
    case "parallel": return parallel(step, id: id)
    case "set": return set(step)
    case "save": return Compiled(action: .save, timeout: defaults.timeouts.reply, argument: names(step.value))
    default: return timeStep(step)
    }
  }

  /// Compiles steps inside a step; P601 and deadlines are counted on.
  mutating func nested(_ decoded: [DecodedStep], prefix: String, in step: DecodedStep) -> [Plan.Step] {
    guard depth < UnrollCost.Limit.depth else {
      problems.report(
        Diagnostic(
          .error, .y311, "steps nest deeper than \(UnrollCost.Limit.depth) levels",
          at: .init(step.verbSpan, "stopped here")))
      return []
    }
    depth += 1
    defer { depth -= 1 }
    return steps(decoded, prefix: prefix)
  }

  private mutating func group(_ step: DecodedStep, id: String) -> Compiled {
    var action = Plan.GroupAction(steps: nested(step.body.steps("steps"), prefix: "\(id).", in: step))
    action.finally = nested(step.body.steps("finally"), prefix: "\(id).finally", in: step)
    return Compiled(action: .group(action), timeout: Self.sum(action.steps + action.finally))
  }

  // MARK: Branches

  private mutating func choose(_ step: DecodedStep, id: String) -> Compiled? {
    // What is no list at all was reported where it was read.
    guard let nodes = step.value?.items else { return nil }
    guard !nodes.isEmpty else {
      problems.report(
        Diagnostic(
          .error, .k105, "`choose` needs at least one entry", at: .init(step.verbSpan, "nothing to choose from"),
          footers: [.help("`- choose: [{ if: { player: idle }, steps: [play] }]`")]))
      return nil
    }
    let entries = nodes.filter { $0.pairs != nil }.map { DecodedMap($0, as: LanguageSchema.choice) }
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
          Diagnostic(
            .error, .k105, "a choice needs `steps`", at: .init(key, "no `steps` here"),
            footers: [.help("`- { if: { player: idle }, steps: [play] }`")]))
      }
      saved.enter()
      clock.passed = start
      let steps = nested(
        entry.steps(isOtherwise ? "otherwise" : "steps"), prefix: "\(id).\(index + 1).", in: step)
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
  private mutating func checkOtherwise(_ entries: [DecodedMap]) {
    guard let first = entries.firstIndex(where: { $0.has("otherwise") }), first + 1 < entries.count,
      let key = entries[first].keySpan("otherwise")
    else { return }
    if let second = entries[(first + 1)...].first(where: { $0.has("otherwise") })?.keySpan("otherwise") {
      problems.report(
        Diagnostic(
          .error, .k107, "a second `otherwise`", at: .init(second, "leave one of them out"),
          related: [.init(key, "the first")]))
      return
    }
    problems.report(
      Diagnostic(
        .error, .k107, "`otherwise` must be the last entry", at: .init(key, "no entry behind it can ever run"),
        footers: [.help("move it to the end of `choose`")]))
  }

  // MARK: Loops

  private mutating func repetition(_ step: DecodedStep, id: String) -> Compiled? {
    let body = step.body
    let times = body.int("times")
    let start = clock.passed
    let before = clock.latest
    clock.latest = nil
    let steps = nested(body.steps("steps"), prefix: "\(id).", in: step)
    clock.repeatPass(times: times ?? 1, since: start, before: before)
    let once = Self.sum(steps)
    if let times {
      if let key = body.keySpan("at_most"), !body.has("until") {
        problems.report(
          Diagnostic(
            .error, .k107, "`at_most` is the bound of `until`", at: .init(key, "`times` says it all"),
            related: body.keySpan("times").map { [.init($0)] } ?? []))
      }
      return Compiled(
        action: .repeat(Plan.RepeatAction(bound: .times(times), steps: steps)), timeout: Self.clamped(once, times),
        argument: times == 1 ? "once" : "\(times) times")
    }
    guard let until = body.node("until") else { return nil }
    // Judged after each pass: it may read what the steps save.
    let condition = condition(until)
    guard body.has("at_most") else {
      let shown = checker.text?.text(at: until.span) ?? "{ player: idle }"
      problems.report(
        Diagnostic(
          .error, .p604, "this loop has no upper bound", at: .init(step.verbSpan, "add `at_most`"),
          footers: [.help("to wait for a state, `wait_until: \(ScalarText.shown(shown))` needs no loop")]))
      return nil
    }
    guard let condition, let atMost = body.int("at_most") else { return nil }
    return Compiled(
      action: .repeat(Plan.RepeatAction(bound: .until(condition, atMost: atMost), steps: steps)),
      timeout: Self.clamped(once, atMost), argument: "until \(condition.topFields.joined(separator: ", "))")
  }

  // MARK: Branches at once

  private mutating func parallel(_ step: DecodedStep, id: String) -> Compiled? {
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
      let steps = nested(map.steps("steps"), prefix: "\(id).\(index + 1).", in: step)
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
  private mutating func checkDevices(of branches: [Plan.ParallelAction.Branch], _ step: DecodedStep) {
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
            Diagnostic(
              .error, .k107, "two branches act on the same device", at: .init(span, "acts on it at the same time"),
              related: [.init(other, "acts on it")], footers: [.help(help)]))
          return
        }
      }
      for (target, span) in acting {
        first[target] = span
        if target == .all { isAll = span }
      }
    }
  }

  // MARK: Shared

  /// How long steps may take one after the other.
  static func sum(_ steps: [Plan.Step]) -> Duration {
    steps.reduce(Duration.zero) { min($0 + $1.bound, longest) }
  }

  static func clamped(_ once: Duration, _ times: Int) -> Duration { min(once * times, longest) }

  /// Longer than any deadline, and short enough to be added up.
  private static let longest: Duration = .seconds(100 * 366 * 86_400)

  /// The device that `role:` names.
  mutating func target(_ node: YAMLNode?) -> Plan.RoleTarget? {
    guard let name = node?.text, !name.isEmpty else { return nil }
    return name == "all" ? .all : .one(name)
  }

  private func names(_ node: YAMLNode?) -> String? {
    node?.pairs.map { ScalarText.shown($0.map(\.key.text).joined(separator: ", ")) }
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

  /// Whether the run always ends here, and with a failure.
  var alwaysEnds: Bool {
    guard ifFails == .stop, condition == nil, skip == nil else { return false }
    switch action {
    case .fail: return true
    case .group(let group): return (group.steps + group.finally).contains { $0.alwaysEnds }
    case .choose(let branches):
      guard let last = branches.last, last.condition == nil else { return false }
      return branches.allSatisfy { $0.steps.contains { $0.alwaysEnds } }
    case .repeat(let loop): return loop.steps.contains { $0.alwaysEnds }
    case .parallel(let parallel):
      return parallel.branches.contains { branch in branch.steps.contains { $0.alwaysEnds } }
    default: return false
    }
  }
}

extension Plan.Action {
  /// The steps inside a step, in the document's order.
  package var steps: [Plan.Step] { nestedLists.flatMap { $0 } }
}
