import CastProtocol

/// Clips of ad breaks that the player outside plays. Source: docs/design.md 10.1.
extension MediaSessionStateMachine {
  /// Begins to play a clip outside; it counts from when the player says that it plays.
  mutating func playClipOutside(at now: Duration) {
    guard player != nil, session?.adBreak?.clip?.address != nil else { return }
    session?.adBreak?.playback = player?.nextPlayback(at: now)
    guard session?.adBreak?.clipClock.isRunning == true else { return }
    session?.adBreak?.clipClock.setRunning(false, at: now)
    session?.adBreak?.playback?.isBuffering = true
  }

  mutating func receive(_ report: PlayerReport, ofClipOf session: MediaSession, at now: Duration) {
    guard let adBreak = session.adBreak else { return }
    self.session?.adBreak?.playback?.heard = now
    if case .failed = report.state {
      // BREAK_CLIP_LOADING_ERROR: the content goes on.
      tellEveryone(["type": "ERROR", "detailedErrorCode": 901, "itemId": .int(session.itemID)])
      self.session?.adBreak?.playback?.isBuffering = false
      self.session?.adBreak?.clipClock.setRunning(adBreak.isWanted, at: now)
      endClip(at: now)
      return
    }
    guard report.order == adBreak.playback?.order else { return }
    if let duration = report.duration, duration > .zero { self.session?.adBreak?.setDuration(duration) }
    let position = min(report.position, self.session?.adBreak?.clip?.duration ?? .zero)
    if report.state == .ended {
      self.session?.adBreak?.clipClock.move(to: position, isRunning: true, at: now)
      endClip(at: now)
      return
    }
    let before = session.playerState
    let waits = report.state == .waiting || report.state == .loading && adBreak.playback?.isWanted == true
    self.session?.adBreak?.playback?.isBuffering = waits
    if report.state == .loading {
      self.session?.adBreak?.clipClock.setRunning(false, at: now)
    } else {
      self.session?.adBreak?.clipClock.move(to: position, isRunning: report.state == .playing, at: now)
    }
    if before != self.session?.playerState { broadcastStatus(at: now) }
  }
}
