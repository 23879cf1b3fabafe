/// `mark`: puts a flag on the timeline.
struct Mark: TextVerb {
  static let spec = VerbSpec(
    .mark, .time, .other, .value(.savable(.text)),
    "Puts a flag on the timeline.",
    done: "at once",
    example: "- mark: act two"
  )

  static func action(_ text: Template) -> Plan.Action { .mark(text) }

  let text: Template
}
