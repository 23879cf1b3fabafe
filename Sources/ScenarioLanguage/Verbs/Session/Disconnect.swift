import CastProtocol

/// `disconnect`: closes the connection.
struct Disconnect: StepVerb, LocalAction {
  static let spec = VerbSpec(
    .disconnect, .session, .action,
    .keys([
      KeySpec("abrupt", .bool, default: "false", "Drops TCP without CLOSE, as a sender does that loses its network.")
    ]),
    "Closes the connection.",
    sends: "`CLOSE`",
    done: "the connection is closed",
    example: "- disconnect: { abrupt: true }\n- connect"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    .init(action: .disconnect(abrupt: step.body.bool("abrupt") ?? false))
  }

  let isAbrupt: Bool

  var arguments: JSONObject { ["abrupt": .bool(isAbrupt)] }
  var needsRole: Bool { true }
}
