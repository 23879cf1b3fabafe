import CastProtocol

/// `save`: keeps values of the status, which the step names.
struct Save: StepVerb, LocalAction {
  static let spec = VerbSpec(
    .save, .flow, .other, .value(.mapOf(.statusPath, of: "names")),
    "Keeps values of the status.",
    done: "at once",
    example: "- load: film\n- save: { p0: position }\n- wait: 5s\n- expect: { position: { min: \"${p0}\" } }"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    let names = step.value?.pairs.map { ScalarText.shown($0.map(\.key.text).joined(separator: ", ")) }
    return .init(action: .save, timeout: compiler.defaults.timeouts.reply, argument: names)
  }

  var arguments: JSONObject { JSONObject() }
  var needsRole: Bool { true }
}
