/// `fail`: fails the run.
struct Fail: TextVerb {
  static let spec = VerbSpec(
    .fail, .flow, .other, .value(.savable(.text)),
    "Fails the run.",
    done: "never: it ends the run",
    example: "- if: { volume: { muted: true } }\n  fail: somebody muted the screen"
  )

  static func action(_ text: Template) -> Plan.Action { .fail(text) }

  let text: Template
}
