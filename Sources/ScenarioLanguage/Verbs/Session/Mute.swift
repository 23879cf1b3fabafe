import CastProtocol

/// `mute`: mutes the device, or ends that.
struct Mute: StepVerb, ControlAction {
  static let spec = VerbSpec(
    .mute, .session, .action, .value(.bool),
    "Mutes or unmutes the device.",
    sends: "`SET_VOLUME` with muted",
    done: "the status says so",
    example: "- mute: true"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    guard let muted = step.value?.value?.bool else { return nil }
    return .init(action: .mute(muted), argument: step.value?.text)
  }

  let isMuted: Bool

  var arguments: JSONObject { ["to": .bool(isMuted)] }

  func messages(trackIDs: inout [String: Int]) -> [JSONValue] {
    [ReceiverRequest.setVolume(level: nil, muted: isMuted).json(requestID: 0)]
  }
}
