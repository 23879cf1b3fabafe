import CastProtocol

/// `seek`: moves the playhead.
enum Seek: StepVerb {
  static let spec = VerbSpec(
    .seek, .media, .action,
    .keys(
      [
        KeySpec("to", .savable(.position), "Where to go: a position from the start, `start` or `end`."),
        KeySpec("by", .signedDuration, "How far to go from here, with a sign: `+30s`, `-10s`."),
        KeySpec(
          "then", .choice("resume state", of: Plan.SeekAction.Then.self), default: "keep",
          "Whether it plays or is paused afterwards; `keep` leaves it as it was."),
        KeySpec("tolerance", .duration, default: "2s", "How far from the wanted position is close enough."),
      ], short: "to", exclusive: [["to", "by"]], needsOneOf: [["to", "by"]]),
    "Moves the playhead.",
    sends: "`SEEK`",
    done: "the position is within `tolerance` and the player does not buffer",
    example: "- load: film\n- seek: { by: +30s, then: play, tolerance: 1s }"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.seek(step.body)
  }
}

extension StepCompiler {
  fileprivate mutating func seek(_ body: FieldMap) -> Compiled? {
    let target: Plan.SeekAction.Target
    if let by = body.duration("by") {
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
    return Compiled(action: .seek(action), argument: shown(body.node("to") ?? body.node("by")))
  }

  /// C512: behind the end of what was loaded before it.
  private mutating func checkSeekEnd(_ body: FieldMap, _ target: Plan.SeekAction.Target) {
    guard let media = lastMedia, !media.isLive, let duration = media.duration, case .to(.literal(let seconds)) = target,
      seconds > duration.seconds, let node = body.node("to")
    else { return }
    let name = media.id.map { "`\($0)`" } ?? "the media"
    problems.report(
      .warning, .c512, "this seek leaves \(name)", at: node, "it lasts \(duration.spelled)",
      footers: [.help("`seek: end` goes to its end")])
  }

  /// C514: without a window nobody can say that a live stream goes back at all.
  private mutating func checkLiveSeek(_ body: FieldMap, _ target: Plan.SeekAction.Target) {
    guard let media = lastMedia, media.isLive, let node = body.node("to") ?? body.node("by") else { return }
    // To the end is to where it is live.
    if case .toEnd = target { return }
    let name = media.id.map { "`\($0)`" } ?? "the media"
    if media.liveWindow == nil {
      problems.report(
        .warning, .c514, "seek in a live stream without a window", at: node, "may not be reachable",
        footers: [.help("say how far back \(name) goes: `live: { window: 30m }`")])
    } else if let window = media.liveWindow, case .by(let seconds) = target, -seconds > window.seconds {
      problems.report(
        .error, .c514, "this seek leaves the window of \(name)", at: node, "further back than \(window.spelled)",
        footers: [.help("a live stream keeps no more than its `window`")])
    }
  }
}

extension Plan {
  package struct SeekAction: Codable, Hashable, Sendable {
    package enum Target: Codable, Hashable, Sendable {
      /// Seconds.
      case to(Amount)
      case toStart, toEnd
      /// Signed seconds from where it is.
      case by(Double)
    }
    package enum Then: String, Codable, Hashable, Sendable, CaseIterable { case keep, play, pause }
    package var target: Target
    package var then = Then.keep
    package var tolerance: Duration = .seconds(2)

    package init(target: Target) { self.target = target }
  }
}

extension Plan.SeekAction: ControlAction {
  var arguments: JSONObject {
    var object = JSONObject()
    switch target {
    case .to(let amount): object["to"] = amount.json
    case .toStart: object["to"] = "start"
    case .toEnd: object["to"] = "end"
    case .by(let seconds): object["by"] = JSONValue(seconds)
    }
    object["then"] = .string(then.rawValue)
    object["tolerance"] = tolerance.json
    return object
  }

  func messages(trackIDs: inout [String: Int]) -> [JSONValue] {
    var time = 0.0
    var placeholder: JSONValue?
    switch target {
    case .to(let amount):
      time = amount.literal ?? 0
      placeholder = amount.placeholder
    case .toStart: break
    case .toEnd: placeholder = "‹end›"
    case .by(let seconds):
      placeholder = .string("‹position \(seconds < 0 ? "-" : "+") \(Duration.seconds(seconds.magnitude).spelled)›")
    }
    let resume: Bool? =
      switch then {
      case .keep: nil
      case .play: true
      case .pause: false
      }
    var json = MediaRequest(.seek(.init(currentTime: time, resume: resume)), session: 0).json(requestID: 0)
    json.fill("currentTime", placeholder)
    return [json]
  }
}
