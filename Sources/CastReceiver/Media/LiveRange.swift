import CastProtocol

/// The part of a live stream that can be sought in: a window that moves on with the stream, whether it plays or not.
/// Source: docs/protocol.md 5.1.
struct LiveRange: Hashable, Sendable {
  let window: Duration
  /// When the session began; the window then reached from 0 to its length.
  let startedAt: Duration

  /// Positions that can be played at `now`; the upper one is live.
  func positions(at now: Duration) -> ClosedRange<Duration> {
    let start = max(.zero, now - startedAt)
    return start...start + window
  }

  func json(at now: Duration) -> JSONValue {
    let positions = positions(at: now)
    return [
      "start": positions.lowerBound.json, "end": positions.upperBound.json, "isMovingWindow": true, "isLiveDone": false,
    ]
  }
}

extension MediaSession {
  /// Where the content stands: what a live stream no longer holds, or does not hold yet, cannot be shown.
  func position(at now: Duration) -> Duration {
    let position = timeline.position(at: now)
    // A player outside may be slower than the clock.
    if playback != nil, let end, position > end { return end }
    guard let range = live?.positions(at: now) else { return position }
    return min(max(position, range.lowerBound), range.upperBound)
  }

  /// Plays from the place in a live stream that can be shown, where the window has left the one it was at.
  mutating func followLive(at now: Duration) {
    let position = position(at: now)
    if live != nil, position != timeline.position(at: now) {
      timeline.move(to: position, isRunning: timeline.isRunning, at: now)
    }
  }
}
