import CastProtocol

/// `wait`: lets time pass.
struct Wait: StepVerb, LocalAction {
  static let spec = VerbSpec(
    .wait, .time, .other,
    .keys(
      [KeySpec("for", .savable(.duration), required: true, "How long to wait; `simulate` and `--speed` shorten it.")],
      short: "for"),
    "Lets time pass.",
    done: "that much time has passed; `simulate` does not really wait",
    example: "- wait: 10s"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    guard let amount = compiler.amount("for", of: step.body, as: .duration, use: "wait") else { return nil }
    return .init(
      action: .wait(amount), timeout: amount.literal.map { .seconds($0) },
      argument: compiler.shown(step.body.node("for")))
  }

  let length: Plan.Amount

  var arguments: JSONObject { ["for": length.json] }
  var needsRole: Bool { false }
}
