import CastProtocol

/// What a television would show.
extension ReceiverStateMachine {
  /// What is on at `now`.
  package func screen(at now: Duration) -> ScreenSnapshot {
    let media = application?.media
    return ScreenSnapshot(
      name: configuration.name, model: configuration.model, level: volume.level, isMuted: volume.isMuted,
      streamLevel: media?.streamLevel ?? 1, isStreamMuted: media?.isStreamMuted ?? false, display: display,
      app: application.map { app in
        ScreenSnapshot.App(
          sessionID: app.sessionID, id: app.appID, name: app.displayName,
          statusText: app.page?.statusText ?? app.displayName, isPage: app.page != nil)
      },
      media: media?.session.flatMap { ScreenSnapshot.Media($0, sessionID: application?.sessionID ?? "", at: now) },
      fault: media?.fault, playsOutside: configuration.playsOutside)
  }
}

extension ScreenSnapshot.Media {
  fileprivate init?(_ session: MediaSession, sessionID: String, at now: Duration) {
    guard let category = session.media.category else { return nil }
    self.category =
      switch category {
      case .video: .video
      case .audio: .audio
      case .image: .image
      }
    if session.load != nil {
      phase = .loading
    } else {
      phase =
        switch session.playerState {
        case .idle, .paused: .paused
        case .playing: .playing
        case .buffering: .buffering
        }
    }
    let playback = session.playback
    content = ScreenSnapshot.Playback(
      id: playback.map { PlaybackID(sessionID: sessionID, number: $0.number) },
      address: session.media.object.contentAddress ?? "", contentType: session.media.object["contentType"]?.string,
      order: playback?.order ?? 0, jumps: playback?.jumps ?? 0, position: session.position(at: now),
      duration: session.media.duration, rate: session.timeline.rate.factor,
      // A fault that stalls playback stalls the page, too.
      runs: playback?.isWanted ?? session.timeline.isRunning)
    isLive = session.media.isLive
    metadata = session.media.object["metadata"]?.object ?? [:]
    captions = session.media.captions(of: session.activeTrackIDs)
    adBreak = session.adBreak.flatMap { ScreenSnapshot.Break($0, sessionID: sessionID, at: now) }
    item = session.queue.index + 1
    items = session.queue.items.count
  }
}

extension ScreenSnapshot.Break {
  fileprivate init?(_ adBreak: BreakPlayback, sessionID: String, at now: Duration) {
    guard let clip = adBreak.clip else { return nil }
    title = clip.title
    position = min(adBreak.clipClock.position(at: now), clip.duration)
    duration = clip.duration
    count = adBreak.count
    number = adBreak.count - adBreak.clips.count + 1
    skippableAfter = clip.whenSkippable
    let playback = adBreak.playback
    runs = adBreak.clipClock.isRunning
    self.clip = clip.address.map {
      ScreenSnapshot.Playback(
        id: playback.map { PlaybackID(sessionID: sessionID, number: $0.number) }, address: $0,
        contentType: clip.contentType, order: playback?.order ?? 0, jumps: 0, position: position,
        duration: clip.duration, rate: 1, runs: playback?.isWanted ?? runs)
    }
  }
}

extension LoadedMedia {
  /// The first active text track that has an address.
  fileprivate func captions(of activeTrackIDs: [Int]) -> ScreenSnapshot.Captions? {
    let active = Set(activeTrackIDs)
    for entry in object["tracks"]?.array ?? [] where entry["type"]?.string == "TEXT" {
      guard let id = entry["trackId"]?.whole, active.contains(id),
        let address = [entry["trackContentId"]?.string, entry["trackContentUrl"]?.string].compactMap({ $0 }).first
      else { continue }
      return ScreenSnapshot.Captions(
        address: address, contentType: entry["trackContentType"]?.string, language: entry["language"]?.string,
        name: entry["name"]?.string, style: object["textTrackStyle"].flatMap { TextTrackStyle($0) })
    }
    return nil
  }
}
