/// Where content, or an ad clip, stands: computed from one anchor, so that nothing adds up.
struct PlaybackTimeline: Hashable, Sendable {
  /// The position when the timeline was last changed.
  private(set) var anchor: Duration
  private var anchoredAt: Duration
  private(set) var rate: PlaybackRate
  private(set) var isRunning: Bool

  init(position: Duration, rate: PlaybackRate = .normal, isRunning: Bool, at now: Duration) {
    anchor = position
    anchoredAt = now
    self.rate = rate
    self.isRunning = isRunning
  }

  func position(at now: Duration) -> Duration {
    guard isRunning, now > anchoredAt else { return anchor }
    return anchor + rate.content(in: now - anchoredAt)
  }

  /// When `position` is reached; the past for one that lies behind, `nil` while the timeline stands.
  func time(reaching position: Duration) -> Duration? {
    guard isRunning else { return nil }
    return position <= anchor ? anchoredAt : anchoredAt + rate.time(for: position - anchor)
  }

  mutating func move(to position: Duration, isRunning: Bool, at now: Duration) {
    self = PlaybackTimeline(position: position, rate: rate, isRunning: isRunning, at: now)
  }

  mutating func setRunning(_ isRunning: Bool, at now: Duration) {
    move(to: position(at: now), isRunning: isRunning, at: now)
  }

  mutating func setRate(_ rate: PlaybackRate, at now: Duration) {
    self = PlaybackTimeline(position: position(at: now), rate: rate, isRunning: isRunning, at: now)
  }
}
