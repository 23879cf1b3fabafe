/// A break that plays. Content stands still meanwhile.
struct BreakPlayback: Hashable, Sendable {
  let breakID: String
  let isEmbedded: Bool
  /// What is left to play; the first is on. Never empty.
  var clips: ArraySlice<AdBreak.Clip>
  /// Time in the present clip; runs at normal speed whatever the content's rate.
  var clipClock: PlaybackTimeline
  /// Break time when the present clip began.
  var clipStart = Duration.zero
  /// Whether a status has said that the clip can now be skipped.
  var hasAnnouncedSkip = false

  /// The clip time of the next status that comes by itself.
  var nextTick = Duration.seconds(1)

  /// The present clip, where a player outside has it.
  var playback: OutsidePlayback?
  /// How many clips the break has in all.
  let count: Int

  init(breakID: String, isEmbedded: Bool, clips: ArraySlice<AdBreak.Clip>, clipClock: PlaybackTimeline) {
    self.breakID = breakID
    self.isEmbedded = isEmbedded
    self.clips = clips
    self.clipClock = clipClock
    count = clips.count
  }

  var clip: AdBreak.Clip? { clips.first }

  /// Whether the clip plays, or will when its data are there.
  var isWanted: Bool { clipClock.isRunning || playback?.isBuffering == true }

  /// Takes what a player found out about the present clip.
  mutating func setDuration(_ duration: Duration) {
    if !clips.isEmpty { clips[clips.startIndex].duration = duration }
  }

  /// A status was sent; the next one by itself follows at a whole second.
  mutating func noteTick(at now: Duration) {
    nextTick = .seconds(clipClock.position(at: now).components.seconds + 1)
  }

  func canSkip(at now: Duration) -> Bool {
    guard let whenSkippable = clip?.whenSkippable else { return false }
    return clipClock.position(at: now) >= whenSkippable
  }
}
