package import CastProtocol

/// `launch`: starts or joins an app.
enum Launch: StepVerb {
  static let spec = VerbSpec(
    .launch, .session, .action,
    .keys(
      [
        KeySpec(
          "app", .reference(.app), default: "defaults.app",
          "The app to start: an id under `apps:`, or eight hexadecimal digits."),
        KeySpec("language", .language, "The language the app is started in, a BCP 47 tag."),
        KeySpec("params", .anyMap, "Free data for the app, sent as `appParams`."),
        KeySpec(
          "join", .choice("join rule", of: Plan.LaunchAction.Join.self), default: "auto",
          "Whether an instance that runs already will do: `never` starts a new one, `only` starts none."),
      ], short: "app"),
    "Starts or joins an app.",
    sends: "`LAUNCH`",
    done: "the status lists the app with its namespaces",
    example: "- launch: { app: acme, language: en, params: { shelf: news }, join: never }"
  )

  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    let body = step.body
    let node = body.node("app")
    guard let appID = node == nil ? compiler.defaults.appID : node.flatMap({ compiler.app($0) }) else { return nil }
    var action = Plan.LaunchAction(appID: appID)
    action.language = body.text("language")
    if let params = body.node("params") { action.params = FreeData.json(params, reportingTo: compiler.problems) }
    action.join = body.choice("join", as: Plan.LaunchAction.Join.self) ?? .auto
    return .init(
      action: .launch(action), timeout: compiler.defaults.timeouts.launch, argument: compiler.shown(node) ?? "default")
  }
}

extension Plan {
  package struct LaunchAction: Codable, Hashable, Sendable {
    package enum Join: String, Codable, Hashable, Sendable, CaseIterable { case auto, never, only }
    package var appID: String
    package var language: String?
    package var params: JSONValue?
    /// `WEB`, `ANDROID_TV`; documents leave it to the device.
    package var appTypes: [String]?
    package var join = Join.auto

    package init(appID: String) { self.appID = appID }
  }
}

extension Plan.LaunchAction: ControlAction {
  var arguments: JSONObject {
    var object: JSONObject = ["app": .string(appID)]
    object["language"] = language.map { .string($0) }
    object["params"] = params
    object["join"] = .string(join.rawValue)
    return object
  }
  func messages(trackIDs: inout [String: Int]) -> [JSONValue] {
    [
      ReceiverRequest.launch(appID: appID, language: language, appParams: params, supportedAppTypes: appTypes)
        .json(requestID: 0)
    ]
  }
}
