import CastProtocol

/// `play`: plays.
struct Play: StepVerb, ControlAction {
  static let spec = VerbSpec(
    .play, .media, .action, .bare,
    "Plays.",
    sends: "`PLAY`",
    done: "the player is playing or buffering",
    example: "- load: { media: film, autoplay: false }\n- play"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    .init(action: .play)
  }

  var arguments: JSONObject { JSONObject() }

  func messages(trackIDs: inout [String: Int]) -> [JSONValue] {
    [MediaRequest(.play, session: 0).json(requestID: 0)]
  }
}
