import CastClient
import CastProtocol
package import RunReporting
import ScenarioLanguage

/// `launch`: an app of ours, launched or joined.
struct Launch: DeviceVerb {
  private let words: LaunchWords
  private let join: JoinPolicy

  init(_ action: Plan.LaunchAction) {
    words = LaunchWords(
      appID: action.appID, language: action.language, params: action.params, appTypes: action.appTypes)
    join =
      switch action.join {
      case .auto: .auto
      case .never: .never
      case .only: .only
      }
  }

  init(_ words: LaunchWords, join: JoinPolicy = .auto) {
    self.words = words
    self.join = join
  }

  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    let connection = try device.requireConnection()
    var params = words.params
    if let written = params { params = try device.secrets.revealed(written) }
    let isAnother = device.own.session?.appID != words.appID
    let join = join == .auto && isAnother ? device.policies.launchJoin : join
    device.changeOwn { $0.beginLaunch() }
    defer { device.changeOwn { $0.endChange() } }
    do {
      var session = try await connection.launch(
        words.appID, language: words.language, appParams: params, supportedAppTypes: words.appTypes, join: join,
        needsMedia: words.needsMedia, until: scope.deadline)
      // An instance this run launched before stays ours when a later launch joins it.
      if let app = device.own.session, app.sessionID == session.sessionID {
        session.isOurs = app.isOurs || session.isOurs
      }
      device.claimEarlierLaunch(&session)
      let now = device.now
      device.changeOwn { $0.recordLaunch(session, words, at: now) }
    } catch {
      var failure = StepFailure(error)
      // With `only` nothing is launched: it fails for want of an app that runs.
      if join == .only, error.class == .launchFailed, device.policies.cures == .commandLines {
        failure.help = "start it, or leave out `--join only` to have it launched"
      }
      throw failure
    }
    await device.catchUp(scope)
    let (snapshot, now) = (device.link.snapshot, device.now)
    device.changeOwn { $0.recordUse(snapshot, at: now) }
  }
}

extension DeviceSession {
  /// Launches `appID` unless it is the app of ours already.
  func ensureApp(_ appID: String, _ scope: ActionScope) async throws(StepFailure) -> AppSession {
    if let app = own.session, app.appID == appID { return app }
    try await Launch(LaunchWords(appID: appID, needsMedia: true)).perform(on: self, in: scope)
    return try requireApp()
  }

  /// Launches the last app again, with the same words, also where it is gone.
  package func relaunch(_ scope: ActionScope) async throws(StepFailure) {
    guard link.connection != nil,
      let words = own.launched ?? own.session.map({ LaunchWords(appID: $0.appID) })
    else { return }
    // Even a launch that fails ends the session before.
    changeOwn { $0.forget() }
    try await Launch(words, join: .never).perform(on: self, in: scope)
  }
}
