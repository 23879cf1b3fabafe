package import CastProtocol
import RunReporting
package import ScenarioLanguage

/// What moves between two statuses (docs/protocol.md 6.1): content time while playing, break times in a break.
extension StatusView {
  /// One value that moves evenly.
  package struct Motion: Hashable {
    var base: Double
    /// Per second of show time; 0 when it stands still.
    var rate: Double
    /// Where it stops; `nil`: nowhere.
    var end: Double?
    /// When `base` was true.
    var since: Duration

    /// When `value` is reached; `nil`: never, or it was passed before `since`.
    func time(of value: Double) -> Duration? {
      guard rate > 0, value.isFinite, value > base else { return nil }
      if let end, value > max(end, base) + 1e-6 { return nil }
      let seconds = (value - base) / rate
      guard seconds < 3_000_000_000 else { return nil }
      return since + .microseconds(Int64((seconds * 1_000_000).rounded()))
    }
  }

  private var isPlaying: Bool { media?.playerState == .playing }

  package var positionMotion: Motion? {
    guard let media, let reported = media.currentTime else { return nil }
    let carried = snapshot.carriedPosition
    let moves = isPlaying && media.breakStatus == nil
    let content = media.media ?? media.extendedMedia
    let isLive = content?.streamType == "LIVE"
    let end = isLive ? nil : content?.duration.flatMap { $0 > 0 ? $0 : nil }
    let rate = media.playbackRate ?? 1
    return Motion(
      base: carried?.seconds ?? reported, rate: moves ? rate : 0, end: end,
      since: carried?.at ?? snapshot.mediaTimeReceivedAt)
  }

  package var breakTimeMotion: Motion? { breakMotion(media?.breakStatus?.currentBreakTime, end: nil) }

  package var clipTimeMotion: Motion? {
    let clips = (media?.media ?? media?.extendedMedia)?.breakClips ?? []
    let clip = clips.first { $0.id == media?.breakStatus?.breakClipID }
    return breakMotion(media?.breakStatus?.currentBreakClipTime, end: clip?.duration.flatMap { $0 > 0 ? $0 : nil })
  }

  /// Break times run in real time although `playbackRate` says 0.
  private func breakMotion(_ time: Double?, end: Double?) -> Motion? {
    time.map { Motion(base: $0, rate: isPlaying ? 1 : 0, end: end, since: snapshot.mediaTimeReceivedAt) }
  }

  /// Content seconds at ``at``.
  package var position: Double? { isForeign ? nil : snapshot.position(at: at) }
  package var breakTime: Double? { isForeign ? nil : snapshot.breakTime(at: at) }
  package var clipTime: Double? { isForeign ? nil : snapshot.breakClipTime(at: at) }

  package var skippableAt: Double? { media?.breakStatus?.whenSkippable.flatMap { $0 >= 0 ? $0 : nil } }

  /// Whether SKIP_AD works now, by the device's own figures.
  package var isSkippable: Bool {
    guard let skippableAt, let clipTime else { return false }
    return clipTime >= skippableAt - 1e-6
  }

  /// How a field moves, and at which of its values a judgement may change; `nil` for a field that only statuses change.
  private func motion(of path: FieldPath, edges: [Double]) -> (Motion, [Double])? {
    switch path.text {
    case "position": positionMotion.map { ($0, edges) }
    case "break.time": breakTimeMotion.map { ($0, edges) }
    case "break.clip_time": clipTimeMotion.map { ($0, edges) }
    case "break.skippable": clipTimeMotion.flatMap { motion in skippableAt.map { (motion, [$0]) } }
    default: nil
    }
  }

  /// The moments after ``at`` when a condition may become true or untrue without a new status, in order.
  ///
  /// Solved exactly: `clip_time: { min: 5s }` gives the instant the clip is 5.0 s old. A moment a millisecond later
  /// follows each for bounds that exclude their own value.
  package func crossings(of condition: Condition, saved: [String: JSONValue]) -> [Duration] {
    var moments: [Duration] = []
    for leaf in condition.leaves {
      let edges = leaf.matcher.edges { ConditionJudge.value(of: $0, in: saved) }
      guard let (motion, values) = motion(of: leaf.path, edges: edges) else { continue }
      for moment in values.compactMap({ motion.time(of: $0) }) {
        moments += [moment, moment + .milliseconds(1)].filter { $0 > at }
      }
    }
    return moments.sorted()
  }

  /// Whether a condition's answer at ``at`` rests on what we reckon and not on what was said.
  package func isEstimated(_ condition: Condition) -> Bool {
    condition.leaves.contains { leaf in
      guard let (motion, _) = motion(of: leaf.path, edges: []) else { return false }
      return motion.rate != 0 && at > motion.since
    }
  }
}
