import CastProtocol

/// Ad breaks and whatever else happens by itself as time passes. Source: docs/protocol.md 6.1 and 6.5.
extension MediaSessionStateMachine {
  private enum Due {
    case loaded
    case adBreak(Int)
    case preload
    case confirmation
    case contentEnd
    case skippable
    case tick
    case clipEnd
    case playerLost
  }

  /// When something happens next without a request.
  var nextDeadline: Duration? { [nextDue?.time, idleExit.deadline].compactMap { $0 }.min() }

  /// Takes note of whether anything plays; the app ends itself when nothing does for long.
  mutating func noteIdle(at now: Duration) {
    let isPaused = session.map { $0.load == nil && !$0.isRunning }
    idleExit.note(session == nil ? .empty : isPaused == true ? .paused : nil, at: now)
  }

  private var nextDue: (time: Duration, event: Due)? {
    let own = nextOwnDue
    guard let loss = playerLoss else { return own }
    if let own, own.time <= loss { return own }
    return (loss, .playerLost)
  }

  private var nextOwnDue: (time: Duration, event: Due)? {
    guard let session else { return nil }
    if let load = session.load { return (load.due, .loaded) }
    if let adBreak = session.adBreak, let clip = adBreak.clip {
      var next: (position: Duration, event: Due) = (clip.duration, .clipEnd)
      if behavior.ticksInBreaks, adBreak.nextTick < next.position { next = (adBreak.nextTick, .tick) }
      if let whenSkippable = clip.whenSkippable, !adBreak.hasAnnouncedSkip, whenSkippable < clip.duration,
        whenSkippable <= next.position
      {
        next = (whenSkippable, .skippable)
      }
      // The player outside says itself when a clip is over.
      if case .clipEnd = next.event, adBreak.playback != nil { return nil }
      return adBreak.clipClock.time(reaching: next.position).map { ($0, next.event) }
    }
    let content = nextContentDue(in: session)
    if let confirmation = session.confirmation, content.map({ confirmation <= $0.time }) ?? true {
      return (confirmation, .confirmation)
    }
    guard !session.hasAnnouncedPreload, let preload = session.preload,
      let time = session.timeline.time(reaching: preload.from), content.map({ time <= $0.time }) ?? true
    else { return content }
    return (time, .preload)
  }

  /// The next break of the content, or its end.
  private func nextContentDue(in session: MediaSession) -> (time: Duration, event: Due)? {
    let from = session.timeline.anchor
    let index = session.media.breaks.firstIndex { adBreak in
      guard !adBreak.isWatched, let position = adBreak.position else { return false }
      return position >= from && session.end.map { position < $0 } ?? true
    }
    if let index, let position = session.media.breaks[index].position {
      return session.timeline.time(reaching: position).map { ($0, .adBreak(index)) }
    }
    // A player outside says itself when all of the content is over.
    if session.playback != nil, session.end == session.media.duration { return nil }
    return session.end.flatMap(session.timeline.time(reaching:)).map { ($0, .contentEnd) }
  }

  /// Does what is due by `now`, each thing at its own time.
  ///
  /// Ends: each step uses up a break, a clip, a cue, or an item, of which only so many follow each other at once.
  mutating func performDue(at now: Duration) {
    defer { caughtUp = max(caughtUp, now) }
    session?.followLive(at: now)
    while let due = nextDue, due.time <= now {
      switch due.event {
      case .loaded: endLoad(at: due.time)
      case .adBreak(let index):
        guard let position = session?.media.breaks[index].position else { return }
        session?.timeline.move(to: position, isRunning: true, at: due.time)
        _ = startBreak(index, isRunning: true, at: due.time)
      case .preload:
        session?.hasAnnouncedPreload = true
        // A change of the queue can make it due at a time that is over.
        broadcastStatus(at: max(due.time, caughtUp))
      case .contentEnd: contentEnded(isRunning: true, at: due.time)
      case .confirmation:
        session?.confirmation = nil
        broadcastStatus(at: max(due.time, caughtUp))
      case .skippable:
        session?.adBreak?.hasAnnouncedSkip = true
        session?.adBreak?.noteTick(at: due.time)
        broadcastStatus(at: due.time)
      case .tick:
        session?.adBreak?.noteTick(at: due.time)
        broadcastStatus(at: due.time)
      case .clipEnd: endClip(at: due.time)
      case .playerLost: losePlayer(at: max(due.time, caughtUp))
      }
    }
  }

  /// Starts the first unwatched break exactly at `position`, if there is one to play.
  mutating func startBreak(at position: Duration, at now: Duration) -> Bool {
    guard let breaks = session?.media.breaks else { return false }
    for index in breaks.indices where !breaks[index].isWatched && breaks[index].position == position {
      if startBreak(index, isRunning: true, at: now) { return true }
    }
    return false
  }

  /// Plays a break; content stands where the timeline is and goes on from there.
  /// - Returns: False when none of its clips can be played; it then counts as watched.
  mutating func startBreak(_ index: Int, isRunning: Bool, at now: Duration) -> Bool {
    guard let session, session.media.breaks.indices.contains(index) else { return false }
    let adBreak = session.media.breaks[index]
    self.session?.media.breaks[index].isWatched = true
    for clip in adBreak.clips where !clip.isPlayable {
      tellEveryone(["type": "ERROR", "detailedErrorCode": 104])
    }
    let clips = adBreak.clips.filter(\.isPlayable)
    if clips.isEmpty { return false }
    self.session?.timeline.setRunning(false, at: now)
    self.session?.confirmation = nil
    self.session?.owesConfirmation = false
    self.session?.adBreak = BreakPlayback(
      breakID: adBreak.id, isEmbedded: adBreak.isEmbedded, clips: clips[...],
      clipClock: PlaybackTimeline(position: .zero, isRunning: isRunning, at: now))
    announceClip(at: now)
    return true
  }

  /// The unwatched break that a seek must play first: the nearest before the target.
  func breakPassed(from position: Duration, to target: Duration) -> Int? {
    guard let session, target > position else { return nil }
    return session.media.breaks.lastIndex { adBreak in
      guard !adBreak.isWatched, let end = adBreak.position ?? session.end else { return false }
      return position <= end && end <= target && adBreak.clips.contains(where: \.isPlayable)
    }
  }

  mutating func skipAd(at now: Duration) throws(Refusal) {
    guard let adBreak = session?.adBreak else { throw .notInBreak }
    guard adBreak.canSkip(at: now) else { throw .invalidRequest }
    if session?.hindrance != nil {
      // A command ends what makes playback stand.
      session?.hindrance = nil
      session?.adBreak?.clipClock.setRunning(true, at: now)
    }
    // The answer still shows the clip.
    broadcastStatus(at: now)
    endClip(at: now)
  }

  /// Goes on with the next clip, or with content.
  mutating func endClip(at now: Duration) {
    guard var adBreak = session?.adBreak else { return }
    let isRunning = adBreak.isWanted
    adBreak.playback = nil
    adBreak.clipStart += adBreak.clipClock.position(at: now)
    adBreak.clips = adBreak.clips.dropFirst()
    adBreak.hasAnnouncedSkip = false
    adBreak.nextTick = .seconds(1)
    adBreak.clipClock.move(to: .zero, isRunning: isRunning, at: now)
    if adBreak.clips.isEmpty {
      endBreak(isRunning: isRunning, at: now)
    } else {
      session?.adBreak = adBreak
      announceClip(at: now)
    }
  }

  private mutating func endBreak(isRunning: Bool, at now: Duration) {
    session?.adBreak = nil
    session?.hadBreak = true
    guard let session else { return }
    let position = session.timeline.anchor
    if position == session.end {
      contentEnded(isRunning: isRunning, at: now)
    } else if !(isRunning && startBreak(at: position, at: now)) {
      self.session?.timeline.setRunning(isRunning, at: now)
      broadcastStatus(at: now)
    }
  }

  private mutating func announceClip(at now: Duration) {
    playClipOutside(at: now)
    guard let adBreak = session?.adBreak else { return }
    // A clip that can be skipped at once needs no cue.
    if adBreak.clip?.whenSkippable == .zero { session?.adBreak?.hasAnnouncedSkip = true }
    let isPreroll = session?.owesMedia == true
    if adBreak.playback?.isBuffering == true {
      // The player outside says when it plays.
      return broadcastStatus(at: now)
    }
    if !adBreak.isEmbedded { broadcastBuffering(at: now) }
    broadcastStatus(at: now)
    // Once the clip's own file is there.
    if behavior.ticksInBreaks, isPreroll { broadcastStatus(Parts(media: true), at: now) }
  }

  /// Plays the post-roll that is left, else goes on to the next item or ends the session.
  mutating func contentEnded(isRunning: Bool, at now: Duration) {
    guard let session, let end = session.end else { return }
    self.session?.timeline.move(to: end, isRunning: false, at: now)
    for index in session.media.breaks.indices
    where session.media.breaks[index].position == nil && !session.media.breaks[index].isWatched {
      if startBreak(index, isRunning: isRunning, at: now) { return }
    }
    itemEnded(at: now)
  }
}
