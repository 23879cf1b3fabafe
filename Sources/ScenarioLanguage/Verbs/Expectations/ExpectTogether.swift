import CastProtocol

/// `expect_together`: must hold on several devices.
enum ExpectTogether: StepVerb {
  static let spec = VerbSpec(
    .expectTogether, .assert, .expectation,
    .keys([
      KeySpec("roles", .list(.reference(.role), of: "roles"), required: true, "Which devices, two or more.")
        .distinct().holding(atLeast: 2),
      KeySpec("that", .condition, required: true, "What must hold on all."),
      KeySpec("skew", .duration, "How far apart."),
    ]),
    modifiers: Plan.TogetherAction.modifiers,
    "Must hold on several devices.",
    done: "the condition is true on all devices at the same time",
    example: """
      - load: film
        role: all
      - expect_together: { roles: [left, right], that: { player: playing }, skew: 300ms }
        within: 10s
      """
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.together(step)
  }
}

extension StepCompiler {
  fileprivate mutating func together(_ step: StepFields) -> Compiled? {
    let body = step.body
    let nodes = body.list("roles")
    var roles: [String] = []
    var known: Set<String> = []
    for node in nodes {
      guard let name = node.text, definitions.roles.use(name) != nil else { continue }
      if !known.insert(name).inserted {
        problems.report(.error, .t213, "\(ScalarText.quoted(name)) stands twice in this list", at: node)
      } else {
        roles.append(name)
      }
    }
    if let node = body.node("roles"), node.items != nil, nodes.count < 2 {
      problems.report(
        .error, .k105, "`expect_together` needs at least two roles", at: node,
        nodes.isEmpty ? "none here" : "only one",
        footers: [.help("for one device write `expect: { … }` with `role:`")])
    }
    guard let node = body.node("that"), let condition = condition(node), roles.count == nodes.count, roles.count > 1
    else { return nil }
    let values = JudgingValues(step, in: &self)
    var action = Plan.TogetherAction(roles: roles, condition: condition, within: values.within).with(values)
    action.skew = body.duration("skew")
    return Compiled(
      action: .expectTogether(action), timeout: action.within, argument: condition.topFields.joined(separator: ", "))
  }
}

extension Plan {
  package struct TogetherAction: Codable, Hashable, Sendable {
    package var roles: [String]
    package var condition: Condition
    /// How far apart the devices may enter it; `nil`: any distance.
    package var skew: Duration?
    package var within: Duration
    package var because: String?

    package init(roles: [String], condition: Condition, within: Duration) {
      self.roles = roles
      self.condition = condition
      self.within = within
    }
  }
}

extension Plan.TogetherAction: LocalAction, JudgingAction {
  static let judging: [Judging<Self>] = [.within(\.within), .because(\.because)]

  var arguments: JSONObject {
    var object: JSONObject = [
      "roles": .array(roles.map { .string($0) }), "that": condition.json(), "within": within.json,
    ]
    object["skew"] = skew?.json
    return arguments(object)
  }
  var detail: String? {
    let skew = skew.map { ", at most \($0.spelled) apart" } ?? ""
    return "\(roles.joined(separator: ", ")): \(condition.text()) within \(within.spelled)\(skew)"
  }
  var needsRole: Bool { false }
}
