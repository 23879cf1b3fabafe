import CastProtocol

/// `refresh`: asks for the status.
enum Refresh: StepVerb {
  static let spec = VerbSpec(
    .refresh, .protocol, .action,
    .keys([
      KeySpec("what", .choice("status", of: Plan.RefreshTarget.self), default: "both", "Which status to ask for.")
    ]),
    "Asks for the status.",
    sends: "`GET_STATUS`",
    done: "the reply came; reports mark it `polled`",
    example: "- refresh: { what: media }"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    let what = step.body.choice("what", as: Plan.RefreshTarget.self) ?? .both
    return .init(action: .refresh(what), timeout: compiler.defaults.timeouts.reply, argument: step.body.text("what"))
  }
}

extension Plan {
  package enum RefreshTarget: String, Codable, Hashable, Sendable, CaseIterable { case media, receiver, both }
}

extension Plan.RefreshTarget: ControlAction {
  var arguments: JSONObject { ["what": .string(rawValue)] }

  func messages(trackIDs: inout [String: Int]) -> [JSONValue] {
    let receiver = ReceiverRequest.getStatus.json(requestID: 0)
    let media = MediaRequest.getStatus.json(requestID: 0)
    switch self {
    case .receiver: return [receiver]
    case .media: return [media]
    case .both: return [receiver, media]
    }
  }
}
