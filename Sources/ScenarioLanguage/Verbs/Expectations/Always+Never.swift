import CastProtocol

/// `always`: must hold during a window.
struct AlwaysExpectation: StepVerb, LocalAction {
  static let spec = VerbSpec(
    .always, .assert, .expectation, .value(.condition),
    modifiers: Plan.WindowAction.modifiers.filter { $0 != .for },
    "Must hold during a window.",
    done: "the window is over; it needs at least one status to judge",
    example: "- load: film\n- always: { player: playing }\n  during: 20s"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.windowAction(step).map {
      .init(action: .always($0), timeout: $0.during, argument: $0.condition.topFields.joined(separator: ", "))
    }
  }

  let window: Plan.WindowAction

  var arguments: JSONObject { window.arguments }
  var detail: String? { "always \(window.condition.text()) during \(window.during.spelled)" }
  var needsRole: Bool { true }
}

/// `never`: must not hold during a window.
struct NeverExpectation: StepVerb, LocalAction {
  static let spec = VerbSpec(
    .never, .assert, .expectation, .value(.condition),
    modifiers: Plan.WindowAction.modifiers,
    "Must not hold during a window.",
    done: "the window is over; it needs at least one status to judge",
    example: "- load: film\n- never: { player: buffering }\n  for: 5s\n  during: 1m"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.windowAction(step).map {
      .init(action: .never($0), timeout: $0.during, argument: $0.condition.topFields.joined(separator: ", "))
    }
  }

  let window: Plan.WindowAction

  var arguments: JSONObject { window.arguments }
  var detail: String? {
    let long = window.forAtLeast.map { " for \($0.spelled)" } ?? ""
    return "never \(window.condition.text())\(long) during \(window.during.spelled)"
  }
  var needsRole: Bool { true }
}

extension StepCompiler {
  /// `always` and `never` alike.
  fileprivate mutating func windowAction(_ step: StepFields) -> Plan.WindowAction? {
    let values = JudgingValues(step, in: &self)
    guard let condition = condition(step.value, of: step), let during = values.during else { return nil }
    return Plan.WindowAction(condition: condition, during: during).with(values)
  }
}

extension Plan {
  /// `always` and `never`.
  package struct WindowAction: Codable, Hashable, Sendable {
    package var condition: Condition
    package var during: Duration
    /// `never ... for`: broken only after this long in a row.
    package var forAtLeast: Duration?
    package var because: String?

    package init(condition: Condition, during: Duration) {
      self.condition = condition
      self.during = during
    }
  }
}

extension Plan.WindowAction: JudgingAction {
  static let judging: [Judging<Self>] = [.during(\.during), .for(\.forAtLeast), .because(\.because)]

  var arguments: JSONObject { arguments(["that": condition.json()]) }
}
