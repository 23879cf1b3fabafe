import CastProtocol

/// `always`: must hold during a window.
struct AlwaysExpectation: StepVerb, LocalAction {
  static let spec = VerbSpec(
    .always,
    .assert,
    .expectation,
    .value(.condition),
    modifiers: ["during", "because"],
    "Must hold during a window.",
    done: "the window is over; it needs at least one status to judge",
    example: "- load: film\n- always: { player: playing }\n  during: 20s"
  )

  static func compile(_ step: DecodedStep, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.windowAction(step).map {
      .init(action: .always($0), timeout: $0.during, argument: $0.condition.topFields.joined(separator: ", "))
    }
  }

  let window: Plan.WindowAction

  var arguments: JSONObject { window.shared }
  var detail: String? { "always \(window.condition.text()) during \(window.during.spelled)" }
  var needsRole: Bool { true }
}

/// `never`: must not hold during a window.
struct NeverExpectation: StepVerb, LocalAction {
  static let spec = VerbSpec(
    .never,
    .assert,
    .expectation,
    .value(.condition),
    modifiers: ["for", "during", "because"],
    "Must not hold during a window.",
    done: "the window is over; it needs at least one status to judge",
    example: "- load: film\n- never: { player: buffering }\n  for: 5s\n  during: 1m"
  )

  static func compile(_ step: DecodedStep, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.windowAction(step).map {
      .init(action: .never($0), timeout: $0.during, argument: $0.condition.topFields.joined(separator: ", "))
    }
  }

  let window: Plan.WindowAction

  var arguments: JSONObject { window.shared }
  var detail: String? {
    let long = window.forAtLeast.map { " for \($0.spelled)" } ?? ""
    return "never \(window.condition.text())\(long) during \(window.during.spelled)"
  }
  var needsRole: Bool { true }
}

extension StepCompiler {
  /// `always` and `never` alike.
  fileprivate mutating func windowAction(_ step: DecodedStep) -> Plan.WindowAction? {
    let during = window(step)
    guard let condition = condition(step.value, of: step), let during else { return nil }
    var action = Plan.WindowAction(condition: condition, during: during)
    action.forAtLeast = step.modifiers.duration("for")
    action.because = step.modifiers.text("because")
    return action
  }

  /// The length of a window; P615 when nobody says it.
  private mutating func window(_ step: DecodedStep) -> Duration? {
    if step.modifiers.has("during") { return step.modifiers.duration("during") }
    // A `within` was refused, with the key that was meant.
    if step.modifiers.has("within") { return nil }
    problems.report(
      Diagnostic(
        .error, .p615, "`\(step.verb.name)` without `during`", at: .init(step.verbSpan, "for how long?"),
        footers: [.help("add `during: 20s`; what must hold for the whole run belongs under `watch:`")]))
    return nil
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

extension Plan.WindowAction {
  fileprivate var shared: JSONObject {
    var object: JSONObject = ["that": condition.json(), "during": during.json]
    object["for"] = forAtLeast?.json
    object["because"] = because.map { .string($0) }
    return object
  }
}
