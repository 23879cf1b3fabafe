import CastClient
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// Reaching a device again that was lost or let go of.
extension ScenarioRun {
  /// Connects again, once, and takes up the app that was ours, if it still runs.
  func reconnect(until deadline: Duration) async throws(StepFailure) {
    guard let device else { throw StepFailure(.invalidState, "there is no device to connect to") }
    await closeConnection(abruptly: true)
    try await openConnection(to: device)
    try await resume(until: deadline)
  }

  /// Tries to reach a lost device again until `deadline`, at its address of then, as design.md 4 says.
  private func regain(until deadline: Duration) async throws(StepFailure) {
    guard let device else { throw StepFailure(.invalidState, "there is no device to connect to") }
    await closeConnection(abruptly: true)
    let (access, tap, network) = (access, wireTap, times.network)
    let reconnection = Reconnection(
      times: times, random: reconnectRandom, sighting: { await access.sighting(of: device, on: network) })
    let found: (opened: OpenedDevice, address: HostAndPort)
    do {
      found = try await reconnection.run(until: deadline) { () throws(ClientError) in
        var moved = device
        // Where nobody knows better, it may be back where it was.
        moved.address = (try? await access.resolve(device, Self.resolvingTime)) ?? device.address
        let opened = try await access.connect(moved, tap)
        if Task.isCancelled {
          await opened.connection.disconnect(abruptly: true)
          throw ClientError(.connectionLost, "stopped")
        }
        return (opened, moved.address)
      }
    } catch { throw StepFailure(error) }
    if found.address != device.address {
      self.device?.address = found.address
      target.facts["device.ip"] = .string(found.address.host)
      if let moved = self.device { tellFound(moved) }
    }
    try await adopt(found.opened)
    try await resume(until: deadline)
  }

  /// How long one try may look for the device's address.
  private static let resolvingTime = Duration.seconds(2)

  /// Compares what a new connection shows with what was ours, and goes on with that or tells that it is not there.
  private func resume(until deadline: Duration) async throws(StepFailure) {
    await catchUp()
    // A device may end an app with the connection of its last sender: that fails the next step that needs the app.
    endWaitForReplacement()
    restartWatching()
    guard let before = app, let connection else { return }
    isChangingApp = true
    defer { isChangingApp = false }
    do {
      app = try await connection.resume(before, playing: loaded?.mediaSessionID, until: deadline)
      if let session = app { loaded?.source = session.transportID }
      await catchUp()
    } catch  where error.class == .appGone {
      app = nil
      loaded = nil
      appLoss = StepFailure(.appGone, "the app was no longer running after the reconnect")
    } catch  where error.class == .takenOver {
      app = nil
      loaded = nil
      takeOver(StepFailure(error))
    } catch {
      throw StepFailure(error)
    }
  }

  /// Reaches a device that is lost or was let go of; `until` bounds all tries.
  func makeReachable(until deadline: Duration) async throws(StepFailure) {
    if lostAt == nil { try await reconnect(until: deadline) } else { try await regain(until: deadline) }
  }

  func tryReconnect(until deadline: Duration) async -> StepFailure? {
    do {
      try await makeReachable(until: deadline)
      return nil
    } catch {
      return error
    }
  }

  private func restartWatching() {
    watching?.cancel()
    startWatching()
  }
}
