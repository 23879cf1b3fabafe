/// One media session: content loaded by one LOAD, until it ends, fails, is stopped or replaced.
struct MediaSession: Hashable, Sendable {
  let id: Int
  /// The queue of a plain LOAD has one item.
  let itemID = 1
  let autoplay: Bool
  var media: LoadedMedia
  /// Content time; stands while a break plays and is then where content goes on.
  var timeline: PlaybackTimeline
  var activeTrackIDs: [Int]
  /// What `enableTextTracks` brings back.
  var lastTextTrackIDs: [Int] = []
  var adBreak: BreakPlayback?
  /// Whether the first status of playback, with `media` and `items`, is still to come.
  var owesMedia = true

  init(id: Int, media: LoadedMedia, autoplay: Bool, timeline: PlaybackTimeline, activeTrackIDs: [Int]) {
    self.id = id
    self.media = media
    self.autoplay = autoplay
    self.timeline = timeline
    self.activeTrackIDs = activeTrackIDs
    rememberTextTracks()
  }

  /// Whether content or the present clip moves.
  var isRunning: Bool { adBreak?.clipClock.isRunning ?? timeline.isRunning }

  mutating func rememberTextTracks() {
    let text = media.textTracks.map(\.id).filter(activeTrackIDs.contains)
    if !text.isEmpty { lastTextTrackIDs = text }
  }
}
