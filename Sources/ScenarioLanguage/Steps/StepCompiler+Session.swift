import CastProtocol

extension StepCompiler {
  /// `discover connect disconnect launch stop_app volume mute`.
  mutating func sessionStep(_ step: DecodedStep) -> Compiled? {
    let body = step.body
    let timeouts = defaults.timeouts
    switch step.verb.name {
    case "discover":
      var action = Plan.DiscoverAction()
      action.listenFor = body.duration("for") ?? (body.has("at_least") ? nil : timeouts.discover)
      action.atLeast = body.int("at_least") ?? 1
      action.selector = body.node("where").flatMap { definitions.selector($0, map: body.map("where")) }
      action.via = body.choice("via", as: Plan.DiscoverAction.Way.self) ?? .both
      let listen = action.listenFor ?? timeouts.discover
      return Compiled(action: .discover(action), timeout: listen + timeouts.reply, argument: shown(body.node("for")))
    case "connect":
      let host = body.host("host")
      let authentication = body.choice("auth", as: Plan.DeviceRequirements.Authentication.self)
      return Compiled(
        action: .connect(host: host, authentication: authentication), timeout: timeouts.connect,
        argument: shown(body.node("host")))
    case "disconnect":
      return Compiled(action: .disconnect(abrupt: body.bool("abrupt") ?? false), timeout: timeouts.step)
    case "launch":
      let node = body.node("app")
      guard let appID = node == nil ? defaults.appID : node.flatMap({ app($0) }) else { return nil }
      var action = Plan.LaunchAction(appID: appID)
      action.language = body.text("language")
      if let params = body.node("params") { action.params = FreeData.json(params, reportingTo: problems) }
      action.join = body.choice("join", as: Plan.LaunchAction.Join.self) ?? .auto
      return Compiled(action: .launch(action), timeout: timeouts.launch, argument: shown(node) ?? "default")
    case "stop_app": return Compiled(action: .stopApp, timeout: timeouts.step)
    case "volume":
      guard let level = amount("to", of: body, as: .percent, use: "volume") else { return nil }
      var action = Plan.VolumeAction(level: level)
      action.ramp = body.duration("over") ?? .zero
      return Compiled(action: .volume(action), timeout: timeouts.step + action.ramp, argument: shown(body.node("to")))
    case "mute":
      guard let text = step.value?.text, let muted = try? NumberScalar.bool(text) else { return nil }
      return Compiled(action: .mute(muted), timeout: timeouts.step, argument: text)
    default: return nil
    }
  }
}
