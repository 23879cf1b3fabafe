import CastClient
import CastProtocol
import RunReporting
package import ScenarioLanguage

/// `seek`: the position is where it was asked for.
package struct Seek: DeviceVerb {
  /// Where to.
  package enum Target: Hashable, Sendable {
    /// Seconds.
    case to(Double)
    case toStart, toEnd
    /// Signed seconds from where it is.
    case by(Double)
  }

  package var target: Target
  package var then: Plan.SeekAction.Then
  package var tolerance: Duration

  package init(_ target: Target, then: Plan.SeekAction.Then = .keep, tolerance: Duration = .seconds(2)) {
    self.target = target
    self.then = then
    self.tolerance = tolerance
  }

  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    let view = device.view(scope)
    let target = try seconds(in: view)
    let resume: Bool? = then == .keep ? nil : then == .play
    let tolerance = tolerance.seconds
    // At its end the media is over, or the queue goes on with its next item: no status will show the position.
    let item = view.media?.currentItemID
    let isToEnd = view.value(of: FieldPath(["duration"]))?.number.map { target >= $0 - tolerance } ?? false
    try await device.command(
      scope, waitingFor: "the position to be \(target.decimals(1, padded: true))s",
      .seek(.init(currentTime: target, resume: resume)),
      seen: { view in
        view.position.map { "it is \($0.decimals(1, padded: true))s, \(view.player)" }
      }
    ) { view in
      if isToEnd, let media = view.media {
        if media.loadingItemID != nil || media.currentItemID != item { return true }
        if media.playerState == .idle, media.idleReason == .finished { return true }
      }
      guard let position = view.position, view.player != "buffering", view.player != "loading" else { return false }
      return abs(position - target) <= tolerance + 1e-6
    }
  }

  private func seconds(in view: StatusView) throws(StepFailure) -> Double {
    switch target {
    case .to(let seconds): return max(0, seconds)
    case .toStart: return 0
    case .toEnd:
      guard let duration = view.value(of: FieldPath(["duration"]))?.number else {
        throw StepFailure(.invalidState, "the media has no known end to seek to")
      }
      return duration
    case .by(let offset):
      // Not all apps know `relativeTime` (docs/protocol.md 4.2).
      guard let position = view.position else { throw StepFailure(.invalidState, "the position is not known") }
      return max(0, position + offset)
    }
  }
}
