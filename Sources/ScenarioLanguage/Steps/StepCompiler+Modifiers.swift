extension StepCompiler {
  /// `retry: 3` or a map, on top of what counts by default.
  static func retry(_ map: FieldMap, or defaults: RetryPolicy) -> RetryPolicy {
    var policy = defaults
    guard map.has("retry") else { return policy }
    // A step's own policy replaces all of the default: `retry: 1` means one try, without the default's waits.
    policy = RetryPolicy()
    if let attempts = map.int("retry") { policy.attempts = attempts }
    guard let map = map.map("retry") else { return policy }
    policy.attempts = map.int("attempts") ?? policy.attempts
    policy.wait = map.duration("wait") ?? policy.wait
    policy.factor = map.number("factor") ?? policy.factor
    policy.maxWait = map.duration("max_wait") ?? policy.maxWait
    policy.jitter = map.number("jitter").map { $0 / 100 } ?? policy.jitter
    policy.within = map.duration("within")
    policy.before = map.choice("before", as: RetryPolicy.Reset.self) ?? policy.before
    if map.has("errors") {
      let names = map.texts("errors")
      policy.errors = Set(names.compactMap(ErrorClass.init))
      if names.contains("transient") { policy.errors.formUnion(RetryPolicy.transient) }
    }
    return policy
  }

  /// Modifiers that the verb does not take (P607, K107), and retried errors that make no sense.
  mutating func checkModifiers(_ step: StepFields) {
    let modifiers = step.modifiers
    checkOnResume(step)
    switch step.verb.kind {
    case .container: return
    case .action, .inquiry:
      for node in modifiers.map("retry")?.list("errors") ?? [] where node.text == "expectation" {
        problems.report(
          .error, .p607, "`expectation` is no error of an action", at: node,
          footers: [.help("it is for `retry` of a group or of the whole scenario")])
      }
      return
    case .expectation, .flow, .other: break
    }
    if let key = modifiers.keySpan("retry") { problems.report(retryProblem(step, at: key)) }
    if let key = modifiers.keySpan("timeout"), !step.verb.takesTimeout {
      let help: String =
        switch step.verb.verb {
        case .expect, .expectSequence: "use `within: …`"
        case .always, .never: "use `during: …`"
        default: "leave it out"
        }
      problems.report(
        .error, .k107, "`\(step.verb.name)` takes no `timeout`", at: .init(key, "not allowed here"),
        related: [.init(step.verbSpan, "says itself how long it takes")], footers: [.help(help)])
    }
  }

  /// K107: `on_resume` is for what changes something outside, and only what a device shows again can be adopted.
  private func checkOnResume(_ step: StepFields) {
    guard let key = step.modifiers.keySpan("on_resume") else { return }
    let rules = step.verb.verb.resumeRules
    if rules.isEmpty {
      problems.report(
        .error, .k107, "`\(step.verb.name)` takes no `on_resume`", at: .init(key, "not allowed here"),
        related: [.init(step.verbSpan, "changes nothing that a resumed run could find")],
        footers: [.help("put it next to the steps that act, such as `load`")])
    } else if step.modifiers.text("on_resume") == Plan.OnResume.adopt.rawValue, !rules.contains(.adopt) {
      problems.report(
        .error, .k107, "`\(step.verb.name)` cannot be adopted", at: .init(key, "not allowed here"),
        related: [.init(step.verbSpan, "leaves nothing that a device shows as this step's")],
        footers: [
          .help("`on_resume: replay` does it again, `on_resume: skip` never; `adopt` is for \(Verb.adopted)")
        ])
    }
  }

  private func retryProblem(_ step: StepFields, at key: SourceSpan) -> Diagnostic {
    let label: String
    let help: String
    switch step.verb.verb {
    case .expect, .expectSequence:
      let within = step.modifiers.duration("within") ?? defaults.within
      label = "already waits for up to \(within.spelled)"
      help = "use `within: 30s` to wait longer"
    case .always, .never:
      label = "judges one window"
      help = "use `during:` for a longer window"
    case .choose, .repeat, .forEach, .parallel:
      label = "runs its steps as they come"
      help = "a `group` around its steps can be tried again"
    default:
      label = "nothing that could be tried again"
      help = "only actions such as `launch` and `load` can be tried again"
    }
    let what = step.verb.kind == .expectation ? "an expectation" : "`\(step.verb.name)`"
    return Diagnostic(
      .error, .p607, "`retry` on \(what)", at: .init(key, "not allowed here"),
      related: [.init(step.verbSpan, label)], footers: [.help(help)])
  }
}
