import CastProtocol
package import RunReporting
import ScenarioLanguage

/// Keeping other runs off the device.
extension DeviceSession {
  /// Keeps the devices of these sessions, which share a hold, for them alone; all at once, before any is connected to.
  /// - Returns: Why that failed; it was told.
  package static func hold(_ sessions: [DeviceSession]) async -> StepFailure? {
    let found = sessions.compactMap { session in session.device.map { (session, $0) } }
    guard let first = found.first?.0 else { return nil }
    let names = found.map(\.0.name)
    let refusal = await first.policies.hold.lock(found.map(\.1), called: names, on: first.times.network) { text in
      first.emitter.emit(.log(.init(text)), device: first.name)
    }
    guard let refusal else { return nil }
    let session = found[refusal.device].0
    await session.reportDiagnostic(refusal.failure, at: session.selector.span)
    return refusal.failure
  }
}
