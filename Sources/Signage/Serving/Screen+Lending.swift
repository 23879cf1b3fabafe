import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// Lending the screen's device to a run of a scenario.
extension Screen {
  /// Lets go of the device, and has it back when the run is done with it.
  func lend(to request: LoanRequest) async {
    let time = unixTime
    changeAccount { $0.rest(at: time, .yielded, by: request.taker) }
    setOnScreen(nil)
    tell(.lent(request.taker))
    await letGo()
    request.granted.open()
    // A run may take any time.
    world.turns.rest(claimant)
    await request.ended.wait()
    promiseTurn()
    if Task.isCancelled { return }
    // It is the screen's again at once, where nothing has come in between.
    if await device.wasConnected { try? await device.makeReachable(until: now + timeouts.step) }
    if await !device.needsConnection {
      returnPace.connected(at: now)
      tell(.returned)
    }
  }

  /// Ends what is ours on the device, as the run begins with an idle screen, and the connection.
  private func letGo() async {
    if await device.hasOwnApp, await !device.needsConnection {
      let scope = ActionScope(deadline: now + timeouts.step, caller: owner)
      owner.take()
      do {
        try await device.stopWhateverRuns(scope)
      } catch {
        if !Task.isCancelled { tell(.note("the app could not be stopped: \(error.message)")) }
      }
    }
    setQueued(nil)
    await device.endYielding()
    await device.close()
    owner.take()
    device.policies.hold.release()
  }
}
