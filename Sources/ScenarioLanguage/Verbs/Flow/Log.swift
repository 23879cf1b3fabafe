/// `log`: puts a message into every report.
struct Log: TextVerb {
  static let spec = VerbSpec(
    .log, .flow, .other, .value(.savable(.text)),
    "A message in every report.",
    done: "at once",
    example: "- log: from here on by hand"
  )

  static func action(_ text: Template) -> Plan.Action { .log(text) }

  let text: Template
}
