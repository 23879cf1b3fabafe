extension StepCompiler {
  /// `wait wait_until mark log fail`.
  mutating func timeStep(_ step: DecodedStep) -> Compiled? {
    let timeout = defaults.timeouts.step
    switch step.verb.name {
    case "wait":
      guard let amount = amount("for", of: step.body, as: .duration, use: "wait") else { return nil }
      var length = timeout
      if case .literal(let seconds) = amount { length = .seconds(seconds) }
      return Compiled(action: .wait(amount), timeout: length, argument: shown(step.body.node("for")))
    case "wait_until":
      guard let condition = condition(step.value, of: step) else { return nil }
      return Compiled(
        action: .waitUntil(condition), timeout: timeout, argument: condition.topFields.joined(separator: ", "))
    case "mark": return text(step).map { Compiled(action: .mark($0), timeout: timeout, argument: shown(step.value)) }
    case "log": return text(step).map { Compiled(action: .log($0), timeout: timeout, argument: shown(step.value)) }
    case "fail": return text(step).map { Compiled(action: .fail($0), timeout: timeout, argument: shown(step.value)) }
    case "exec": return protocolStep(step)
    default: return nil
    }
  }

  private mutating func text(_ step: DecodedStep) -> Plan.Template? { planText(step.value) }
}
