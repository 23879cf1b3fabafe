import CastProtocol

/// One media session: what was loaded by one LOAD or QUEUE_LOAD, until it ends, fails, is stopped or replaced.
///
/// What is not said of the queue is said of the item that is on.
struct MediaSession: Hashable, Sendable {
  let id: Int
  var queue: PlayQueue
  var media: LoadedMedia
  /// Content time; stands while a break plays and is then where content goes on.
  var timeline: PlaybackTimeline
  /// What can be sought in of a live stream; `nil` for all else, and where statuses do not tell it.
  let live: LiveRange?
  /// Where the item ends; `nil` for live streams and images without a set time.
  private(set) var end: Duration?
  var activeTrackIDs: [Int]
  /// What `enableTextTracks` brings back.
  var lastTextTrackIDs: [Int] = []
  var adBreak: BreakPlayback?
  /// The content, where a player outside has it.
  var playback: OutsidePlayback?
  /// Of the picture, where a player has told it.
  var videoSize: MediaBehavior.VideoSize?
  /// Why playback stands by itself, as a fault will have it.
  var hindrance: ReceiverStateMachine.Hindrance?
  /// The load that takes its time; nothing plays before it is done.
  var load: PendingLoad?
  /// Whether the first status of playback, with `media` and `items`, is still to come.
  var owesMedia = true
  /// The rate that the LOAD asks for.
  var givenRate: PlaybackRate?
  /// Whether playback has yet to begin.
  var owesConfirmation = true
  /// When a status follows the one that said that playback has begun.
  var confirmation: Duration?
  /// Whether a break has played.
  var hadBreak = false
  /// Whether another item of the same session was on before.
  let followsItem: Bool
  /// Whether a status has said that the next item is loaded ahead.
  var hasAnnouncedPreload = false

  /// Puts the present item of `queue` on, at `start` or where the item says; a live stream without either at its end.
  init(
    id: Int, queue: PlayQueue, start: Duration? = nil, rate: PlaybackRate, followsItem: Bool = false,
    liveWindow: Duration?, at now: Duration
  ) {
    self.id = id
    self.queue = queue
    self.followsItem = followsItem
    let item = queue.current
    media = item.media
    activeTrackIDs = item.activeTrackIDs
    live = item.media.isLive ? liveWindow.map { LiveRange(window: $0, startedAt: now) } : nil
    let given = start ?? item.startTime
    let wanted = given > .zero ? given : live?.window ?? .zero
    let position = item.media.duration.map { min($0, wanted) } ?? wanted
    end = item.end(startingAt: position)
    timeline = PlaybackTimeline(position: position, rate: rate, isRunning: false, at: now)
    rememberTextTracks()
  }

  var itemID: Int { queue.current.id }

  /// Whether content or the present clip moves.
  var isRunning: Bool { adBreak?.clipClock.isRunning ?? timeline.isRunning }

  /// The item that is loaded ahead, and the content time from which it is.
  var preload: (itemID: Int, from: Duration)? {
    guard let end, let next = queue.indexAtEnd, next != queue.index else { return nil }
    let item = queue.items[next]
    // 0 means once what plays is loaded, which it is at once.
    return item.preloadTime.map { (item.id, $0 == .zero ? .zero : max(.zero, end - $0)) }
  }

  /// Takes what a fetch told of the content.
  mutating func learn(_ outcome: MediaFetch.Outcome) {
    media.learn(outcome)
    queue.learnCurrent(outcome)
    let position = media.duration.map { min($0, timeline.anchor) } ?? timeline.anchor
    end = queue.current.end(startingAt: position)
    timeline = PlaybackTimeline(position: position, rate: timeline.rate, isRunning: false, at: .zero)
  }

  /// Takes another duration that a player has found out meanwhile.
  /// - Returns: Whether it is another one.
  mutating func revise(_ duration: Duration?) -> Bool {
    guard let duration, duration > .zero, media.category != .image else { return false }
    let known = media.duration ?? .zero
    guard duration > known + .milliseconds(500) || known > duration + .milliseconds(500) else { return false }
    media.learn(.played(duration: duration))
    queue.learnCurrent(.played(duration: duration))
    if queue.current.playbackDuration == nil { end = media.duration }
    return true
  }

  /// Takes over what senders prefer, now that the content is known; content with breaks takes nothing over, as in the SDK.
  mutating func play(preferring rate: PlaybackRate, style: JSONValue?, now: Duration) {
    queue = queue.playingCurrent
    timeline.setRate(givenRate ?? (media.breaks.isEmpty ? rate : .normal), at: now)
    if let style, media.breaks.isEmpty, media.object["textTrackStyle"] == nil { _ = media.setTextTrackStyle(style) }
  }

  mutating func rememberTextTracks() {
    let text = media.textTracks.map(\.id).filter(activeTrackIDs.contains)
    if !text.isEmpty { lastTextTrackIDs = text }
  }
}
