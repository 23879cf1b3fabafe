import CastProtocol

/// Content that a player outside plays: what it tells is what senders hear. Source: docs/design.md 10.1.
///
/// A player is told no steps but what shall be, by ``OutsidePlayback/order``; so it can be away for a moment.
extension MediaSessionStateMachine {
  /// Has the player load the item that is on, and waits for it.
  mutating func awaitPlayer(autoplay: Bool?, loader: Int?, at now: Duration) {
    guard let due = player?.loadDeadline(at: now) else { return }
    session?.playback = player?.nextPlayback(at: now)
    session?.load = PendingLoad(
      due: due, fetchID: nil, autoplay: autoplay, loader: loader, sender: requester, replyID: replyID)
  }

  /// Takes note of a page that has opened or gone.
  mutating func playerChanged(at now: Duration) -> [Output] {
    performDue(at: now)
    // Content that waited for a page has its time from now on; what plays gets another page's word.
    if player?.goneSince == nil, session?.load != nil, session?.playback != nil {
      session?.load?.due = now + OutsidePlayer.loadLimit
    }
    session?.playback?.heard = now
    session?.adBreak?.playback?.heard = now
    return takeOutputs()
  }

  /// Takes what the player tells; of what is on no longer nothing counts.
  mutating func receive(_ report: PlayerReport, at now: Duration) -> [Output] {
    performDue(at: now)
    if let session {
      if session.adBreak?.playback?.number == report.playback.number {
        receive(report, ofClipOf: session, at: now)
      } else if session.playback?.number == report.playback.number {
        receive(report, of: session, at: now)
      }
    }
    performDue(at: now)
    return takeOutputs()
  }

  /// When the player is given up: its page has gone, or says nothing although it should play.
  var playerLoss: Duration? {
    guard let player, let session, session.load == nil, let playback = session.adBreak?.playback ?? session.playback
    else { return nil }
    if let goneSince = player.goneSince { return goneSince + OutsidePlayer.patience }
    return playback.isWanted ? playback.heard + OutsidePlayer.silence : nil
  }

  /// Ends what nobody plays any more.
  mutating func losePlayer(at now: Duration) {
    guard let session else { return }
    let fault: MediaFault = player?.goneSince == nil ? .pageSilent : .pageGone
    tellEveryone(.object(["type": "ERROR", "itemId": .int(session.itemID)] + fault.members))
    self.fault = fault
    finish(.failed, at: now)
  }

  /// What the load that is over time is told.
  var overdueFault: MediaFault { player?.goneSince == nil ? .pageSilent : .noPage }

  /// Tells the player what shall be now.
  mutating func settleOrders() {
    guard let session, session.playback != nil else { return }
    if let load = session.load {
      let runs = load.autoplay ?? session.queue.current.autoplay
      let hasPreroll = session.media.breaks.contains { $0.isPlayable && $0.position == session.timeline.anchor }
      self.session?.playback?.order(runs: runs && !hasPreroll, rate: session.timeline.rate)
      return
    }
    let waits = session.adBreak == nil && session.playback?.isBuffering == true
    self.session?.playback?.order(runs: session.timeline.isRunning || waits, rate: session.timeline.rate)
    if let adBreak = session.adBreak {
      self.session?.adBreak?.playback?.order(
        runs: adBreak.clipClock.isRunning || adBreak.playback?.isBuffering == true, rate: .normal)
    }
  }

  // MARK: content

  private mutating func receive(_ report: PlayerReport, of session: MediaSession, at now: Duration) {
    self.session?.playback?.heard = now
    if let size = report.size { self.session?.videoSize = size }
    if case .failed(let code) = report.state {
      if session.load == nil {
        breakOff(code: code, at: now)
      } else {
        endLoad(.failed(code: code), at: now)
      }
      return
    }
    guard report.order == session.playback?.order else { return }
    if session.load != nil {
      let isWanted = session.playback?.isWanted == true
      guard Self.endsLoad(report.state, isWanted: isWanted) else { return }
      endLoad(.played(duration: report.duration), stands: isWanted && report.state.stands, at: now)
      if report.state != .ended { return }
    }
    guard let session = self.session, session.adBreak == nil, session.load == nil, session.hindrance == nil else {
      return
    }
    if report.state == .ended {
      // A live stream has no end of its own.
      if session.end == nil { itemEnded(at: now) } else { contentEnded(isRunning: true, at: now) }
      return
    }
    let isLonger = report.state != .loading && self.session?.revise(report.duration) == true
    let before = session.playerState
    let strayed = report.state != .loading && (session.position(at: now) - report.position).magnitude > .seconds(2)
    let waits = report.state == .waiting || report.state == .loading && session.playback?.isWanted == true
    self.session?.playback?.isBuffering = waits
    let position =
      session.media.category == .image || report.state == .loading ? session.position(at: now) : report.position
    self.session?.timeline.move(
      to: session.end.map { min($0, position) } ?? position, isRunning: report.state == .playing, at: now)
    if report.state == .playing { confirmStart(at: now) } else { self.session?.confirmation = nil }
    if isLonger || before != self.session?.playerState || strayed && session.media.category != .image {
      broadcastStatus(Parts(media: isLonger), at: now)
    }
  }

  /// Whether the content is loaded and in the wanted state, unless the browser blocks autoplay.
  private static func endsLoad(_ state: PlayerReport.State, isWanted: Bool) -> Bool {
    switch state {
    case .loading, .failed: false
    case .waiting: !isWanted
    case .paused, .playing, .blocked, .ended: true
    }
  }
}

extension PlayerReport.State {
  /// Whether nothing moves until somebody says so.
  var stands: Bool { self == .paused || self == .blocked }
}

extension Duration {
  fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
