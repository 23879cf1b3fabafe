import CastClient
import CastProtocol
import RunReporting
import ScenarioLanguage

/// What the device is asked for a proof, and what is reported of it.
extension DeviceSession {
  /// How the device has to prove itself: as the command line says, else the step, else the inventory.
  func authenticationMode(
    _ step: Plan.DeviceRequirements.Authentication?, of device: FoundDevice?
  ) -> AuthenticationMode {
    let wanted = step ?? inventoryAuthentication(of: device)
    return policies.authentication ?? AuthenticationMode(wanted)
  }

  /// What the inventory asks of `device`, by whatever name the document chose it; of several entries the strictest counts.
  private func inventoryAuthentication(of device: FoundDevice?) -> Plan.DeviceRequirements.Authentication {
    var asked = [selector.requirements.authentication]
    if let device {
      asked += policies.inventory.values.filter { $0.fits(device) }.map(\.requirements.authentication)
    }
    return [.pin, .require, .none].first(where: asked.contains) ?? .report
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
    var note = EventKind.Problem(.note, .r704, "\(text): \(facts.verdict.rawValue)", at: SourcePlace(selector.span))
    note.authentication = .known(facts.verdict)
    emitter.emit(.diagnostic(note), device: name)
  }

  /// Warns of a proof that does not hold, and of certificates that will not last. That a device gave no proof at all is
  /// in `device.connected`, and no warning: receivers in software have none.
  func reportAuthentication(_ facts: AuthenticationFacts) {
    var warnings: [(text: String, help: String?)] = []
    if let problem = facts.doubt {
      warnings.append(("the device is not authenticated: \(problem)", facts.help))
    }
    for note in facts.keyNotes { reportKey(note) }
    for certificate in facts.acceptedExpired {
      warnings.append(("the expired certificate of \(certificate) is accepted, as the command line says", nil))
    }
    for ending in facts.endings {
      let day = UTCTime(unixSeconds: Double(ending.notAfter)).text.prefix(10)
      warnings.append(
        ("the certificate of \(ending.name) in the device's chain ends on \(day)", "`showcaller auth` shows the chain"))
    }
    for warning in warnings where isFirstReport(of: warning.text) {
      emitter.emit(.diagnostic(problem(warning.text, warning.help)), device: name)
    }
  }

  private func reportKey(_ note: AuthenticationFacts.KeyNote) {
    guard isFirstReport(of: note.text) else { return }
    var problem = problem(note.text, note.help)
    if note.isUnpinned { problem.isUnpinned = true }
    emitter.emit(.diagnostic(problem), device: name)
  }

  private func problem(_ text: String, _ help: String?) -> EventKind.Problem {
    let footers = help.map { [Diagnostic.Footer.help($0)] } ?? []
    return .init(Diagnostic(.warning, .r704, text, at: .init(selector.span), footers: footers))
  }
}
