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
    let (before, after) = (old.$receiver, new.$receiver)
    if before === after || before?.value.application?.sessionID == after?.value.application?.sessionID {
      if let act = mediaAct(from: old, to: new) { acts.append(act) }
    } else if let now = after?.value.application, !now.isIdle {
      acts.append(.launched(appID: now.appID, name: now.nameForPeople))
    } else if let before = before?.value.application, !before.isIdle {
      acts.append(.stoppedApp(appID: before.appID, name: before.nameForPeople))
    }
    if before !== after, let volume = before?.value.volume, let changed = after?.value.volume {
      let tolerance = changed.step / 2
      if let level = changed.level, let known = volume.level, abs(level - known) > tolerance {
        acts.append(.setVolume(max(0, min(1, level))))
      }
      if let isMuted = changed.muted, let known = volume.muted, isMuted != known { acts.append(.muted(isMuted)) }
    }
    return acts
  }

  private static func mediaAct(from old: DeviceSnapshot, to new: DeviceSnapshot) -> OtherSenderAction? {
    let (before, after) = (old.$media, new.$media)
    let wasActive = before?.value.isActive ?? false
    guard let after else { return wasActive ? .stoppedMedia : nil }
    let isSameSession = after.value.mediaSessionID == before?.value.mediaSessionID
    if !isSameSession, after.value.isActive {
      let content = after.value.media ?? after.value.extendedMedia
      return .loaded(content?.metadata?["title"]?.string ?? content?.contentID)
    }
    guard wasActive, isSameSession, !after.value.isActive else { return nil }
    let reason = after.value.idleReason
    return reason == .cancelled || reason == .interrupted ? .stoppedMedia : nil
  }
}
