import CastClient
import CastProtocol
import RunReporting
import ScenarioLanguage

/// Leaving the device, and what later runs have to know of it.
extension DeviceSession {
  /// Closes the connection, unless it is the caller's.
  package func close(abruptly: Bool = false) async {
    await stopWatching()
    if let connection = link.connection, policies.connection == .own {
      await connection.disconnect(abruptly: abruptly)
    }
    changeLink { $0.close() }
  }

  /// Leaves the device as the policies say: as it was found (volume and mute back, the app we launched stopped), with
  /// our app stopped and no more, or as it is.
  /// - Parameters:
  ///   - isLast: Else another try follows, which begins with a clean session.
  ///   - isHurried: The user wants out at once: nothing is restored.
  package func leave(isLast: Bool = true, isHurried: Bool = false) async {
    wire?.enter(step: nil)
    changeOwn { $0.beginChange() }
    if let connection = link.connection, link.lostAt == nil, !isHurried {
      let reply = policies.timeouts.reply
      let app = own.session
      let plan = LeavePlan(policies.leave, isLast: isLast, original: own.originalVolume, app: app)
      if plan.restoresVolume {
        do {
          try await connection.setVolume(level: plan.level, muted: plan.isMuted, until: now + reply)
        } catch { reportLeaving("the volume could not be restored", error) }
      }
      if let app, plan.stopsApp {
        do {
          try await connection.stopApp(app, until: now + reply)
        } catch { reportLeaving("the app could not be stopped", error) }
      }
      await catchUp()
      let running = link.snapshot.receiver?.application?.sessionID
      if LeavePlan.endsRecord(policies.leave, app: own.session, running: running) { recordLaunch(nil) }
    }
    await close(abruptly: link.lostAt != nil)
  }

  private func reportLeaving(_ what: String, _ error: ClientError) {
    emit(.diagnostic(.init(.warning, StepFailure(error).code, "\(what): \(error.message)")))
  }

  // MARK: sessions of earlier runs

  /// Treats an app as ours that an earlier run of this computer started and did not end.
  func claimEarlierLaunch(_ session: inout AppSession) {
    if session.isOurs {
      recordLaunch(session.sessionID)
    } else if let launchKey, policies.launchedApps.session(launchKey) == session.sessionID {
      session.isOurs = true
    }
  }

  /// Records for later runs the app that this one started; `nil`: there is none to end.
  func recordLaunch(_ session: String?) {
    if let launchKey { policies.launchedApps.record(session, launchKey) }
  }

  private var launchKey: String? {
    device.map { device in device.id ?? "\(device.address.host):\(device.address.port)" }
  }
}
