import CastProtocol

/// `rate`: sets the playback rate.
enum Rate: StepVerb {
  static let spec = VerbSpec(
    .rate, .media, .action,
    .keys(
      [
        KeySpec("to", .savable(LanguageSchema.rate), "The rate to play with, 0.5 to 2.").positive(),
        KeySpec("by", .factor, "A factor for the present rate, such as `1.1x`."),
      ], short: "to", exclusive: [["to", "by"]], needsOneOf: [["to", "by"]]),
    "Sets the playback rate.",
    sends: "`SET_PLAYBACK_RATE`",
    done: "the status shows the rate",
    example: "- load: film\n- rate: 1.5"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.rate(step.body)
  }
}

extension StepCompiler {
  fileprivate mutating func rate(_ body: FieldMap) -> Compiled? {
    let action: Plan.RateAction
    if let factor = body.number("by") {
      action = .by(factor)
    } else {
      guard let to = amount("to", of: body, as: .number, use: "rate") else { return nil }
      if case .literal(let number) = to, let node = body.node("to") { checkRate(number, at: node) }
      action = .to(to)
    }
    let argument = shown(body.node("to")) ?? shown(body.node("by")).map { "by \($0)" }
    return Compiled(action: .rate(action), argument: argument)
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
        .warning, .c507, "many receivers refuse a playback rate of \(rate.decimals(3))", at: node,
        footers: [.help("0.5 to 2 is what all of them accept")])
    }
  }
}

extension Plan {
  package enum RateAction: Codable, Hashable, Sendable {
    case to(Amount)
    case by(Double)
  }
}

extension Plan.RateAction: ControlAction {
  var arguments: JSONObject {
    switch self {
    case .to(let amount): ["to": amount.json]
    case .by(let factor): ["by": JSONValue(factor)]
    }
  }

  func messages(trackIDs: inout [String: Int]) -> [JSONValue] {
    switch self {
    case .to(let amount):
      var json = MediaRequest(.setPlaybackRate(.absolute(amount.literal ?? 1)), session: 0).json(requestID: 0)
      json.fill("playbackRate", amount.placeholder)
      return [json]
    case .by(let factor):
      return [MediaRequest(.setPlaybackRate(.relative(factor)), session: 0).json(requestID: 0)]
    }
  }
}
