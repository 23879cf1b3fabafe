import CastProtocol

/// What media statuses tell: loads, and what was done to what plays.
extension ScenarioRecorder {
  mutating func takeMedia(_ snapshot: DeviceSnapshot, at time: Duration, isFirst: Bool) {
    guard let status = snapshot.media, snapshot.receiver?.application?.isIdleScreen != true else {
      // The app has said that it has no media any more.
      if playing != nil, snapshot.receiver?.application != nil,
        lastSnapshot.receiver?.application?.sessionID == snapshot.receiver?.application?.sessionID
      {
        let lead = lead(at: time)
        playing = nil
        add(.stop, at: time, lead: lead)
      }
      return
    }
    let key = Key(source: snapshot.mediaSource, session: status.mediaSessionID)
    if playing?.key == key, !isOtherContent(status) {
      return takePlaying(snapshot, status, at: time)
    }
    if loading?.key != key {
      flushLoad(lastSnapshot, at: time)
      // One that is over says nothing of what will be.
      if status.isOver, status.idleReason != .error { return }
      let lead = leadToLoad ?? lead(at: time)
      leadToLoad = nil
      playing = nil
      loading = Loading(key: key, began: time, isSeenFromStart: !isFirst && !status.isSettled, lead: lead)
    }
    takeLoading(snapshot, status, at: time)
  }

  /// Whether an app that keeps one media session for ever has loaded something else.
  private func isOtherContent(_ status: MediaStatus) -> Bool {
    guard let playing, let known = media[playing.media], let now = status.media, !now.contentID.isEmpty else {
      return false
    }
    guard now.contentID != known.contentID else { return false }
    // Another item of the same queue is no load.
    return status.currentItemID == nil || status.currentItemID == playing.item
  }

  // MARK: loads

  private mutating func takeLoading(_ snapshot: DeviceSnapshot, _ status: MediaStatus, at time: Duration) {
    if status.isSettled { return settle(snapshot, status, at: time) }
    guard status.isOver else { return }
    switch status.idleReason {
    case .error:
      guard let load = load(of: snapshot, status) else { return loading = nil }
      let (lead, began) = (loading?.lead, loading?.began)
      loading = nil
      add(.failedLoad(load, code: snapshot.detailedErrorCode), at: time, lead: lead, began: began)
    case .finished:
      settle(snapshot, status, at: time)
      playing = nil
      add(.finished, at: time)
    case .cancelled:
      settle(snapshot, status, at: time)
      playing = nil
      add(.stop, at: time)
    case .interrupted, .unknown, nil:
      flushLoad(snapshot, at: time)
      playing = nil
    }
  }

  /// A load that was still under way when something else began: it is a step all the same.
  mutating func flushLoad(_ snapshot: DeviceSnapshot, at time: Duration) {
    guard loading != nil, let status = snapshot.media else { return loading = nil }
    settle(snapshot, status, at: time)
  }

  /// The media plays, or is there and paused.
  private mutating func settle(_ snapshot: DeviceSnapshot, _ status: MediaStatus, at time: Duration) {
    guard let loading else { return }
    self.loading = nil
    guard let load = load(of: snapshot, status, loading) else { return }
    var now = Playing(key: loading.key, media: load.media, queue: load.queue, item: status.currentItemID)
    now.isPaused = status.playerState == .paused
    now.rate = load.rate
    playing = now
    let position = isMoving(load.media) ? Self.sensible(snapshot.position(at: time)) : nil
    add(.load(load), at: time, lead: loading.lead, began: loading.began, position: position)
    playing?.position = position
  }

  /// Whether positions tell where it is: not of live streams, nor of pictures.
  func isMoving(_ place: Int) -> Bool {
    guard let media = media[place] else { return false }
    return !media.isLiveStream && !media.isPicture
  }

  /// The load that must have been sent for this status.
  private mutating func load(
    of snapshot: DeviceSnapshot, _ status: MediaStatus, _ loading: Loading? = nil
  ) -> RecordedStep.Load? {
    guard let content = status.media ?? status.extendedMedia, !content.isNameless, let place = media.remember(content)
    else {
      if media.isFull { isFull = true }
      return nil
    }
    var load = RecordedStep.Load(media: place)
    if status.items?.isEmpty == false, queues.count < Self.queueLimit {
      queues.append(
        RecordedQueue(startID: status.currentItemID, repeatMode: status.repeatMode.flatMap(QueueRepeatMode.init)))
      load.queue = queues.count - 1
      noteItems(of: status, in: queues.count - 1)
    }
    load.autoplay = status.playerState != .paused
    if let rate = status.playbackRate, status.breakStatus == nil, rate.isPlayable { load.rate = rate }
    load.tracks = status.activeTrackIDs ?? []
    load.style = content.textTrackStyle
    if isMoving(place), let position = Self.sensible(status.currentTime) {
      // Of one that was seen from its beginning the first position is where it began.
      if position >= (loading?.isSeenFromStart == true ? 1 : 3) { load.start = position }
    }
    return load
  }
}

extension MediaStatus {
  /// Whether it plays or is paused.
  var isSettled: Bool { playerState == .playing || playerState == .paused }
  /// Whether nothing will come of it any more.
  var isOver: Bool { playerState == .idle && idleReason != nil && loadingItemID == nil }
}

extension MediaInformation {
  var isNameless: Bool { contentID.isEmpty && (contentURL ?? "").isEmpty }
}

extension Double {
  /// Whether it is a rate that can be asked for.
  var isPlayable: Bool { self >= 0.5 && self <= 2 }
}
