/// `log`: puts a message into every report.
struct Log: StepVerb, TextAction {
  static let spec = VerbSpec(
    .log, .flow, .other, .value(.savable(.text)),
    "A message in every report.",
    done: "at once",
    example: "- log: from here on by hand"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.planText(step.value).map {
      .init(action: .log($0), timeout: compiler.defaults.timeouts.step, argument: compiler.shown(step.value))
    }
  }

  let text: Template
}
