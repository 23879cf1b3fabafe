import CastClient
import CastProtocol
import RunReporting
import ScenarioLanguage

/// `skip_ad`: the clip of an ad break that plays is over.
struct SkipAd: DeviceVerb {
  /// Whether it is asked of the app although the clip cannot be skipped by its own figures.
  let isForced: Bool

  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    let view = device.view(scope)
    guard let state = view.media?.breakStatus else { throw StepFailure(.invalidState, "no ad break is playing") }
    if !isForced, !view.isSkippable {
      let when = view.skippableAt.map { "from \($0.decimals(1))s on" } ?? "never"
      let force = device.policies.cures == .documents ? "skip_ad: { force: true }" : "--force"
      throw StepFailure(
        .refusedLocally, "the clip can be skipped \(when)", help: "`\(force)` sends it all the same")
    }
    try await device.command(scope.until(Self.limit(view, scope)), waitingFor: "the clip to be over", .skipAd) { view in
      let now = view.media?.breakStatus
      return now == nil || now?.breakClipID != state.breakClipID || now?.breakID != state.breakID
    }
  }

  /// How long before its own end a clip must be over to have been skipped.
  private static let margin = Duration.milliseconds(500)
  /// How long the device has all the same, where the clip is about to end.
  private static let least = Duration.seconds(1)

  /// Until when the clip must be over: one that plays to its end was not skipped.
  private static func limit(_ view: StatusView, _ scope: ActionScope) -> Duration {
    guard let motion = view.clipTimeMotion, let end = motion.end.flatMap(motion.time) else { return scope.deadline }
    return min(scope.deadline, max(view.at + least, end - margin))
  }
}
