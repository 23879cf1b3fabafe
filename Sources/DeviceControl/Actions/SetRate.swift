import CastClient
import CastProtocol
import RunReporting
import ScenarioLanguage

/// `rate`: how fast it plays.
package struct SetRate: DeviceVerb {
  package enum Target: Hashable, Sendable {
    case to(Double)
    /// Times what it is.
    case by(Double)
  }

  let target: Target

  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    let wanted: Double
    let request: MediaCommand.RateTarget
    switch target {
    case .to(let rate):
      wanted = rate
      request = .absolute(wanted)
    case .by(let factor):
      wanted = (device.view(scope).media?.playbackRate ?? 1) * factor
      request = .relative(factor)
    }
    try await device.command(
      scope, waitingFor: "the rate to be \(wanted.decimals(2))", .setPlaybackRate(request),
      seen: {
        $0.media?.playbackRate.map { "it is \($0.decimals(2))" }
      }
    ) {
      $0.media?.playbackRate.map { abs($0 - wanted) < 1e-3 } ?? false
    }
  }
}
