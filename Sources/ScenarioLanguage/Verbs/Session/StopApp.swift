import CastProtocol

/// `stop_app`: ends our app.
struct StopApp: StepVerb, ControlAction {
  static let spec = VerbSpec(
    .stopApp, .session, .action, .bare,
    "Ends our app.",
    sends: "`STOP` to the receiver",
    done: "our session is gone",
    example: "- launch: default\n- stop_app"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    .init(action: .stopApp)
  }

  var arguments: JSONObject { JSONObject() }

  func messages(trackIDs: inout [String: Int]) -> [JSONValue] {
    [ReceiverRequest.stop(sessionID: "‹session›").json(requestID: 0)]
  }
}
