import CastProtocol
import ScenarioLanguage
import Signage
import WebClient

/// Asks the servers of a served playlist's media for their certificates, now and then: one that ends makes screens dark.
struct CertificateChecks {
  private static let limit = Duration.seconds(20)
  private static let atOnce = 4

  let outside: ServedOutside
  let web: SecretWeb

  /// Asks until the task is cancelled.
  func follow(on clock: TimeSource) async {
    var due: [String: Duration] = [:]
    /// What is told of an origin.
    var known: [String: String] = [:]
    repeat {
      let program = outside.program
      let origins = origins(of: program.plan)
      for (gone, authority) in known where !origins.contains(where: { $0.origin == gone }) {
        (due[gone], known[gone]) = (nil, nil)
        // What nothing is fetched from any more is nobody's business.
        outside.note(Incident(.certificateEnds, authority), nil)
      }
      for origin in origins { known[origin.origin] = origin.authority }
      let asked = origins.filter { due[$0.origin] ?? .zero <= clock.now }
      for origin in asked { due[origin.origin] = clock.now + CertificateRule.interval }
      await ask(asked, program)
    } while (try? await clock.sleep(for: .seconds(5))) != nil
  }

  private func ask(_ origins: [SecretWeb.Place], _ program: Program) async {
    await withTaskGroup(of: Void.self) { group in
      for (index, origin) in origins.enumerated() {
        if index >= Self.atOnce { await group.next() }
        group.addTask { await ask(origin, program) }
      }
    }
  }

  private func ask(_ origin: SecretWeb.Place, _ program: Program) async {
    // A server that cannot be reached, or has other troubles, says nothing of its certificate.
    guard let certificate = await web.certificate(of: origin, within: Self.limit) else { return }
    let complaint = CertificateRule.complaint(
      validTo: certificate.validTo, problem: certificate.problem, at: outside.now, in: program.zone)
    let incident = Incident(.certificateEnds, origin.authority)
    if outside.note(incident, complaint), let complaint {
      Terminal.say(
        "warning: \(TerminalText.escaped("the certificate of \(origin.authority): \(complaint)"))")
    }
  }

  /// The servers that speak TLS, each with one of its addresses.
  private func origins(of plan: PlaylistPlan) -> [SecretWeb.Place] {
    var seen: Set<String> = []
    let places = plan.webAddresses.compactMap { try? web.place($0) }
    return Array(
      places.filter { $0.isSecure && seen.insert($0.origin).inserted }.prefix(CertificateRule.mostOrigins))
  }
}
