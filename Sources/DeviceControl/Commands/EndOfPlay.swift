import CastProtocol
package import RunReporting
package import ScenarioLanguage

extension StepFailure {
  /// Why what was watched to its end did not end by itself.
  /// - Parameters:
  ///   - view: What the device shows since.
  ///   - wanted: The id of the app that it was in; `nil`: of any.
  package init(endOfPlay view: StatusView, in wanted: String?) {
    let app = view.snapshot.receiver?.application
    switch view.media?.idleReason {
    case .error:
      let code = view.snapshot.detailedErrorCode
      let detail = code.map { " \($0) \(DetailedErrorCode.name(of: $0) ?? "")" } ?? ""
      self.init(.mediaError, "the player stopped with ERROR\(detail)")
    case .cancelled: self.init(.expectation, "it did not play to its end: it was stopped (cancelled)")
    case .interrupted: self.init(.expectation, "it did not play to its end: it was interrupted")
    case nil where app == nil || app?.isIdleScreen == true:
      self.init(.appGone, "it did not play to its end: the app was stopped")
    case nil where wanted != nil && app?.appID != wanted:
      self.init(.takenOver, "taken over by \(app.map { "\($0.displayName) (\($0.appID))" } ?? "another app")")
    case .finished, .unknown, nil:
      let reason = view.value(of: FieldPath(["idle_reason"]))?.string ?? "idle"
      self.init(.expectation, "it did not play to its end: \(reason)")
    }
  }

  /// The same with what usually cures its class, where nobody closer to it could say.
  package var withCure: StepFailure {
    var failure = self
    failure.help = help ?? errorClass.usualCure
    return failure
  }
}

extension ErrorClass {
  /// What to do on a command line where nobody closer to the failure could say.
  package var usualCure: String? {
    switch self {
    case .unreachable: "see whether it is on and in this network: `showcaller discover` lists what answers"
    case .appGone, .invalidState:
      "`showcaller status` shows what the device does; `showcaller load URL` plays something"
    case .timeout: "give it more time with `--timeout`; `showcaller status` shows what the device does"
    case .connectionLost: "see whether it is powered and on the same network"
    case .takenOver, .expectation: "`showcaller status` shows what the device does now"
    case .mediaError: "check that the device can reach the address, its certificate, type and CORS headers"
    default: nil
    }
  }
}
