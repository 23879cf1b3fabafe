import CastProtocol

/// `expect`: must become true.
enum Expect: StepVerb {
  static let spec = VerbSpec(
    .expect, .assert, .expectation, .value(.condition),
    modifiers: Plan.ExpectAction.modifiers,
    "Must become true.",
    done: "the condition is true, and stayed so `for` that long",
    example:
      "- load: film\n- expect: { player: playing, rate: 1 }\n  within: 30s\n  for: 5s\n  because: the film is short"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    guard let condition = compiler.condition(step.value, of: step) else { return nil }
    let values = JudgingValues(step, in: &compiler)
    let action = Plan.ExpectAction(condition: condition, within: values.within).with(values)
    return .init(
      action: .expect(action), timeout: action.within + (action.holdFor ?? .zero),
      argument: condition.topFields.joined(separator: ", "))
  }
}

extension Plan {
  package struct ExpectAction: Codable, Hashable, Sendable {
    package var condition: Condition
    /// Zero looks once.
    package var within: Duration
    /// Must then hold this long.
    package var holdFor: Duration?
    package var because: String?

    package init(condition: Condition, within: Duration) {
      self.condition = condition
      self.within = within
    }
  }
}

extension Plan.ExpectAction: LocalAction, JudgingAction {
  static let judging: [Judging<Self>] = [.within(\.within), .for(\.holdFor), .because(\.because)]

  var arguments: JSONObject { arguments(["that": condition.json()]) }
  var detail: String? {
    "\(condition.text()) within \(within.spelled)\(holdFor.map { ", then for \($0.spelled)" } ?? "")"
  }
  var needsRole: Bool { true }
}
