import CastClient
import CastProtocol
package import RunReporting
package import ScenarioLanguage

/// Finding the device, and what is reported of that.
extension DeviceSession {
  /// Finds the device.
  /// - Parameter others: The devices of the run that were found before, which it must not be.
  /// - Returns: Why it cannot be found, which was reported; `nil` where it was found.
  package func find(besides others: [DeviceSession]) async -> StepFailure? {
    let device: FoundDevice
    do throws(StepFailure) {
      device = try await find(selector, within: policies.timeouts.discover)
    } catch {
      return error
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

  /// Finds the one device that is wanted: this one, or another that has to do with it.
  /// - Throws: Why there is none, or more than one, which was reported.
  package func find(
    _ wanted: Plan.DeviceSelector, within limit: Duration
  ) async throws(StepFailure) -> FoundDevice {
    do {
      return try await access.device(wanted, within: limit)
    } catch {
      // A search that was ended says nothing.
      if Task.isCancelled { throw .cancelled }
      throw reportNotFound(error, for: wanted)
    }
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
    selector.requirements.allowsLegacyTLS
      || policies.inventory.values.contains { $0.requirements.allowsLegacyTLS && $0.fits(device) }
  }

  /// Warns, once, that others may read and change what is sent.
  private func warnOfLegacyTLS(_ device: FoundDevice) {
    let text =
      "\(device.name) may use TLS 1.0, short keys and SHA-1, as `tls: legacy` says: others may listen and meddle"
    guard isFirstReport(of: text) else { return }
    let help = Diagnostic.Footer.help("leave it out unless the device connects in no other way")
    emitter.emit(
      .diagnostic(.init(Diagnostic(.warning, .r713, text, at: .init(selector.span), footers: [help]))), device: name)
  }

  func reportFound(_ device: FoundDevice) {
    let found = EventKind.DeviceFound(
      name: device.name, id: device.id, model: device.model, address: device.address, origin: device.via)
    emitter.emit(.deviceFound(found), device: name)
    guard device.via == .mdns || device.via == .hosts, let id = device.id, selector.id == nil, selector.host == nil,
      !policies.isOneOfSeveral, selector.span.file != SourceSpan.commandLine
    else { return }
    let text = "matched by name only; add `id: \(id)` to survive a rename"
    emitter.emit(.diagnostic(.init(.note, .r706, text, at: SourcePlace(selector.span))))
  }

  // MARK: diagnostics

  /// Says which devices there were instead.
  /// - Parameter wanted: The selector that found no device, or several.
  private func reportNotFound(_ error: RunError, for wanted: Plan.DeviceSelector) -> StepFailure {
    let failure = StepFailure(error)
    if owner.isInterrupted { return failure }
    let seen = error.candidates
    let unsearched = error.isFinal ? (reason: error.message, help: error.help) : nil
    let isPlain = failure.help == nil && failure.errorClass == .notFound
    if !seen.isEmpty || isPlain || !error.notes.isEmpty {
      var selector = wanted
      // What was found under one name is ambiguous even when it would not fit the rest again.
      if failure.errorClass == .ambiguous, !seen.contains(where: selector.fits) {
        selector = Plan.DeviceSelector(span: selector.span)
      }
      if let diagnostic = selector.diagnostic(
        among: seen, listenFor: policies.timeouts.discover, unsearched: unsearched, notes: error.notes)
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
