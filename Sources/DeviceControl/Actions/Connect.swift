import CastClient
import CastProtocol
import RunReporting
import ScenarioLanguage

/// `connect`: an open connection, to another address or with a proof where that is asked.
struct Connect: DeviceVerb {
  let host: HostAndPort?
  let authentication: Plan.DeviceRequirements.Authentication?

  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    let mode = device.authenticationMode(authentication, of: device.device)
    // A step that requires a proof needs a connection on which one was asked for.
    let asked = device.device?.authentication
    let isEnough = !mode.demandsProof || asked == mode || asked == .pin
    if var known = device.device {
      known.authentication = mode
      if let host { known.address = host }
      let isMoved = known.address != device.device?.address
      device.setDevice(known)
      if !isMoved, device.link.isOpen, isEnough { return }
    }
    try await device.reconnect(until: scope.deadline)
  }
}

/// `disconnect`: no connection until the next `connect`; that it ends is no loss.
struct Disconnect: DeviceVerb {
  let isAbrupt: Bool

  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    device.changeLink { $0.recordOwnDisconnect() }
    await device.close(abruptly: isAbrupt)
  }
}
