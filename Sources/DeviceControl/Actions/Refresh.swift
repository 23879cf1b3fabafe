import CastClient
import CastProtocol
import RunReporting
import ScenarioLanguage

/// `refresh`: the device is asked for its status.
struct Refresh: DeviceVerb {
  let target: Plan.RefreshTarget

  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    let connection = try device.requireConnection()
    if target != .media {
      do { try await connection.refreshReceiver() } catch { throw StepFailure(error) }
    }
    // An app that plays no media has no status of them.
    let playsMedia = device.own.session != nil && device.link.snapshot.receiver?.application?.playsMedia == true
    guard target == .media || target != .receiver && playsMedia else { return }
    let app = try device.requireApp()
    do { try await connection.refreshMedia(in: app) } catch { throw StepFailure(error) }
  }
}
