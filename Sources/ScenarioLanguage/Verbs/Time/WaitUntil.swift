import CastProtocol

/// `wait_until`: waits for a state; late is an error.
struct WaitUntil: StepVerb, LocalAction {
  static let spec = VerbSpec(
    .waitUntil, .time, .other, .value(.condition),
    "Waits for a state; late is an error.",
    done: "the condition is true; too late is an error (exit code 6), not a failed expectation",
    example: "- load: film\n- wait_until: { position: { min: 30s } }\n  timeout: 1m"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.condition(step.value, of: step).map {
      .init(action: .waitUntil($0), argument: $0.topFields.joined(separator: ", "))
    }
  }

  let condition: Condition

  var arguments: JSONObject { ["until": condition.json()] }
  var detail: String? { condition.text() }
  var needsRole: Bool { true }
}
