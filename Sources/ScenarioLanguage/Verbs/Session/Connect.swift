import CastProtocol

/// `connect`: opens the connection.
struct Connect: StepVerb, LocalAction {
  static let spec = VerbSpec(
    .connect, .session, .action,
    .keys([
      KeySpec(
        "host", .hostAndPort, default: "from the device",
        "An address to connect to instead, with a port if not 8009."),
      KeySpec("auth", LanguageSchema.auth, default: "of the device, else report", "Device certificate check."),
    ]),
    "Opens the connection.",
    sends: "TLS, `CONNECT`, `GET_STATUS`",
    done: "the first `RECEIVER_STATUS` came",
    example: "- connect"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    let timeout = compiler.defaults.timeouts.connect
    let authentication = step.body.choice("auth", as: Plan.DeviceRequirements.Authentication.self)
    return .init(
      action: .connect(host: step.body.host("host"), authentication: authentication), timeout: timeout,
      argument: compiler.shown(step.body.node("host")))
  }

  let host: HostAndPort?
  let authentication: Plan.DeviceRequirements.Authentication?

  var arguments: JSONObject {
    var object = JSONObject()
    object["host"] = host.map { .string($0.text) }
    object["auth"] = authentication.map { .string($0.rawValue) }
    return object
  }
  var needsRole: Bool { true }
}
