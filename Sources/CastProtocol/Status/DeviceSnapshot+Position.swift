/// Where playback is now, though devices do not tick. Source: docs/protocol.md 6.1.
extension DeviceSnapshot {
  /// The content position in seconds at `now`: moves with `playbackRate` while PLAYING outside a break, and stays within
  /// the content. `nil` without a media session or before it said a time.
  package func position(at now: Duration) -> Double? {
    guard let reported = $media?.value.currentTime else { return nil }
    let start = carriedPosition?.seconds ?? reported
    guard isContentMoving else { return clampedToContent(start, at: now) }
    let elapsed = Self.elapsed(since: carriedPosition?.at ?? mediaTimeReceivedAt, at: now)
    let estimate = start + ($media?.value.playbackRate ?? 1) * elapsed
    return clampedToContent(estimate.isFinite ? estimate : start, at: now)
  }

  /// Seconds since the current break clip began; `nil` outside a break.
  package func breakClipTime(at now: Duration) -> Double? {
    guard let status = $media?.value.breakStatus, let reported = status.currentBreakClipTime else { return nil }
    let clip = $media?.value.$media?.value.breakClips?.first { $0.id == status.breakClipID }
    return breakTime(from: reported, duration: clip?.duration, at: now)
  }

  /// Seconds since the current break began; `nil` outside a break.
  package func breakTime(at now: Duration) -> Double? {
    guard let status = $media?.value.breakStatus, let reported = status.currentBreakTime else { return nil }
    let adBreak = $media?.value.$media?.value.breaks?.first { $0.id == status.breakID }
    return breakTime(from: reported, duration: adBreak?.duration, at: now)
  }

  /// Whether SKIP_AD works at `now`: the clip has reached its `whenSkippable`.
  package func isSkippable(at now: Duration) -> Bool {
    guard let whenSkippable = $media?.value.breakStatus?.whenSkippable, let time = breakClipTime(at: now) else {
      return false
    }
    return time >= whenSkippable
  }

  /// Content stands still in a break, whatever its rate says, and whenever the player does not play.
  private var isContentMoving: Bool {
    guard let media = $media else { return false }
    return media.value.playerState == .playing && media.value.breakStatus == nil && media.value.playbackRate != 0
  }

  /// Break times move with real time while PLAYING; the `playbackRate` of 0 that goes with a break is not theirs.
  private func breakTime(from reported: Double, duration: Double?, at now: Duration) -> Double {
    let isMoving = $media?.value.playerState == .playing
    let time = reported + (isMoving ? Self.elapsed(since: mediaTimeReceivedAt, at: now) : 0)
    return max(0, min(time, duration.flatMap { $0 > 0 ? $0 : nil } ?? time))
  }

  /// `time` between 0 and the end: that of the content, for live that of the seekable range.
  private func clampedToContent(_ time: Double, at now: Duration) -> Double {
    var end = $media?.value.$media?.value.duration.flatMap { $0 > 0 ? $0 : nil }
    if end == nil, let range = $media?.value.liveSeekableRange, let rangeEnd = range.end, rangeEnd > 0 {
      let growth = range.isLiveDone == true ? 0 : Self.elapsed(since: liveRangeReceivedAt, at: now)
      end = rangeEnd + growth
    }
    return max(0, min(time, end ?? time))
  }

  /// Seconds from `start` to `now`, never less than none.
  private static func elapsed(since start: Duration, at now: Duration) -> Double {
    max(0, (now - start).seconds)
  }
}
