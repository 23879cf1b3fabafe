import CastProtocol

/// `stop`: ends the media.
struct Stop: StepVerb, ControlAction {
  static let spec = VerbSpec(
    .stop, .media, .action, .bare,
    "Ends the media.",
    sends: "`STOP` to the media",
    done: "the player is idle",
    example: "- load: film\n- stop"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    .init(action: .stop)
  }

  var arguments: JSONObject { JSONObject() }

  func messages(trackIDs: inout [String: Int]) -> [JSONValue] {
    [MediaRequest(.stop, session: 0).json(requestID: 0)]
  }
}
