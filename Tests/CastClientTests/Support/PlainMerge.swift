import CastProtocol

@testable import CastClient

/// The merged status by the table of docs/protocol.md 4.4, on plain JSON: what our own is judged by.
struct PlainMerge {
  /// What a status that leaves them out clears; everything else stays.
  private static let cleared = ["idleReason", "extendedStatus", "breakStatus", "loadingItemId", "preloadedItemId"]

  private(set) var app: JSONValue?
  private(set) var volume: JSONValue?
  private(set) var media: JSONObject?
  private var source: EndpointID?

  /// The transport id of the app that runs and takes media messages.
  var transport: EndpointID? {
    let namespaces = app?["namespaces"]?.array ?? []
    guard namespaces.contains(where: { $0["name"]?.string == Namespace.media.rawValue }) else { return nil }
    return app?["transportId"]?.string.map { EndpointID($0) }
  }

  mutating func receive(_ payload: JSONValue, in namespace: Namespace, from sender: EndpointID) {
    switch (namespace, (payload["type"] ?? payload["responseType"])?.string) {
    case (.receiver, "RECEIVER_STATUS"): receiver(payload["status"] ?? [:])
    case (.media, "MEDIA_STATUS"): media(payload, from: sender)
    case (.connection, "CLOSE") where sender == source: media = nil
    default: break
    }
  }

  private mutating func receiver(_ status: JSONValue) {
    let old = app
    app = status["applications"]?.array?.first
    if let said = status["volume"], said.object?.members.isEmpty == false { volume = said }
    if app?["sessionId"] != old?["sessionId"] || app?["transportId"]?.string != source?.rawValue { media = nil }
  }

  private mutating func media(_ payload: JSONValue, from sender: EndpointID) {
    let status = payload["status"]
    let bare = payload["mediaSessionId"] == nil ? nil : payload.object
    guard let element = status?.array.map({ $0.first?.object }) ?? status?.object ?? bare else {
      media = nil
      return
    }
    let id = element["mediaSessionId"]
    var merged = source == sender && (id == nil || media?["mediaSessionId"] == id) ? media ?? [:] : [:]
    for name in Self.cleared { merged[name] = nil }
    for member in element.members where !member.value.isNull { merged[member.name] = member.value }
    media = merged
    source = sender
  }

  // MARK: the comparison

  /// Where `snapshot` says otherwise, in words.
  func differences(from snapshot: DeviceSnapshot) -> [String] {
    let theirs = snapshot.receiver?.application
    var differences: [String] = []
    func compare(_ name: String, _ ours: String?, _ recorded: JSONValue?) {
      let recorded = Self.text(recorded)
      // A number may be written as text, and the other way round.
      let numbers = (ours.flatMap { Double($0) }, recorded.flatMap { Double($0) })
      if ours != recorded, numbers.0 == nil || numbers.0 != numbers.1 {
        differences.append("\(name): \(ours ?? "nothing") instead of \(recorded ?? "nothing")")
      }
    }
    compare("app", theirs?.appID, app?["appId"])
    compare("session", theirs?.sessionID, app?["sessionId"])
    compare("transport", theirs?.transportID?.rawValue, app?["transportId"])
    compare("volume", snapshot.receiver?.volume.level.map { "\($0)" }, volume?["level"])
    compare("muted", snapshot.receiver?.volume.muted.map { "\($0)" }, volume?["muted"])
    guard let media else { return differences + (snapshot.media == nil ? [] : ["media where there are none"]) }
    guard let ours = snapshot.media else { return differences + ["no media"] }
    compare("media session", "\(ours.mediaSessionID)", media["mediaSessionId"] ?? 0)
    compare("state", Self.word(ours.playerState), media["playerState"])
    compare("idle reason", ours.idleReason.map(Self.word), media["idleReason"])
    compare("time", ours.currentTime.map { "\($0)" }, media["currentTime"])
    compare("rate", ours.playbackRate.map { "\($0)" }, media["playbackRate"])
    compare("commands", ours.supportedMediaCommands.map { "\($0)" }, media["supportedMediaCommands"])
    compare("stream volume", ours.volume.level.map { "\($0)" }, media["volume"]?["level"])
    compare(
      "active tracks", ours.activeTrackIDs.map { "\($0.count)" }, media["activeTrackIds"]?.array.map { .int($0.count) })
    compare("item", ours.currentItemID.map { "\($0)" }, media["currentItemId"])
    compare("loading item", ours.loadingItemID.map { "\($0)" }, media["loadingItemId"])
    compare("next item", ours.preloadedItemID.map { "\($0)" }, media["preloadedItemId"])
    compare("repeat", ours.repeatMode, media["repeatMode"])
    compare("items", ours.items.map { "\($0.count)" }, media["items"]?.array.map { .int($0.count) })
    compare("loading", ours.extendedPlayerState, media["extendedStatus"]?["playerState"])
    compare("clip", ours.breakStatus?.breakClipID, media["breakStatus"]?["breakClipId"])
    compare("picture", ours.videoInfo?.width.map { "\($0)" }, media["videoInfo"]?["width"])
    let information = media["media"] ?? media["extendedStatus"]?["media"]
    compare("content", ours.media.flatMap { $0.contentID.isEmpty ? nil : $0.contentID }, information?["contentId"])
    compare("title", ours.media?.metadata?["title"]?.string, information?["metadata"]?["title"])
    compare("tracks", ours.media?.tracks.map { "\($0.count)" }, information?["tracks"]?.array.map { .int($0.count) })
    return differences
  }

  /// A value as text; nothing for what says nothing.
  private static func text(_ value: JSONValue?) -> String? {
    guard let value, !value.isNull else { return nil }
    let text = value.string ?? value.serialized()
    return text.isEmpty ? nil : text
  }

  private static func word(_ state: MediaStatus.PlayerState) -> String {
    switch state {
    case .idle: "IDLE"
    case .playing: "PLAYING"
    case .paused: "PAUSED"
    case .buffering: "BUFFERING"
    case .unknown(let word): word
    }
  }

  private static func word(_ reason: MediaStatus.IdleReason) -> String {
    switch reason {
    case .cancelled: "CANCELLED"
    case .interrupted: "INTERRUPTED"
    case .finished: "FINISHED"
    case .error: "ERROR"
    case .unknown(let word): word
    }
  }
}
