import CastProtocol

extension StepCompiler {
  /// Compiles steps inside a step; P601 and deadlines are counted on.
  mutating func nested(_ nodes: [YAMLNode], prefix: String, in step: StepFields) -> [Plan.Step] {
    guard depth < UnrollCost.Limit.depth else {
      problems.report(
        .error, .y311, "steps nest deeper than \(UnrollCost.Limit.depth) levels",
        at: .init(step.verbSpan, "stopped here"))
      return []
    }
    depth += 1
    defer { depth -= 1 }
    return steps(nodes, prefix: prefix)
  }

  /// How long steps may take one after the other.
  static func sum(_ steps: [Plan.Step]) -> Duration {
    steps.reduce(Duration.zero) { min($0 + $1.bound, DeadlineClock.ceiling) }
  }

  static func clamped(_ once: Duration, _ times: Int) -> Duration { min(once * times, DeadlineClock.ceiling) }

  /// The device that `role:` names.
  mutating func target(_ node: YAMLNode?) -> Plan.RoleTarget? {
    guard let name = node?.text, !name.isEmpty else { return nil }
    return name == "all" ? .all : .one(name)
  }
}

extension Plan.Step {
  /// Whether the run always ends here, and with a failure.
  var alwaysEnds: Bool {
    guard ifFails == .stop, condition == nil, skip == nil else { return false }
    switch action {
    case .fail: return true
    case .group(let group): return group.steps.contains { $0.alwaysEnds } || group.finally.contains { $0.alwaysEnds }
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
