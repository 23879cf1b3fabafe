extension LanguageSchema {
  static let ifFails = FieldType.choice("failure rule", of: Plan.IfFails.self)
  static let rate = FieldType.number(-Double.infinity...Double.infinity)

  static let retry = MapSpec(
    "`retry`", topic: "retry",
    [
      KeySpec("attempts", .int(1...10_000), default: "1", "Tries in total; 1 is no retry."),
      KeySpec("wait", .duration, default: "1s", "How long to wait before the second try."),
      KeySpec("factor", .number(1...100), default: "2", "Each wait is the last one times this."),
      KeySpec("max_wait", .duration, default: "30s", "No wait is longer."),
      KeySpec("jitter", .fraction, default: "0%", "How far a wait may be off."),
      KeySpec("within", .duration, default: "tries × timeout + waits", "All tries and waits together."),
      KeySpec(
        "errors", .list(.choice("error class", retryErrors), of: "error classes"), default: "[transient]",
        "Which errors are worth another try."),
      KeySpec("before", .choice("reset", of: RetryPolicy.Reset.self), default: "nothing", "Between tries."),
    ])

  /// `retry: 3`, or the map.
  static let retryField = FieldType.byShape(scalar: .int(1...10_000), map: .map(retry))

  /// What may stand next to every verb (docs/language/steps.md "Next to every verb"), then what only some verbs take.
  static let modifiers = MapSpec(
    "a step", topic: "steps",
    [
      KeySpec("name", .text, default: "verb and main argument", "What the step is called in every report."),
      KeySpec("id", .id, default: "s3 (its position)", "Id of the step, for `since:` and reports."),
      KeySpec("role", .reference(.role), default: "the only device", "Which device, a name under `roles:`, or `all`."),
      KeySpec("if", .condition, default: "true", "When false the step is skipped."),
      KeySpec(
        "skip", .textOrBool, default: "false",
        "Skip with this reason, or `true` without one; still compiled and checked."),
      KeySpec("timeout", .duration, default: "by verb", "How long one try of the step may take."),
      KeySpec("retry", retryField, default: "none", "Tries an action again; expectations wait by themselves."),
      KeySpec("if_fails", ifFails, default: "stop", "What a failure does to the run."),
      KeySpec(
        "on_resume", .choice("resume rule", of: Plan.OnResume.self),
        default: "adopt for \(Verb.adopted), else replay",
        "What `run --resume` does with the step if it was under way when its run died."),
      KeySpec("save", .mapOf(.statusPath, of: "names"), default: "{}", "Values of the status to keep."),
      KeySpec("tags", tags, default: "[]", "Words to select steps by."),
    ] + JudgingModifier.allCases.map(\.key))

  /// The modifiers that only some verbs take.
  static let expectationModifiers = Set(JudgingModifier.allCases.map(\.rawValue))

  /// What may stand in a condition besides status fields.
  package static let conditionKeys: [KeySpec] = [
    KeySpec("all", .list(.condition, of: "conditions"), "All of these."),
    KeySpec("any", .list(.condition, of: "conditions"), "At least one of these."),
    KeySpec("not", .condition, "The conditions in it must not hold."),
    KeySpec("vars", .matchers, "Variables and saved values, by name."),
    KeySpec("device", .matchers, "Facts about the device: `name`, `id`, `model`, `ip`."),
  ]
}
