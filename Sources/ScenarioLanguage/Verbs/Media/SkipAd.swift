import CastProtocol

/// `skip_ad`: skips the ad.
struct SkipAd: StepVerb, ControlAction {
  static let spec = VerbSpec(
    .skipAd, .media, .action,
    .keys([KeySpec("force", .bool, default: "false", "Asks even when the ad may not be skipped yet.")]),
    "Skips the ad.",
    sends: "`SKIP_AD`",
    done: "another clip plays or the break is over, sooner than the ad ends by itself; refused at once while the ad "
      + "may not be skipped, unless `force`",
    example: "- load: film\n- expect: { break: { skippable: true } }\n  within: 3m\n- skip_ad"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    .init(action: .skipAd(force: step.body.bool("force") ?? false))
  }

  let isForced: Bool

  var arguments: JSONObject { ["force": .bool(isForced)] }

  func messages(trackIDs: inout [String: Int]) -> [JSONValue] {
    [MediaRequest(.skipAd, session: 0).json(requestID: 0)]
  }
}
