import CastProtocol

/// Seeks, pauses, rates and tracks, as positions and states tell them.
extension ScenarioRecorder {
  /// Seeks, pauses and plays.
  mutating func takePosition(_ status: MediaStatus, _ snapshot: DeviceSnapshot, at time: Duration) {
    guard let now = playing else { return }
    let told =
      snapshot.carriedPosition == nil && snapshot.mediaTimeReceivedAt == time ? Self.sensible(status.currentTime) : nil
    var position = told
    if let told, lastSnapshot.media?.currentTime == nil { began(at: told) }
    let isInBreak = status.breakStatus != nil || lastSnapshot.media?.breakStatus != nil
    if let told, lastSnapshot.media?.currentTime != nil, let expected = lastSnapshot.position(at: time) {
      let by = told - expected
      // While it was away it may have been paused, which explains any place on the way.
      let isOnTheWay = returns && by < 0 && told >= lastSnapshot.media?.currentTime ?? .infinity
      let isJump = abs(by) > Self.jump * max(1, now.rate) && !isOnTheWay
      if isInBreak {
        if isJump { playing?.positionIsUnexplained = true }
      } else if isJump {
        takeSeek(to: told, by: by, at: time)
      } else if lastSnapshot.media?.playerState == .playing {
        jitter = max(jitter, abs(by))
      }
    }
    guard status.isSettled else { return }
    let isPaused = status.playerState == .paused
    defer { playing?.seeks = false }
    guard isPaused != now.isPaused else { return }
    let isLive = !isMoving(now.media)
    if isLive || isInBreak { position = nil }
    let lead = lead(at: time, position: position)
    playing?.isPaused = isPaused
    if playing?.seeks == true, let last = steps.last, case .seek(var seek) = last.act {
      seek.pausesThen = isPaused
      return changeLast(to: .seek(seek), at: time, position: position)
    }
    add(isPaused ? .pause : .play, at: time, lead: lead, position: position)
  }

  /// A device may say only later where it began to play.
  mutating func began(at position: Double) {
    guard let now = playing, isMoving(now.media), let last = steps.indices.last, case .load(var load) = steps[last].act
    else { return }
    load.start = position >= 3 ? position : nil
    (steps[last].act, steps[last].position) = (.load(load), position)
    playing?.position = position
  }

  mutating func takeSeek(to target: Double, by: Double, at time: Duration) {
    guard let now = playing else { return }
    let isLive = media[now.media]?.isLiveStream ?? false
    if let last = steps.last, case .seek(var seek) = last.act, time - settledAt < Self.seekPause || now.seeks {
      seek.to = target
      seek.by += by
      changeLast(to: .seek(seek), at: time, position: target)
    } else {
      add(.seek(.init(to: target, by: by, isLive: isLive)), at: time, position: isLive ? nil : target)
    }
    playing?.seeks = true
    if isLive { playing?.position = nil }
  }

  mutating func takeRate(_ status: MediaStatus, at time: Duration) {
    guard let known = playing?.rate, status.playerState == .playing, status.breakStatus == nil,
      let rate = status.playbackRate, rate.isPlayable, abs(rate - known) > 0.01
    else { return }
    // What passed until now passed at the rate of before.
    let lead = lead(at: time)
    playing?.rate = rate
    add(.rate(rate), at: time, lead: lead, position: Self.sensible(status.currentTime))
  }

  mutating func takeTracks(_ status: MediaStatus, at time: Duration) {
    guard let place = playing?.media else { return }
    if let tracks = status.activeTrackIDs, let old = lastSnapshot.media,
      tracks.sorted() != (old.activeTrackIDs ?? []).sorted()
    {
      _ = status.media.map { media.remember($0) }
      add(.tracks(tracks, of: place), at: time)
    }
    if let style = status.media?.textTrackStyle, style != lastSnapshot.media?.media?.textTrackStyle {
      add(.textStyle(style), at: time)
    }
  }
}
