import CastClient
import RunReporting
import ScenarioLanguage

/// What the session's policy on apps that run already means for the verbs: it is asked here and nowhere else, but for
/// connecting.
extension DeviceSession {
  /// The app that actions act on.
  func requireApp() throws(StepFailure) -> AppSession {
    if let app = own.session { return app }
    if let loss = own.loss { throw loss }
    switch policies.join {
    case .whateverRuns: throw StepFailure(.invalidState, "no app is running")
    case .ownAppsOnly:
      throw StepFailure(.invalidState, "no app was launched or joined", help: "begin with `launch` or `load`")
    }
  }

  /// Whether to stop an app that is not there is a success.
  var maySkipStoppingApp: Bool { own.loss != nil || policies.join == .whateverRuns }

  /// Whether to stop what plays is done already: no app runs, or it plays nothing.
  func maySkipStoppingMedia(_ scope: ActionScope) -> Bool {
    switch policies.join {
    case .whateverRuns: own.session == nil || view(scope).player == "idle"
    case .ownAppsOnly: false
    }
  }

  /// The scope of a command that the app does not list: it may do it all the same, but a person at a prompt does not wait
  /// a whole step for that.
  func doubtful(_ scope: ActionScope) -> ActionScope {
    switch policies.join {
    case .whateverRuns: scope.until(min(scope.deadline, now + policies.timeouts.reply))
    case .ownAppsOnly: scope
    }
  }
}
