import CastClient
import CastProtocol
package import RunReporting
import ScenarioLanguage

/// Connecting to the device that was found.
extension DeviceSession {
  /// Connects to the device that was found, and joins what runs where the policies say so.
  /// - Returns: Why that failed, which was reported; `nil` where it succeeded.
  package func connectAndJoin() async -> StepFailure? {
    guard let device else { return StepFailure(.notFound, "there is no device to connect to") }
    do {
      try await open(device)
      if policies.join == .whateverRuns { try await joinRunningApp() }
      return nil
    } catch {
      reportDiagnostic(error, at: selector.span)
      return error
    }
  }

  /// Joins the app that runs, also one of another sender, and asks what it plays.
  private func joinRunningApp() async throws(StepFailure) {
    guard let connection = link.connection, let running = link.snapshot.receiver?.application, !running.isIdleScreen,
      let transportID = running.transportID
    else { return }
    let session = AppSession(
      appID: running.appID, sessionID: running.sessionID, transportID: transportID, isOurs: false)
    do {
      let joined = try await connection.resume(session, playing: nil, until: now + policies.timeouts.reply)
      changeOwn { $0.join(joined) }
      guard policies.takeover == .fail else { return }
      // The media that plays counts as ours: a load in its place is another sender's.
      await catchUp()
      if let media = link.snapshot.media, let source = link.snapshot.mediaSource {
        changeOwn { $0.setLoaded(LoadedMedia(source: source, mediaSessionID: media.mediaSessionID)) }
      }
    } catch  where error.class == .appGone || error.class == .takenOver {
      // It went while we came.
    } catch {
      throw StepFailure(error)
    }
  }

  private nonisolated var wireTap: WireTap? {
    guard let wire else { return nil }
    return switch policies.messages {
    case .none: nil
    case .last: .kept { wire.keep($0) }
    case .all: .told { wire.record($0) }
    }
  }

  /// Opens a connection, starts counting its observations, and reports it.
  package func open(_ device: FoundDevice) async throws(StepFailure) {
    try await establish(connect(to: device))
  }

  /// Takes part in a run that is under way, on a device that was found for it.
  /// - Parameters:
  ///   - name: How events call the device.
  ///   - scope: Of the step that needs it.
  package func join(_ device: FoundDevice, called name: String, _ scope: ActionScope) async throws(StepFailure) {
    if Task.isCancelled { throw .cancelled }
    use(device, called: name)
    wire?.enter(step: scope.stepID, attempt: scope.attempt)
    try await open(self.device ?? device)
    await catchUp(scope)
    startWatching()
  }

  /// Connects, where no other run has the device: a session connects nowhere else.
  nonisolated func connect(to device: FoundDevice) async throws(StepFailure) -> OpenedDevice {
    try await policies.hold.lockAtOnce(device)
    do { return try await access.connect(device, wireTap) } catch { throw StepFailure(error) }
  }

  func establish(_ opened: OpenedDevice) async throws(StepFailure) {
    if Task.isCancelled {
      await opened.connection.disconnect(abruptly: true)
      throw .cancelled
    }
    let seen = policies.connection == .borrowed ? await opened.connection.lastObservation : 0
    begin(opened, seen: seen)
    var connected = EventKind.DeviceConnected()
    connected.tls = opened.tls
    // A proof that has not come yet is left out, and not waited for.
    if !opened.authentication.isPending { connected.authentication = .known(opened.authentication.verdict) }
    connected.latency = (opened.latency.seconds * 1000).rounded()
    if let lostAt = changeLink({ $0.endLoss() }) {
      emitter.emit(.deviceBack(.init(after: (now - lostAt).seconds)), device: name)
    }
    emitter.emit(.deviceConnected(connected), device: name)
    reportAuthentication(opened.authentication)
    let snapshot = await opened.connection.snapshot
    changeLink { $0.set(snapshot) }
    endLinkWaits()
  }
}
