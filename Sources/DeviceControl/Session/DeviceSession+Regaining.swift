import CastClient
import CastProtocol
package import RunReporting
import ScenarioLanguage
import Synchronization

/// Reaching the device again after its connection is gone.
extension DeviceSession {
  /// How long one try may look for the device's address.
  private static let resolvingTime = Duration.seconds(2)

  /// Why a device was not reached.
  package struct Unreached: Error {
    package var failure: StepFailure
    /// The time was over before any try came to an end: the device may well be there.
    package var isCutShort = false
  }

  /// Reaches a device that is lost or was let go of; `deadline` bounds all tries.
  package func makeReachable(until deadline: Duration) async throws(StepFailure) {
    do { try await tryToReach(until: deadline) } catch { throw error.failure }
  }

  /// Like ``makeReachable(until:)``, and says whether it was tried at all.
  package func tryToReach(until deadline: Duration) async throws(Unreached) {
    if link.lostAt != nil { return try await regain(until: deadline) }
    do { try await reconnect(until: deadline) } catch { throw Unreached(failure: error) }
  }

  /// Connects again, once, and takes up the app that was ours, if it still runs.
  func reconnect(until deadline: Duration) async throws(StepFailure) {
    guard let device else { throw StepFailure(.invalidState, "there is no device to connect to") }
    await close(abruptly: true)
    try await open(device)
    try await resume(until: deadline)
  }

  /// Tries to reach a lost device again until `deadline`, at its address of then, as docs/design.md 4 says.
  private func regain(until deadline: Duration) async throws(Unreached) {
    guard let device else {
      throw Unreached(failure: StepFailure(.invalidState, "there is no device to connect to"))
    }
    await close(abruptly: true)
    let (access, network) = (access, times.network)
    // Of the last try, in the words of a step.
    let lastFailure = Mutex<Unreached?>(nil)
    let reconnection = Reconnection(
      times: times, longestWait: policies.longestReconnectWait, random: random,
      reappearance: { await access.waitUntilSeenAgain(device, on: network) })
    let found: (opened: OpenedDevice, address: HostAndPort)
    do {
      found = try await reconnection.run(until: deadline) { () throws(ClientError) in
        var moved = device
        // Without a newer address it is tried at the old one.
        moved.address = (try? await access.resolve(device, Self.resolvingTime)) ?? device.address
        let opened: OpenedDevice
        do throws(StepFailure) { opened = try await self.connect(to: moved) } catch {
          // A try that was cut short tells less than the one before it.
          lastFailure.withLock { last in
            if Task.isCancelled, last != nil { return }
            last = Unreached(failure: error, isCutShort: Task.isCancelled)
          }
          throw ClientError(.unreachable, error.message, help: error.help)
        }
        if Task.isCancelled {
          await opened.connection.disconnect(abruptly: true)
          throw ClientError(.connectionLost, "stopped")
        }
        return (opened, moved.address)
      }
    } catch { throw lastFailure.withLock { $0 } ?? Unreached(failure: StepFailure(error), isCutShort: true) }
    if found.address != device.address {
      var moved = device
      moved.address = found.address
      setDevice(moved)
      reportFound(moved)
    }
    do {
      try await establish(found.opened)
      try await resume(until: deadline)
    } catch {
      throw Unreached(failure: error)
    }
  }

  /// Looks for our app over a new connection: goes on with it, or records that it is gone or another sender's.
  private func resume(until deadline: Duration) async throws(StepFailure) {
    await catchUp()
    // A device may end an app with the connection of its last sender: that fails the next step that needs the app.
    endWaitForReplacement()
    startWatching()
    guard let end = try await takeUpApp(until: deadline) else { return }
    let takeover = changeOwn { $0.recordEnd(end, gone: "the app was no longer running after the reconnect") }
    if let takeover { owner.isTakenOver(takeover) }
  }

  /// Goes on with our app over a new connection, where it still runs.
  /// - Returns: Why it is not ours any more, `app_gone` or `taken_over`; `nil` where it is, or there was none.
  func takeUpApp(until deadline: Duration) async throws(StepFailure) -> StepFailure? {
    guard let before = own.session, let connection = link.connection else { return nil }
    changeOwn { $0.beginChange() }
    defer { changeOwn { $0.endChange() } }
    do {
      let session = try await connection.resume(before, playing: own.loaded?.mediaSessionID, until: deadline)
      changeOwn { $0.resume(session) }
      await catchUp()
      return nil
    } catch  where error.class == .appGone || error.class == .takenOver {
      return StepFailure(error)
    } catch {
      throw StepFailure(error)
    }
  }
}
