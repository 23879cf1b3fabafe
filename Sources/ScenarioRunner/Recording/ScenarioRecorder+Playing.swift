import CastProtocol

/// What was done to what plays, and what came of it by itself.
extension ScenarioRecorder {
  mutating func takePlaying(_ snapshot: DeviceSnapshot, _ status: MediaStatus, at time: Duration) {
    if let queue = playing?.queue { noteItems(of: status, in: queue) }
    complete(from: status)
    if status.breakStatus != nil { playing?.sawAd = true }
    if status.playerState == .idle { return takeIdle(status, snapshot, at: time) }
    if takeItem(status, snapshot, at: time) { return }
    takeAd(status, at: time)
    takePosition(status, snapshot, at: time)
    takeRate(status, at: time)
    takeTracks(status, at: time)
    if let word = status.repeatMode, let known = lastSnapshot.media?.repeatMode, word != known,
      let mode = QueueRepeatMode(rawValue: word)
    {
      add(.repeatMode(mode), at: time)
    }
  }

  /// A device may say later how long media is, and which tracks are in it.
  mutating func complete(from status: MediaStatus) {
    guard let place = playing?.media, let known = media[place], let now = status.media else { return }
    let isLonger = (known.duration ?? 0) == 0 && (now.duration ?? 0) > 0
    if isLonger || (known.tracks ?? []).isEmpty && !(now.tracks ?? []).isEmpty { _ = media.remember(now) }
  }

  mutating func takeIdle(_ status: MediaStatus, _ snapshot: DeviceSnapshot, at time: Duration) {
    if status.loadingItemID != nil {
      // An item is over, and another comes.
      if playing?.leaving == nil {
        let lead = lead(at: time)
        playing?.leaving = (status.idleReason != .interrupted && status.idleReason != .cancelled, lead)
      }
      return
    }
    guard let reason = status.idleReason else { return }
    let lead = lead(at: time)
    playing = nil
    switch reason {
    case .finished: add(.finished, at: time, lead: lead)
    case .cancelled: add(.stop, at: time, lead: lead)
    case .error: add(.failed(code: snapshot.detailedErrorCode), at: time, lead: lead)
    // The load that did it comes next.
    case .interrupted, .unknown: leadToLoad = lead
    }
  }

  /// - Returns: Whether another item of the queue is on, so that nothing of before counts.
  mutating func takeItem(_ status: MediaStatus, _ snapshot: DeviceSnapshot, at time: Duration) -> Bool {
    guard var now = playing, let item = status.currentItemID, item != now.item else {
      playing?.leaving = nil
      return false
    }
    if now.leaving == nil { now.leaving = (isNearEnd(at: time), lead(at: time)) }
    playing = now
    guard status.isSettled else { return true }
    guard let content = status.media, let place = media.remember(content), let leaving = now.leaving else {
      return true
    }
    let way = way(from: now.item, to: item, in: now.queue)
    now.leaving = nil
    (now.item, now.media, now.isPaused) = (item, place, status.playerState == .paused)
    now.rate =
      status.breakStatus == nil ? status.playbackRate.flatMap { $0.isPlayable ? $0 : nil } ?? now.rate : now.rate
    now.position = nil
    playing = now
    let position = isMoving(place) ? Self.sensible(snapshot.position(at: time)) : nil
    let act: RecordedStep.Act = leaving.isByItself ? .advanced(to: place) : .jump(.init(way: way, media: place))
    add(act, at: time, lead: leaving.lead, position: position)
    playing?.position = position
    return true
  }

  func isNearEnd(at time: Duration) -> Bool {
    guard let playing, let length = media[playing.media]?.duration, length > 0,
      let now = lastSnapshot.position(at: time)
    else {
      return false
    }
    return now >= length - 2
  }

  func way(from old: Int?, to new: Int, in queue: Int?) -> RecordedStep.Jump.Way {
    guard let queue else { return .item }
    let items = queues[queue].items
    guard let to = items.firstIndex(where: { $0.id == new }), let from = items.firstIndex(where: { $0.id == old })
    else { return .item }
    return to == from + 1 ? .next : to == from - 1 ? .previous : .item
  }

  mutating func takeAd(_ status: MediaStatus, at time: Duration) {
    guard let old = lastSnapshot.media?.breakStatus, let clip = old.breakClipID,
      status.breakStatus?.breakClipID != clip,
      let from = old.whenSkippable, let shown = lastSnapshot.breakClipTime(at: time)
    else { return }
    let clips = lastSnapshot.media?.media?.breakClips ?? []
    guard let length = clips.first(where: { $0.id == clip })?.duration, shown >= from - 0.5, shown < length - 1 else {
      return
    }
    add(.skipAd, at: time)
  }
}
