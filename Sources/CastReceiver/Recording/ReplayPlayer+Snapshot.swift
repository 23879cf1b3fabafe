import CastProtocol

extension ReplayPlayer {
  /// What the statuses that were told so far say of the receiver, for the person who runs it.
  /// - Parameters:
  ///   - own: What the receiver is by itself: what the recording does not say is as it says.
  ///   - now: Show time.
  func snapshot(over own: ReceiverSnapshot, at now: Duration) -> ReceiverSnapshot {
    let volume = receiverStatus?["volume"]
    let display = ReceiverDisplay(
      isActiveInput: receiverStatus?["isActiveInput"]?.bool ?? own.display.isActiveInput,
      isStandby: receiverStatus?["isStandBy"]?.bool ?? own.display.isStandby)
    return ReceiverSnapshot(
      isPlugged: own.isPlugged, name: own.name, id: own.id, model: own.model, display: display,
      app: runningApps.first.map(app), media: runningApps.isEmpty ? nil : media(at: now),
      volume: .init(
        level: volume?["level"]?.number ?? own.volume.level, isMuted: volume?["muted"]?.bool ?? own.volume.isMuted,
        control: volume?["controlType"]?.string.flatMap(ReceiverConfiguration.VolumeControl.init(rawValue:))
          ?? own.volume.control),
      senders: own.senders)
  }

  private func app(_ json: JSONValue) -> ReceiverSnapshot.App {
    let id = json["appId"]?.string ?? ""
    return .init(
      id: id, name: json["displayName"]?.string ?? id,
      sessionID: json["sessionId"]?.string.flatMap(identities.knownSession) ?? "",
      statusText: json["statusText"]?.string ?? "", isPage: false)
  }

  private func media(at now: Duration) -> ReceiverSnapshot.Media? {
    guard let status = mediaStatus else { return nil }
    let state: ReceiverSnapshot.State
    switch status["playerState"]?.string {
    case "IDLE", nil: return nil
    case "LOADING": state = .loading
    case "BUFFERING": state = .buffering
    case "PAUSED": state = .paused
    default: state = status["breakStatus"]?["breakId"] == nil ? .playing : .ad
    }
    let media = status["media"]
    var position = status["currentTime"]?.number ?? 0
    if state == .playing { position += (now - mediaTime).seconds * (status["playbackRate"]?.number ?? 1) }
    let duration = media?["duration"]?.number
    if let duration, duration.isFinite, duration > 0 { position = min(position, duration) }
    // A recording may say anything.
    if !position.isFinite { position = 0 }
    return .init(
      sessionID: status["mediaSessionId"]?.int.flatMap(identities.knownMedia) ?? 0,
      address: media?["contentUrl"]?.string ?? media?["contentId"]?.string ?? "",
      contentType: media?["contentType"]?.string, title: media?["metadata"]?["title"]?.string, state: state,
      position: position, duration: duration.flatMap { $0.isFinite ? $0 : nil })
  }
}
