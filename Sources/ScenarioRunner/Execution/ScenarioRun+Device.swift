import CastClient
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// Finding, connecting and leaving the device.
extension ScenarioRun {
  /// Finds the plan's devices and connects to them.
  /// - Parameter known: The device, where it is known already, and its name in events.
  /// - Returns: Why that failed; `nil` when all are connected.
  func findAndConnect(_ known: ChosenDevice? = nil) async -> StepFailure? {
    let failure = await stoppable { await self.reachAll(known) } ?? .cancelled
    guard let failure else { return nil }
    if let stopCause, case .interrupted = stopCause { return StepFailure(.interrupted, "interrupted") }
    exits.insert(errorClass: failure.errorClass, isConnected: devices.contains(where: \.wasConnected))
    return failure
  }

  private func reachAll(_ known: ChosenDevice?) async -> StepFailure? {
    for index in devices.indices {
      if let failure = await onDevice(index, { await find(known) }) { return failure }
    }
    for index in devices.indices {
      if let failure = await onDevice(index, { await reach() }) { return failure }
    }
    return nil
  }

  /// Finds the device that is meant.
  private func find(_ known: ChosenDevice?) async -> StepFailure? {
    if let known {
      take(known.device, called: known.name)
      return nil
    }
    let selector = target.selector
    var found: [FoundDevice]
    do {
      found = try await access.find(selector, plan.timeouts.discover)
    } catch {
      return tellNotFound(error)
    }
    guard found.count == 1, let device = found.first else {
      let failure = StepFailure(found.isEmpty ? .notFound : .ambiguous, "")
      return tellNotFound(failure, candidates: found)
    }
    let others = devices.filter { $0.device != nil }
    if let other = others.first(where: { $0.device?.isSame(as: device) == true }) {
      let failure = StepFailure(
        .ambiguous, "roles `\(other.role ?? "")` and `\(target.role ?? "")` are the same device, \(device.name)",
        help: "give each role a device of its own")
      tellDiagnostic(failure, at: selector.span)
      return failure
    }
    take(device, called: DeviceName.name(of: device, selector: selector).unique(among: others.map(\.name)))
    return nil
  }

  func take(_ device: FoundDevice, called name: String) {
    var device = device
    device.authentication = authenticationMode(nil, of: device)
    device.allowsLegacyTLS = isLegacy(device)
    device.connectTimeout = plan.timeouts.connect
    device.replyTimeout = plan.timeouts.reply
    self.device = device
    target.name = name
    // Conditions ask for them as for saved values.
    for (name, fact) in [
      ("name", device.name), ("id", device.id), ("model", device.model), ("ip", device.address.host),
    ] { target.facts["device.\(name)"] = fact.map { .string($0) } }
    target.wire = WireContext(emitter: emitter, document: plan.id, device: name)
    tellFound(device)
    if device.allowsLegacyTLS { tellLegacy(device) }
  }

  /// Whether the document says `tls: legacy` of the device, by whatever name it chose it.
  private func isLegacy(_ device: FoundDevice) -> Bool {
    let found = DiscoveredDevice(name: device.name, id: device.id, model: device.model, address: device.address)
    return target.selector.requirements.allowsLegacyTLS
      || plan.inventory.values.contains { $0.requirements.allowsLegacyTLS && $0.matches(found) }
  }

  /// Each report says that its connection is not what it should be.
  private func tellLegacy(_ device: FoundDevice) {
    let text =
      "\(device.name) may use TLS 1.0, short keys and SHA-1, as `tls: legacy` says: others may listen and meddle"
    guard toldAuthentication.insert("\(deviceName): \(text)").inserted else { return }
    let help = Diagnostic.Footer.help("leave it out unless the device connects in no other way")
    emitter.emit(
      .diagnostic, device: deviceName,
      Diagnostic(.warning, "R713", text, at: .init(target.selector.span), footers: [help]).fields)
  }

  private func reach() async -> StepFailure? {
    guard let device else { return StepFailure(.notFound, "there is no device to connect to") }
    do {
      try await openConnection(to: device)
      if configuration.joinsRunningApp { try await joinRunningApp() }
      return nil
    } catch {
      tellDiagnostic(error, at: target.selector.span)
      return error
    }
  }

  /// Joins the app that runs, whoever started it, and asks what it plays.
  private func joinRunningApp() async throws(StepFailure) {
    guard let connection, let running = lastSnapshot.receiver?.application, !running.isIdleScreen,
      let transportID = running.transportID
    else { return }
    let session = AppSession(
      appID: running.appID, sessionID: running.sessionID, transportID: transportID, isOurs: false)
    do {
      app = try await connection.resume(session, playing: nil, until: now + plan.timeouts.reply)
      guard plan.takeover == .fail else { return }
      // What plays is watched as if it were ours: another load in its place is another's.
      await catchUp()
      if let media = lastSnapshot.media, let source = lastSnapshot.mediaSource {
        loaded = LoadedMedia(source: source, mediaSessionID: media.mediaSessionID)
      }
    } catch  where error.class == .appGone || error.class == .takenOver {
      // It went while we came.
    } catch {
      throw StepFailure(error)
    }
  }

  func tellFound(_ device: FoundDevice) {
    var fields: JSONObject = ["name": .string(device.name)]
    fields["id"] = device.id.map(JSONValue.string)
    fields["model"] = device.model.map(JSONValue.string)
    fields["ip"] = .string(device.address.host)
    fields["port"] = .int(device.address.port)
    fields["via"] = .string(device.via.rawValue)
    emitter.emit(.deviceFound, device: deviceName, fields)
    guard device.via == .mdns || device.via == .hosts, let id = device.id, target.selector.id == nil,
      target.selector.host == nil, plan.devices == nil, target.selector.span.file != SourceSpan.commandLine
    else { return }
    let span = target.selector.span
    emitter.emit(
      .diagnostic,
      JSONObject(
        [
          .init("severity", "note"), .init("code", "R706"),
          .init("message", .string("matched by name only; add `id: \(id)` to survive a rename")),
        ] + span.fields.members))
  }

  /// Opens a connection and starts counting its observations; tells of it.
  func openConnection(to device: FoundDevice) async throws(StepFailure) {
    let opened: OpenedDevice
    do { opened = try await access.connect(device, wireTap) } catch { throw StepFailure(error) }
    try await adopt(opened)
  }

  var wireTap: (@Sendable (WireRecord) -> Void)? {
    guard configuration.includesWire, let wire else { return nil }
    return { wire.record($0) }
  }

  func adopt(_ opened: OpenedDevice) async throws(StepFailure) {
    if Task.isCancelled {
      await opened.connection.disconnect(abruptly: true)
      throw .cancelled
    }
    connection = opened.connection
    observed = configuration.borrowsConnection ? await opened.connection.lastObservation : 0
    // What was seen over an earlier connection is out of reach.
    target.lostStarts.formUnion(target.stepStarts.keys)
    target.stepStarts = [:]
    let index = deviceIndex
    for id in lanes.keys where lanes[id]?.actionStarts.indices.contains(index) == true {
      lanes[id]?.actionStarts[index] = 0
    }
    wasConnected = true
    wasDisconnectedByUs = false
    var fields = JSONObject()
    fields["tls"] = opened.tls.map(JSONValue.string)
    // What nobody has yet is left out, and not waited for.
    if !opened.authentication.isPending { fields["auth"] = .string(opened.authentication.verdict) }
    fields["latencyMs"] = JSONValue((opened.latency.seconds * 1000).rounded())
    if let lostAt {
      emitter.emit(.deviceBack, device: deviceName, ["after": .seconds(now - lostAt)])
      self.lostAt = nil
    }
    emitter.emit(.deviceConnected, device: deviceName, fields)
    tellAuthentication(opened.authentication)
    target.awaitsProof = opened.authentication.isPending
    lastSnapshot = await opened.connection.snapshot
    for id in lanes.keys where id >= Lane.main { lanes[id]?.linkWait?.cancel() }
  }

  /// How the device has to prove itself: as the command line says, else the step, else the inventory.
  func authenticationMode(
    _ step: Plan.DeviceRequirements.Authentication?, of device: FoundDevice?
  ) -> AuthenticationMode {
    let wanted = step ?? inventoryAuthentication(of: device)
    return configuration.authentication ?? AuthenticationMode(rawValue: wanted.rawValue) ?? .report
  }

  /// What the inventory asks of `device`, by whatever name the document chose it; of several entries the strictest counts.
  private func inventoryAuthentication(of device: FoundDevice?) -> Plan.DeviceRequirements.Authentication {
    var asked = [target.selector.requirements.authentication]
    if let device {
      let found = DiscoveredDevice(name: device.name, id: device.id, model: device.model, address: device.address)
      asked += plan.inventory.values.filter { $0.matches(found) }.map(\.requirements.authentication)
    }
    return asked.contains(.require) ? .require : asked.contains(.none) ? .none : .report
  }

  /// Tells what a proof is worth that was not there yet when the device was connected: one that does not hold is warned
  /// of, another is told in a note.
  func tellLateProof() async {
    guard target.awaitsProof, let connection else { return }
    target.awaitsProof = false
    guard let report = await connection.proof(), !Task.isCancelled else { return }
    let facts = AuthenticationFacts(report)
    tellAuthentication(facts)
    if facts.doubt != nil { return }
    let text =
      facts.hasNoProof ? "the device did not prove who it is" : "the device's proof came after it was connected"
    guard toldAuthentication.insert("\(deviceName): \(text)").inserted else { return }
    let note = Diagnostic(.note, "R704", "\(text): \(facts.verdict)", at: .init(target.selector.span))
    var fields = note.fields
    fields["auth"] = .string(facts.verdict)
    emitter.emit(.diagnostic, device: deviceName, fields)
  }

  /// Warns of a proof that does not hold, and of certificates that will not last. That a device gave no proof at all is
  /// in `device.connected`, and no warning: receivers in software have none.
  private func tellAuthentication(_ facts: AuthenticationFacts) {
    var warnings: [(text: String, help: String?)] = []
    if let problem = facts.doubt {
      warnings.append(("the device is not authenticated: \(problem)", facts.help))
    }
    for name in facts.acceptedExpired {
      warnings.append(("the expired certificate of \(name) is accepted, as the command line says", nil))
    }
    for ending in facts.endings {
      let day = UTCTime(unixSeconds: Double(ending.notAfter)).text.prefix(10)
      warnings.append(
        ("the certificate of \(ending.name) in the device's chain ends on \(day)", "`showcaller auth` shows the chain"))
    }
    for warning in warnings where toldAuthentication.insert("\(deviceName): \(warning.text)").inserted {
      let footers = warning.help.map { [Diagnostic.Footer.help($0)] } ?? []
      let diagnostic = Diagnostic(.warning, "R704", warning.text, at: .init(target.selector.span), footers: footers)
      emitter.emit(.diagnostic, device: deviceName, diagnostic.fields)
    }
  }

  /// Follows the device from now on, beside the steps.
  func startWatching() {
    let lane = Lane.watching(device: deviceIndex)
    watching = times.show.spawn {
      await Lane.$current.withValue(lane) { await self.watch() }
    }
  }

  func closeConnection(abruptly: Bool) async {
    watching?.cancel()
    await watching?.value
    watching = nil
    if let connection, !configuration.borrowsConnection { await connection.disconnect(abruptly: abruptly) }
    connection = nil
    lastSnapshot.isConnected = false
  }

  /// Leaves the device as `session.leave` says: as it was found (volume and mute back, the app we launched stopped),
  /// with our app stopped and no more, or as it is.
  /// - Parameter isLast: Else another try follows, which begins with a clean session.
  func leave(isLast: Bool = true) async {
    wire?.enter(step: nil)
    isChangingApp = true
    if let connection, lostAt == nil, interruptionCount < 2 {
      let reply = plan.timeouts.reply
      let leave = plan.session.leave
      if leave == .restore, originalVolume.level != nil || originalVolume.muted != nil {
        do {
          try await connection.setVolume(
            level: originalVolume.level, muted: originalVolume.muted, until: now + reply)
        } catch { tellLeaving("the volume could not be restored", error) }
      }
      if let app, leave == .stop || (leave == .restore || !isLast) && app.isOurs {
        do {
          try await connection.stopApp(app, until: now + reply)
        } catch { tellLeaving("the app could not be stopped", error) }
      }
      await catchUp()
      // What is left running is meant to; what could not be stopped or reached is the next run's.
      if app == nil || leave != .restore || lastSnapshot.receiver?.application?.sessionID != app?.sessionID {
        noteStarted(nil)
      }
    }
    await closeConnection(abruptly: lostAt != nil)
  }

  private func tellLeaving(_ what: String, _ error: ClientError) {
    emitter.emit(
      .diagnostic, document: plan.id, device: deviceName,
      [
        "severity": "warning", "code": .string(StepFailure(error).code),
        "message": .string("\(what): \(error.message)"),
      ])
  }

  // MARK: diagnostics

  /// Says which devices there were instead.
  /// - Parameter wanted: What was looked for; `nil`: the device that is meant.
  func tellNotFound(_ error: RunError, for wanted: Plan.DeviceSelector? = nil) -> StepFailure {
    tellNotFound(
      StepFailure(error), candidates: error.candidates, for: wanted, notes: error.notes,
      unsearched: error.isFinal ? (reason: error.message, help: error.help) : nil)
  }

  func tellNotFound(
    _ failure: StepFailure, candidates: [FoundDevice], for wanted: Plan.DeviceSelector? = nil, notes: [String] = [],
    unsearched: (reason: String, help: String?)? = nil
  ) -> StepFailure {
    if isInterrupted { return failure }
    let wanted = wanted ?? target.selector
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
        among: seen, listenFor: plan.timeouts.discover, unsearched: unsearched, notes: notes)
      {
        emitter.emit(.diagnostic, diagnostic.fields)
        var failure = failure
        failure.message = diagnostic.message
        return failure
      }
    }
    tellDiagnostic(failure, at: wanted.span)
    return failure
  }

  /// After Ctrl-C a failed search or connection says nothing about the device.
  private var isInterrupted: Bool { if case .interrupted? = stopCause { true } else { false } }

  func tellDiagnostic(_ failure: StepFailure, at span: SourceSpan) {
    guard failure.errorClass != StepFailure.cancelled.errorClass, !isInterrupted else { return }
    let footers = failure.help.map { [Diagnostic.Footer.help($0)] } ?? []
    let diagnostic = Diagnostic(.error, failure.code, failure.message, at: .init(span), footers: footers)
    emitter.emit(.diagnostic, diagnostic.fields)
  }
}
