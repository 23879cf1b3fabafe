import CastProtocol

/// Commands on a loaded session, and its end. Source: docs/protocol.md 4.2 and 6.3.
extension MediaSessionStateMachine {
  mutating func play(at now: Duration) {
    guard let session else { return }
    self.session?.hindrance = nil
    if session.adBreak != nil {
      if session.adBreak?.playback?.isBuffering != true { self.session?.adBreak?.clipClock.setRunning(true, at: now) }
    } else if session.playback?.isBuffering == true {
      // It plays as soon as it can.
    } else if !session.timeline.isRunning {
      if startBreak(at: session.timeline.anchor, at: now) { return }
      self.session?.timeline.setRunning(true, at: now)
      confirmStart(at: now)
    }
    broadcastStatus(at: now)
  }

  mutating func pause(at now: Duration) {
    session?.hindrance = nil
    if session?.adBreak != nil {
      session?.adBreak?.playback?.isBuffering = false
      session?.adBreak?.clipClock.setRunning(false, at: now)
    } else {
      session?.playback?.isBuffering = false
      session?.timeline.setRunning(false, at: now)
      session?.confirmation = nil
    }
    broadcastStatus(at: now)
  }

  mutating func seek(_ request: JSONObject, at now: Duration) throws(Refusal) {
    guard let session else { return }
    if session.media.category == .image { throw .invalidPlayerState }
    let position = session.position(at: now)
    var target: Duration
    if behavior.takesRelativeTime, !Self.isAbsent(request["relativeTime"]) {
      guard let step = Duration(json: request["relativeTime"]) else { throw .invalidParameters }
      target = max(.zero, position + step)
    } else {
      guard let time = Duration(json: request["currentTime"]) else { throw .invalidParameters }
      target = time
    }
    let isRunning: Bool
    switch request["resumeState"] {
    case nil, .some(.null):
      isRunning = session.timeline.isRunning || session.hindrance != nil || session.playback?.isBuffering == true
    case .some(.string("PLAYBACK_START")): isRunning = true
    case .some(.string("PLAYBACK_PAUSE")): isRunning = false
    default: throw .invalidParameters
    }
    // A seek in a break, or to before the beginning, changes nothing; the answer says so.
    if session.adBreak != nil || target < .zero {
      broadcastStatus(at: now)
      return
    }
    self.session?.hindrance = nil
    self.session?.playback?.isBuffering = false
    self.session?.playback?.jumps += 1
    if let end = session.end { target = min(target, end) }
    if let range = session.live?.positions(at: now) {
      target = min(max(target, range.lowerBound), range.upperBound)
    }
    if let index = breakPassed(from: position, to: target) {
      self.session?.timeline.move(to: target, isRunning: false, at: now)
      if startBreak(index, isRunning: isRunning, at: now) { return }
    }
    self.session?.timeline.move(to: target, isRunning: isRunning, at: now)
    if let preload = session.preload, target < preload.from { self.session?.hasAnnouncedPreload = false }
    if target == session.end {
      contentEnded(isRunning: isRunning, at: now)
      return
    }
    if behavior.seekReply == .buffering { broadcastBuffering(at: now) }
    broadcastStatus(at: now)
  }

  mutating func setPlaybackRate(_ request: JSONObject, at now: Duration) throws(Refusal) {
    guard let session else { return }
    if session.media.category == .image { throw .invalidPlayerState }
    let wanted: Double?
    if Self.isAbsent(request["playbackRate"]) {
      wanted = request["relativePlaybackRate"]?.amount.map { $0 * session.timeline.rate.factor }
    } else {
      wanted = request["playbackRate"]?.amount
    }
    guard let rate = wanted.flatMap(PlaybackRate.init) else { throw .invalidParameters }
    self.session?.timeline.setRate(rate, at: now)
    (playerRate, preferredRate) = (rate, rate)
    broadcastStatus(at: now)
  }

  /// Sets the stream's volume, which is not the device's.
  mutating func setVolume(_ request: JSONObject, at now: Duration) throws(Refusal) {
    guard let volume = request["volume"]?.object else { throw .invalidParameters }
    let hasLevel = !Self.isAbsent(volume["level"])
    let hasMuted = !Self.isAbsent(volume["muted"])
    guard hasLevel || hasMuted else { throw .invalidParameters }
    if hasMuted && volume["muted"]?.flag == nil { throw .invalidParameters }
    if hasLevel {
      guard let level = volume["level"]?.amount, (0...1).contains(level) else { throw .invalidParameters }
      streamLevel = level
    }
    if let muted = volume["muted"]?.flag { isStreamMuted = muted }
    broadcastStatus(at: now)
  }

  /// Ends the session: the last status gives the reason, afterwards there is none (docs/protocol.md 4.4).
  mutating func finish(_ reason: IdleReason, at now: Duration) {
    guard var session else { return }
    session.timeline.setRunning(false, at: now)
    session.adBreak = nil
    broadcastEnd(of: session, reason, at: now)
    ended = EndedSession(queue: session.queue, at: now)
    self.session = nil
  }
}
