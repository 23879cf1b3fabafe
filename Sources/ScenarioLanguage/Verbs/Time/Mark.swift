/// `mark`: puts a flag on the timeline.
struct Mark: StepVerb, TextAction {
  static let spec = VerbSpec(
    .mark, .time, .other, .value(.savable(.text)),
    "Puts a flag on the timeline.",
    done: "at once",
    example: "- mark: act two"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.planText(step.value).map {
      .init(action: .mark($0), timeout: compiler.defaults.timeouts.step, argument: compiler.shown(step.value))
    }
  }

  let text: Template
}
