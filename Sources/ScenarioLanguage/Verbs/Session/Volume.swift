import CastProtocol

/// `volume`: sets the device's volume.
enum Volume: StepVerb {
  static let spec = VerbSpec(
    .volume, .session, .action,
    .keys(
      [
        KeySpec("to", .savable(.fraction), required: true, "The level to set, 0% to 100%, with its sign."),
        KeySpec("over", .duration, default: "0s", "How long the way to the level takes; 0s jumps."),
      ], short: "to"),
    "Sets the device's volume.",
    sends: "`SET_VOLUME` with a level",
    done: "the level is there, within one step of the device",
    example: "- volume: { to: 40%, over: 3s }"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    guard let level = compiler.amount("to", of: step.body, as: .percent, use: "volume") else { return nil }
    var action = Plan.VolumeAction(level: level)
    action.ramp = step.body.duration("over") ?? .zero
    return .init(
      action: .volume(action), timeout: compiler.defaults.timeouts.step + action.ramp,
      argument: compiler.shown(step.body.node("to")))
  }
}

extension Plan {
  package struct VolumeAction: Codable, Hashable, Sendable {
    /// Percent.
    package var level: Amount
    package var ramp: Duration = .zero

    package init(level: Amount) { self.level = level }
  }
}

extension Plan.VolumeAction: ControlAction {
  var arguments: JSONObject { ["to": level.json, "over": ramp.json] }

  func messages(trackIDs: inout [String: Int]) -> [JSONValue] {
    var json = ReceiverRequest.setVolume(level: level.literal.map { $0 / 100 } ?? 0, muted: nil).json(requestID: 0)
    json.fill("volume", level.placeholder.map { ["level": $0] })
    return [json]
  }
}
