import CastClient
import CastProtocol
package import RunReporting
package import ScenarioLanguage

/// Finding, connecting, regaining and leaving the device.
extension DeviceSession {
  /// Finds the device.
  /// - Parameter others: The devices of the run that were found before, which it must not be.
  /// - Returns: Why it cannot be found, which was reported; `nil` where it was found.
  package func find(besides others: [DeviceSession]) async -> StepFailure? {
    let found: [FoundDevice]
    do {
      found = try await access.find(selector, policies.timeouts.discover)
    } catch {
      return reportNotFound(error, for: selector)
    }
    guard found.count == 1, let device = found.first else {
      let failure = StepFailure(found.isEmpty ? .notFound : .ambiguous, "")
      return reportNotFound(failure, candidates: found, for: selector)
    }
    let others = others.filter { $0.device != nil }
    if let other = others.first(where: { $0.device?.isSame(as: device) == true }) {
      let failure = StepFailure(
        .ambiguous, "roles `\(other.role ?? "")` and `\(role ?? "")` are the same device, \(device.name)",
        help: "give each role a device of its own")
      reportDiagnostic(failure, at: selector.span)
      return failure
    }
    use(device, called: DeviceName.name(of: device, selector: selector).unique(among: others.map(\.name)))
    return nil
  }

  /// Takes a device that was found.
  /// - Parameter name: How events call it.
  package func use(_ device: FoundDevice, called name: String) {
    var device = device
    device.authentication = authenticationMode(nil, of: device)
    device.allowsLegacyTLS = isLegacy(device)
    device.connectTimeout = policies.timeouts.connect
    device.replyTimeout = policies.timeouts.reply
    setDevice(device, as: name, wire: WireContext(emitter: emitter, document: policies.document, device: name))
    reportFound(device)
    if device.allowsLegacyTLS { warnOfLegacyTLS(device) }
  }

  /// Whether the document says `tls: legacy` of the device, by whatever name it chose it.
  private func isLegacy(_ device: FoundDevice) -> Bool {
    let found = DiscoveredDevice(name: device.name, id: device.id, model: device.model, address: device.address)
    return selector.requirements.allowsLegacyTLS
      || policies.inventory.values.contains { $0.requirements.allowsLegacyTLS && $0.matches(found) }
  }

  /// Warns, once, that others may read and change what is sent.
  private func warnOfLegacyTLS(_ device: FoundDevice) {
    let text =
      "\(device.name) may use TLS 1.0, short keys and SHA-1, as `tls: legacy` says: others may listen and meddle"
    guard isFirstReport(of: text) else { return }
    let help = Diagnostic.Footer.help("leave it out unless the device connects in no other way")
    emitter.emit(
      .diagnostic(.init(Diagnostic(.warning, "R713", text, at: .init(selector.span), footers: [help]))), device: name)
  }

  /// Keeps the devices of these sessions, which share a hold, for them alone; all at once, before any is connected to.
  /// - Returns: Why that failed; it was told.
  package static func hold(_ sessions: [DeviceSession]) async -> StepFailure? {
    let found = sessions.compactMap { session in session.device.map { (session, $0) } }
    guard let first = found.first?.0 else { return nil }
    let refusal = await first.policies.hold.take(found.map(\.1), on: first.times.network) { text in
      first.emitter.emit(.log, device: first.name, ["text": .string(text)])
    }
    guard let refusal else { return nil }
    let session = found[refusal.device].0
    await session.reportDiagnostic(refusal.failure, at: session.selector.span)
    return refusal.failure
  }

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

  func reportFound(_ device: FoundDevice) {
    let found = EventKind.DeviceFound(
      name: device.name, id: device.id, model: device.model, address: device.address, origin: device.via)
    emitter.emit(.deviceFound(found), device: name)
    guard device.via == .mdns || device.via == .hosts, let id = device.id, selector.id == nil, selector.host == nil,
      !policies.isOneOfSeveral, selector.span.file != SourceSpan.commandLine
    else { return }
    let text = "matched by name only; add `id: \(id)` to survive a rename"
    emitter.emit(.diagnostic(.init(.note, "R706", text, at: SourcePlace(selector.span))))
  }

  // MARK: connecting

  private var wireTap: (@Sendable (WireRecord) -> Void)? {
    guard policies.includesWire, let wire else { return nil }
    return { wire.record($0) }
  }

  /// Opens a connection, starts counting its observations, and reports it.
  package func open(_ device: FoundDevice) async throws(StepFailure) {
    try policies.hold.takeAtOnce(device)
    let opened: OpenedDevice
    do { opened = try await access.connect(device, wireTap) } catch { throw StepFailure(error) }
    try await establish(opened)
  }

  private func establish(_ opened: OpenedDevice) async throws(StepFailure) {
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

  // MARK: authentication

  /// How the device has to prove itself: as the command line says, else the step, else the inventory.
  func authenticationMode(
    _ step: Plan.DeviceRequirements.Authentication?, of device: FoundDevice?
  ) -> AuthenticationMode {
    let wanted = step ?? inventoryAuthentication(of: device)
    return policies.authentication ?? AuthenticationMode(rawValue: wanted.rawValue) ?? .report
  }

  /// What the inventory asks of `device`, by whatever name the document chose it; of several entries the strictest counts.
  private func inventoryAuthentication(of device: FoundDevice?) -> Plan.DeviceRequirements.Authentication {
    var asked = [selector.requirements.authentication]
    if let device {
      let found = DiscoveredDevice(name: device.name, id: device.id, model: device.model, address: device.address)
      asked += policies.inventory.values.filter { $0.matches(found) }.map(\.requirements.authentication)
    }
    return asked.contains(.require) ? .require : asked.contains(.none) ? .none : .report
  }

  /// Reports a proof that came after the device was connected: with a warning where it does not hold, else with a note.
  func reportLateProof() async {
    guard link.connection != nil, endWaitForProof(), let connection = link.connection else { return }
    guard let report = await connection.proof(), !Task.isCancelled else { return }
    let facts = AuthenticationFacts(report)
    reportAuthentication(facts)
    if facts.doubt != nil { return }
    let text =
      facts.hasNoProof ? "the device did not prove who it is" : "the device's proof came after it was connected"
    guard isFirstReport(of: text) else { return }
    var note = EventKind.Problem(.note, "R704", "\(text): \(facts.verdict.rawValue)", at: SourcePlace(selector.span))
    note.authentication = .known(facts.verdict)
    emitter.emit(.diagnostic(note), device: name)
  }

  /// Warns of a proof that does not hold, and of certificates that will not last. That a device gave no proof at all is
  /// in `device.connected`, and no warning: receivers in software have none.
  private func reportAuthentication(_ facts: AuthenticationFacts) {
    var warnings: [(text: String, help: String?)] = []
    if let problem = facts.doubt {
      warnings.append(("the device is not authenticated: \(problem)", facts.help))
    }
    for certificate in facts.acceptedExpired {
      warnings.append(("the expired certificate of \(certificate) is accepted, as the command line says", nil))
    }
    for ending in facts.endings {
      let day = UTCTime(unixSeconds: Double(ending.notAfter)).text.prefix(10)
      warnings.append(
        ("the certificate of \(ending.name) in the device's chain ends on \(day)", "`showcaller auth` shows the chain"))
    }
    for warning in warnings where isFirstReport(of: warning.text) {
      let footers = warning.help.map { [Diagnostic.Footer.help($0)] } ?? []
      let diagnostic = Diagnostic(.warning, "R704", warning.text, at: .init(selector.span), footers: footers)
      emitter.emit(.diagnostic(.init(diagnostic)), device: name)
    }
  }

  // MARK: leaving

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
      let original = own.originalVolume
      if policies.leave == .restore, original.level != nil || original.muted != nil {
        do {
          try await connection.setVolume(level: original.level, muted: original.muted, until: now + reply)
        } catch { reportLeaving("the volume could not be restored", error) }
      }
      if let app = own.session,
        policies.leave == .stop || (policies.leave == .restore || !isLast) && app.isOurs
      {
        do {
          try await connection.stopApp(app, until: now + reply)
        } catch { reportLeaving("the app could not be stopped", error) }
      }
      await catchUp()
      // An app that still runs by our policy is to stay. One that could not be stopped stays recorded for the next run.
      let app = own.session
      if app == nil || policies.leave != .restore || link.snapshot.receiver?.application?.sessionID != app?.sessionID {
        recordLaunch(nil)
      }
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

  // MARK: regaining

  /// How long one try may look for the device's address.
  private static let resolvingTime = Duration.seconds(2)

  /// Reaches a device that is lost or was let go of; `deadline` bounds all tries.
  package func makeReachable(until deadline: Duration) async throws(StepFailure) {
    if link.lostAt == nil { try await reconnect(until: deadline) } else { try await regain(until: deadline) }
  }

  /// Connects again, once, and takes up the app that was ours, if it still runs.
  func reconnect(until deadline: Duration) async throws(StepFailure) {
    guard let device else { throw StepFailure(.invalidState, "there is no device to connect to") }
    await close(abruptly: true)
    try await open(device)
    try await resume(until: deadline)
  }

  /// Tries to reach a lost device again until `deadline`, at its address of then, as docs/design.md 4 says.
  private func regain(until deadline: Duration) async throws(StepFailure) {
    guard let device else { throw StepFailure(.invalidState, "there is no device to connect to") }
    await close(abruptly: true)
    let (access, tap, network) = (access, wireTap, times.network)
    let reconnection = Reconnection(
      times: times, random: random, sighting: { await access.sighting(of: device, on: network) })
    let found: (opened: OpenedDevice, address: HostAndPort)
    do {
      found = try await reconnection.run(until: deadline) { () throws(ClientError) in
        var moved = device
        // Without a newer address it is tried at the old one.
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
      var moved = device
      moved.address = found.address
      setDevice(moved)
      reportFound(moved)
    }
    try await establish(found.opened)
    try await resume(until: deadline)
  }

  /// Looks for our app over a new connection: goes on with it, or records that it is gone or another sender's.
  private func resume(until deadline: Duration) async throws(StepFailure) {
    await catchUp()
    // A device may end an app with the connection of its last sender: that fails the next step that needs the app.
    endWaitForReplacement()
    startWatching()
    guard let before = own.session, let connection = link.connection else { return }
    changeOwn { $0.beginChange() }
    defer { changeOwn { $0.endChange() } }
    do {
      let session = try await connection.resume(before, playing: own.loaded?.mediaSessionID, until: deadline)
      changeOwn { $0.resume(session) }
      await catchUp()
    } catch  where error.class == .appGone {
      changeOwn { $0.recordLoss(StepFailure(.appGone, "the app was no longer running after the reconnect")) }
    } catch  where error.class == .takenOver {
      changeOwn { $0.forget() }
      owner.isTakenOver(changeOwn { $0.takenOver(StepFailure(error)) })
    } catch {
      throw StepFailure(error)
    }
  }

  // MARK: diagnostics

  /// Says which devices there were instead.
  /// - Parameter wanted: The selector that found no device, or several.
  package func reportNotFound(_ error: RunError, for wanted: Plan.DeviceSelector) -> StepFailure {
    reportNotFound(
      StepFailure(error), candidates: error.candidates, for: wanted, notes: error.notes,
      unsearched: error.isFinal ? (reason: error.message, help: error.help) : nil)
  }

  package func reportNotFound(
    _ failure: StepFailure, candidates: [FoundDevice], for wanted: Plan.DeviceSelector, notes: [String] = [],
    unsearched: (reason: String, help: String?)? = nil
  ) -> StepFailure {
    if owner.isInterrupted { return failure }
    let seen = candidates.map {
      DiscoveredDevice(name: $0.name, id: $0.id, model: $0.model, address: $0.address)
    }
    let isPlain = failure.help == nil && failure.errorClass == .notFound
    if !seen.isEmpty || isPlain || !notes.isEmpty {
      var selector = wanted
      // What was found under one name is ambiguous even when it would not fit the rest again.
      if failure.errorClass == .ambiguous, !seen.contains(where: selector.matches) {
        selector = Plan.DeviceSelector(span: selector.span)
      }
      if let diagnostic = selector.diagnostic(
        among: seen, listenFor: policies.timeouts.discover, unsearched: unsearched, notes: notes)
      {
        emitter.emit(.diagnostic(.init(diagnostic)))
        var failure = failure
        failure.message = diagnostic.message
        return failure
      }
    }
    reportDiagnostic(failure, at: wanted.span)
    return failure
  }

  package func reportDiagnostic(_ failure: StepFailure, at span: SourceSpan) {
    // After Ctrl-C a failed search or connection says nothing about the device.
    guard failure.errorClass != .cancelled, !owner.isInterrupted else { return }
    let footers = failure.help.map { [Diagnostic.Footer.help($0)] } ?? []
    let diagnostic = Diagnostic(.error, failure.code, failure.message, at: .init(span), footers: footers)
    emitter.emit(.diagnostic(.init(diagnostic)))
  }
}
