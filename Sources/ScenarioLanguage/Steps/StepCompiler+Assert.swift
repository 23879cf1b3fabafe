extension StepCompiler {
  /// Everything that judges.
  mutating func expectationStep(_ step: DecodedStep) -> Compiled? {
    hasExpectation = true
    let modifiers = step.modifiers
    let because = modifiers.text("because")
    switch step.verb.name {
    case "expect":
      guard let condition = condition(step.value, of: step) else { return nil }
      var action = Plan.ExpectAction(
        condition: condition, within: modifiers.duration("within") ?? defaults.within)
      action.holdFor = modifiers.duration("for")
      action.because = because
      return Compiled(
        action: .expect(action), timeout: action.within + (action.holdFor ?? .zero),
        argument: condition.topFields.joined(separator: ", "))
    case "always", "never":
      let during = window(step)
      guard let condition = condition(step.value, of: step), let during else { return nil }
      var action = Plan.WindowAction(condition: condition, during: during)
      action.forAtLeast = modifiers.duration("for")
      action.because = because
      return Compiled(
        action: step.verb.name == "always" ? .always(action) : .never(action), timeout: during,
        argument: condition.topFields.joined(separator: ", "))
    case "expect_sequence": return sequence(step, because: because)
    case "expect_message", "expect_together": return messageOrGroupExpectation(step, because: because)
    default: return nil
    }
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

  private mutating func sequence(_ step: DecodedStep, because: String?) -> Compiled? {
    guard let value = step.value, let nodes = value.items else { return nil }
    guard !nodes.isEmpty else {
      problems.report(
        Diagnostic(.error, .k105, "`expect_sequence` needs a list of conditions", at: .init(value.span)))
      return nil
    }
    let conditions = nodes.map { condition($0) }
    let sound = conditions.compactMap { $0 }
    let since = since(step)
    guard sound.count == conditions.count else { return nil }
    var action = Plan.SequenceAction(
      entries: sound.map { Plan.SequenceAction.Entry($0) },
      within: step.modifiers.duration("within") ?? defaults.within)
    action.since = since
    action.forbidsGaps = step.modifiers.text("gaps") == "none"
    action.because = because
    var fields: [String] = []
    for name in sound.flatMap(\.topFields) where !fields.contains(name) { fields.append(name) }
    return Compiled(
      action: .expectSequence(action), timeout: action.within, argument: fields.joined(separator: ", "))
  }

  /// The step that `since` names; N406 unless it stands before this one.
  mutating func since(_ step: DecodedStep) -> String? {
    guard let node = step.modifiers.node("since"), let name = node.text, !node.isEmpty else { return nil }
    if let id = stepIDs[name] { return id }
    problems.report(stepIDs.unknown(name, kind: "step", at: node, after: problems))
    return nil
  }
}
