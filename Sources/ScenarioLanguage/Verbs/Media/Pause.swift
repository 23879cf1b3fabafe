import CastProtocol

/// `pause`: pauses.
struct Pause: StepVerb, ControlAction {
  static let spec = VerbSpec(
    .pause, .media, .action, .bare,
    "Pauses.",
    sends: "`PAUSE`",
    done: "the player is paused",
    example: "- load: film\n- pause"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    .init(action: .pause)
  }

  var arguments: JSONObject { JSONObject() }

  func messages(trackIDs: inout [String: Int]) -> [JSONValue] {
    [MediaRequest(.pause, session: 0).json(requestID: 0)]
  }
}
