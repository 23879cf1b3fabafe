import CastProtocol

/// Something that another sender, a person with a remote, or the device itself did, as statuses show it.
package enum OtherSenderAction: Hashable, Sendable {
  case launched(appID: String, name: String)
  case stoppedApp(appID: String, name: String)
  /// Other media in the app that runs; its title, else its address, where it says either.
  case loaded(String?)
  case stoppedMedia
  /// The device's volume, 0 to 1.
  case setVolume(Double)
  case muted(Bool)

  /// What a request of ours may change as well.
  package enum Subject: Hashable, Sendable { case app, media, volume }

  package var subject: Subject {
    switch self {
    case .launched, .stoppedApp: .app
    case .loaded, .stoppedMedia: .media
    case .setVolume, .muted: .volume
    }
  }

  /// `launched YouTube (233637DE)`.
  package var text: String {
    switch self {
    case .launched(let id, let name): "launched \(name) (\(id))"
    case .stoppedApp(let id, let name): "stopped \(name) (\(id))"
    case .loaded(let what): "loaded \(what.map { "`\($0)`" } ?? "other media")"
    case .stoppedMedia: "stopped the media"
    case .setVolume(let level): "set the volume to \(Int(exactly: (level * 100).rounded()) ?? 0)%"
    case .muted(let isMuted): isMuted ? "muted the device" : "unmuted the device"
    }
  }

  /// What must have been done for `old` to become `new`.
  static func acts(from old: DeviceSnapshot, to new: DeviceSnapshot) -> [OtherSenderAction] {
    var acts: [OtherSenderAction] = []
    let (before, now) = (old.receiver?.application, new.receiver?.application)
    let isSameApp = before?.sessionID == now?.sessionID
    if !isSameApp, let now, !now.isIdle {
      acts.append(.launched(appID: now.appID, name: now.nameForPeople))
    } else if !isSameApp, let before, !before.isIdle {
      acts.append(.stoppedApp(appID: before.appID, name: before.nameForPeople))
    }
    if isSameApp { acts += mediaActs(from: old.media, to: new.media) }
    if let volume = old.receiver?.volume, let changed = new.receiver?.volume {
      let tolerance = changed.step / 2
      if let level = changed.level, let known = volume.level, abs(level - known) > tolerance {
        acts.append(.setVolume(max(0, min(1, level))))
      }
      if let isMuted = changed.muted, let known = volume.muted, isMuted != known { acts.append(.muted(isMuted)) }
    }
    return acts
  }

  private static func mediaActs(from old: MediaStatus?, to new: MediaStatus?) -> [OtherSenderAction] {
    let wasActive = old?.isActive ?? false
    guard let new else { return wasActive ? [.stoppedMedia] : [] }
    if new.mediaSessionID != old?.mediaSessionID, new.isActive {
      let content = new.media ?? new.extendedMedia
      return [.loaded(content?.metadata?["title"]?.string ?? content?.contentID)]
    }
    let isEnded = !new.isActive && (new.idleReason == .cancelled || new.idleReason == .interrupted)
    return wasActive && isEnded && new.mediaSessionID == old?.mediaSessionID ? [.stoppedMedia] : []
  }
}
