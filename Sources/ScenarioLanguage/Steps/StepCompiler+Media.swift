import CastProtocol

extension StepCompiler {
  /// `load play pause stop seek rate tracks text_style skip_ad`, `refresh`, and what has a file of its own.
  mutating func mediaStep(_ step: DecodedStep) -> Compiled? {
    let body = step.body
    let timeout = defaults.timeouts.step
    switch step.verb.name {
    case "load": return load(step)
    case "play": return Compiled(action: .play, timeout: timeout)
    case "pause": return Compiled(action: .pause, timeout: timeout)
    case "stop": return Compiled(action: .stop, timeout: timeout)
    case "seek": return seek(body)
    case "rate": return rate(body)
    case "tracks":
      let nodes = body.list("active")
      if let media = lastMedia, !media.tracks.isEmpty { _ = withMedia { $0.activeTracks(nodes, of: media) } }
      return Compiled(
        action: .tracks(nodes.compactMap(\.text)), timeout: timeout, argument: shown(body.node("active")))
    case "text_style":
      guard let node = step.value else { return nil }
      let style: TextTrackStyle?
      if node.pairs != nil {
        let map = DecodedMap(node, as: LanguageSchema.textStyle)
        style = withMedia { $0.textStyle(map) }
      } else {
        style = withMedia { $0.textStyle(named: node) }
      }
      return style.map { Compiled(action: .textStyle($0), timeout: timeout, argument: node.text) }
    case "skip_ad": return Compiled(action: .skipAd(force: body.bool("force") ?? false), timeout: timeout)
    case "refresh":
      let what = body.choice("what", as: Plan.RefreshTarget.self) ?? .both
      return Compiled(action: .refresh(what), timeout: defaults.timeouts.reply, argument: body.text("what"))
    case "transfer", "send", "probe": return protocolStep(step)
    default: return queueStep(step)
    }
  }

  private mutating func seek(_ body: DecodedMap) -> Compiled? {
    let target: Plan.SeekAction.Target
    if let by = body.signedDuration("by") {
      target = .by(by.seconds)
    } else if let node = body.node("to"), let name = node.savedName {
      guard saved.check(name, fits: .duration, of: "seek", at: node, reportingTo: problems) else { return nil }
      target = .to(.saved(name))
    } else {
      switch body.position("to") {
      case .start: target = .toStart
      case .end: target = .toEnd
      case .at(let time): target = .to(.literal(time.seconds))
      case nil: return nil
      }
    }
    checkLiveSeek(body, target)
    checkSeekEnd(body, target)
    var action = Plan.SeekAction(target: target)
    action.then = body.choice("then", as: Plan.SeekAction.Then.self) ?? .keep
    action.tolerance = body.duration("tolerance") ?? action.tolerance
    return Compiled(
      action: .seek(action), timeout: defaults.timeouts.step, argument: shown(body.node("to") ?? body.node("by")))
  }

  /// C512: behind the end of what was loaded before it.
  private mutating func checkSeekEnd(_ body: DecodedMap, _ target: Plan.SeekAction.Target) {
    guard let media = lastMedia, !media.isLive, let duration = media.duration, case .to(.literal(let seconds)) = target,
      seconds > duration.seconds, let node = body.node("to")
    else { return }
    let name = media.id.map { "`\($0)`" } ?? "the media"
    problems.report(
      Diagnostic(
        .warning, .c512, "this seek leaves \(name)", at: node, "it lasts \(duration.spelled)",
        footers: [.help("`seek: end` goes to its end")]))
  }

  /// C514: without a window nobody can say that a live stream goes back at all.
  private mutating func checkLiveSeek(_ body: DecodedMap, _ target: Plan.SeekAction.Target) {
    guard let media = lastMedia, media.isLive, let node = body.node("to") ?? body.node("by") else { return }
    // To the end is to where it is live.
    if case .toEnd = target { return }
    let name = media.id.map { "`\($0)`" } ?? "the media"
    if media.liveWindow == nil {
      problems.report(
        Diagnostic(
          .warning, .c514, "seek in a live stream without a window", at: node, "may not be reachable",
          footers: [.help("say how far back \(name) goes: `live: { window: 30m }`")]))
    } else if let window = media.liveWindow, case .by(let seconds) = target, -seconds > window.seconds {
      problems.report(
        Diagnostic(
          .error, .c514, "this seek leaves the window of \(name)", at: node, "further back than \(window.spelled)",
          footers: [.help("a live stream keeps no more than its `window`")]))
    }
  }

  private mutating func rate(_ body: DecodedMap) -> Compiled? {
    let action: Plan.RateAction
    if let factor = body.factor("by") {
      action = .by(factor)
    } else {
      guard let to = amount("to", of: body, as: .number, use: "rate") else { return nil }
      if case .literal(let number) = to, let node = body.node("to") { checkRate(number, at: node) }
      action = .to(to)
    }
    let argument = shown(body.node("to")) ?? shown(body.node("by")).map { "by \($0)" }
    return Compiled(action: .rate(action), timeout: defaults.timeouts.step, argument: argument)
  }

  /// C507: an error at 0 and below, a warning outside 0.5 to 2.
  mutating func checkRate(_ rate: Double, at node: YAMLNode) {
    if rate <= 0 {
      problems.report(
        Diagnostic(
          .error, .c507, "playback rate must be above zero", at: node,
          rate < 0 ? "Cast cannot play backwards" : "to stand still use `pause`",
          footers: [.help(rate < 0 ? "0.5 to 2; to go back use `seek: { by: -10s }`" : "0.5 to 2")]
        ).onCommandLine(rate < 0 ? nil : "0.5 to 2"))
    } else if rate < 0.5 || rate > 2 {
      problems.report(
        Diagnostic(
          .warning, .c507, "many receivers refuse a playback rate of \(rate.decimals(3))", at: node,
          footers: [.help("0.5 to 2 is what all of them accept")]))
    }
  }
}
