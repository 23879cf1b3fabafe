import CastProtocol

extension StepCompiler {
  /// `expect_message expect_together`.
  mutating func messageOrGroupExpectation(_ step: DecodedStep, because: String?) -> Compiled? {
    step.verb.name == "expect_message" ? message(step, because: because) : together(step, because: because)
  }

  private mutating func message(_ step: DecodedStep, because: String?) -> Compiled? {
    let body = step.body
    let since = since(step)
    guard let namespace = body.text("namespace"), let node = body.node("message"),
      let pattern = messagePattern(node)
    else { return nil }
    var action = Plan.MessageAction(
      namespace: namespace, pattern: pattern, within: step.modifiers.duration("within") ?? defaults.within)
    action.since = since
    action.because = because
    let type = node.pairs?.first { $0.key.text == "type" }?.value.text
    return Compiled(
      action: .expectMessage(action), timeout: action.within, argument: ScalarText.shown(type ?? namespace))
  }

  private mutating func together(_ step: DecodedStep, because: String?) -> Compiled? {
    let body = step.body
    let nodes = body.list("roles")
    var roles: [String] = []
    var known: Set<String> = []
    for node in nodes {
      guard let name = node.text, definitions.roles.use(name) != nil else { continue }
      if !known.insert(name).inserted {
        problems.report(Diagnostic(.error, .t213, "\(ScalarText.quoted(name)) stands twice in this list", at: node))
      } else {
        roles.append(name)
      }
    }
    if let node = body.node("roles"), node.items != nil, nodes.count < 2 {
      problems.report(
        Diagnostic(
          .error, .k105, "`expect_together` needs at least two roles", at: node,
          nodes.isEmpty ? "none here" : "only one",
          footers: [.help("for one device write `expect: { … }` with `role:`")]))
    }
    guard let node = body.node("that"), let condition = condition(node), roles.count == nodes.count, roles.count > 1
    else { return nil }
    var action = Plan.TogetherAction(
      roles: roles, condition: condition, within: step.modifiers.duration("within") ?? defaults.within)
    action.skew = body.duration("skew")
    action.because = because
    return Compiled(
      action: .expectTogether(action), timeout: action.within, argument: condition.topFields.joined(separator: ", "))
  }

  /// What a message must be: `nil` after a report.
  mutating func messagePattern(_ node: YAMLNode) -> Plan.MessagePattern? {
    var compiler = MessagePatternCompiler(saved: saved, problems: problems)
    let pattern = compiler.pattern(node)
    return pattern
  }
}
