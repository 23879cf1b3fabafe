import CastClient
import CastProtocol
import RunReporting
import ScenarioLanguage

/// `stop_app`: the app of ours is gone.
struct StopApp: DeviceVerb {
  /// Whether it also succeeds where no app runs: when cleaning up, there may never have been one.
  let mayBeGone: Bool

  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    let connection = try device.requireConnection()
    guard let app = device.own.session else {
      if mayBeGone || device.maySkipStoppingApp { return }
      throw StepFailure(.invalidState, "no app was launched or joined")
    }
    device.changeOwn { $0.beginChange() }
    defer { device.changeOwn { $0.endChange() } }
    do { try await connection.stopApp(app, until: scope.deadline) } catch { throw StepFailure(error) }
    await device.catchUp(scope)
    device.changeOwn { $0.recordStop() }
    device.recordLaunch(nil)
  }
}
