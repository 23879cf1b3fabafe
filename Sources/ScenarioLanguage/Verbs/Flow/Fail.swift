/// `fail`: fails the run.
struct Fail: StepVerb, TextAction {
  static let spec = VerbSpec(
    .fail, .flow, .other, .value(.savable(.text)),
    "Fails the run.",
    done: "never: it ends the run",
    example: "- if: { volume: { muted: true } }\n  fail: somebody muted the screen"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.planText(step.value).map {
      .init(action: .fail($0), timeout: compiler.defaults.timeouts.step, argument: compiler.shown(step.value))
    }
  }

  let text: Template
}
