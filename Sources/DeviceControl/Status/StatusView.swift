package import CastProtocol
package import RunReporting
package import ScenarioLanguage

/// A device's merged status at one moment, read by the status fields of docs/language/conditions.md "Status fields".
///
/// Durations are seconds, percentages percent points, absent is `nil`. Only our own media session is seen: after a
/// load of ours another session's media fields are all absent.
package struct StatusView: Sendable {
  package var snapshot: DeviceSnapshot
  /// The moment, on the show clock; what moves is estimated for it.
  package var at: Duration
  package var loaded: LoadedMedia?
  /// What the values must not hold.
  package var secrets: Secrets?
  /// What was seen when the last action started, for `changed`; `nil` before the first one.
  package var baseline: Baseline?
  /// The fields as a stored run told them; `nil` for a device that is there. Of ``snapshot`` then only what moves is read.
  var recorded: JSONObject?

  /// An earlier moment of the same device.
  package struct Baseline: Sendable {
    package var snapshot: DeviceSnapshot
    package var at: Duration
    package var loaded: LoadedMedia?
    fileprivate var recorded: JSONObject?

    package init(_ view: StatusView) {
      snapshot = view.snapshot
      at = view.at
      loaded = view.loaded
      recorded = view.recorded
    }
  }

  package init(_ snapshot: DeviceSnapshot, at: Duration, loaded: LoadedMedia? = nil, secrets: Secrets? = nil) {
    self.secrets = secrets
    self.snapshot = snapshot
    self.at = at
    self.loaded = loaded
  }

  /// An earlier moment.
  package init(_ baseline: Baseline, secrets: Secrets) {
    self.init(baseline.snapshot, at: baseline.at, loaded: baseline.loaded, secrets: secrets)
    recorded = baseline.recorded
  }

  /// The value of a field when the last action started.
  package func valueBefore(of path: FieldPath) -> JSONValue? {
    baseline.flatMap { StatusView($0, secrets: secrets ?? Secrets()).value(of: path) }
  }

  /// The merged media status, if it is of our own session or we loaded nothing.
  package var media: MediaStatus? { isForeign ? nil : snapshot.media }

  /// Whether the media status is of another session than the one we loaded.
  package var isForeign: Bool {
    guard let loaded, let media = snapshot.media else { return false }
    return media.mediaSessionID != loaded.mediaSessionID
      || (snapshot.mediaSource != nil && snapshot.mediaSource != loaded.source)
  }

  /// The value of a field; `nil` when it is absent or unknown. Secrets that the device repeats are hidden, so that
  /// they equal what the plan has for them.
  package func value(of path: FieldPath) -> JSONValue? {
    guard let value = rawValue(of: path) else { return nil }
    return secrets?.hidden(value) ?? value
  }

  /// The value as the device says it.
  package func rawValue(of path: FieldPath) -> JSONValue? {
    guard let first = path.parts.first else { return nil }
    let rest = Array(path.parts.dropFirst())
    if let recorded, !RecordedStatuses.moves(first) { return recordedValue(first, rest, in: recorded) }
    switch first {
    case "app": return member(rest.isEmpty && isIdleScreen ? nil : app.map(JSONValue.object), rest)
    case "volume": return member(.object(volume), rest)
    case "active_input": return snapshot.receiver?.isActiveInput.map(JSONValue.bool)
    case "standby": return snapshot.receiver?.isStandBy.map(JSONValue.bool)
    case "connection": return .string(snapshot.isConnected ? "open" : "closed")
    case "raw": return raw(rest)
    default: return isForeign ? nil : mediaValue(first, rest)
    }
  }

  private func recordedValue(_ name: String, _ rest: [String], in document: JSONObject) -> JSONValue? {
    // An idle screen is no app, and is not told.
    if name == "app", document[name] == nil { return rest == ["idle"] ? true : nil }
    if name == "connection" { return .string(snapshot.isConnected ? "open" : "closed") }
    return member(document[name], rest)
  }

  private func mediaValue(_ name: String, _ rest: [String]) -> JSONValue? {
    let media = media
    let content = media?.media ?? media?.extendedMedia
    switch name {
    case "player": return .string(player)
    case "idle_reason": return media?.idleReason.map { .string($0.word) }
    case "position": return position.map { JSONValue($0) }
    case "position_reported": return media?.currentTime.map { JSONValue($0) }
    case "duration": return content?.streamType == "LIVE" ? "live" : content?.duration.map { JSONValue($0) }
    case "rate": return media?.playbackRate.map { JSONValue($0) }
    case "content": return content.map { .string($0.contentID) }
    case "content_url": return content?.contentURL.map(JSONValue.string)
    case "content_type": return content?.contentType.map(JSONValue.string)
    case "stream": return content?.streamType.map { .string($0.lowercased()) }
    case "title": return content?.metadata?["title"]
    case "metadata": return member(content?.metadata.map(JSONValue.object), rest)
    case "tracks": return content?.tracks.map { .array($0.map(track)) }
    case "active_tracks": return media?.activeTrackIDs.map { .array($0.map { .string(trackName($0)) }) }
    case "text_style": return member(content?.textTrackStyle.map { .object($0.documentForm) }, rest)
    case "break": return member(breakState.map(JSONValue.object), rest)
    case "breaks": return content?.breaks.map { .array($0.map(\.documentForm)) }
    case "commands":
      return media?.supportedMediaCommands.map { .array(MediaCommands(rawValue: $0).words.map(JSONValue.string)) }
    case "repeat": return media?.repeatMode.map { .string(MediaWords.repeatMode($0)) }
    case "queue": return member(.object(queue), rest)
    case "live_range": return member(liveRange.map(JSONValue.object), rest)
    case "video": return member(media?.videoInfo.map { .object($0.documentForm) }, rest)
    case "stream_volume": return member(media.map { .object($0.volume.documentForm) }, rest)
    case "media_session": return media.map { .int($0.mediaSessionID) }
    case "error": return member(error.map(JSONValue.object), rest)
    case "custom": return member(media?.customData, rest)
    default: return nil
    }
  }

  /// The player's state in the language's words. Without a media session it is idle.
  package var player: String {
    guard let media else { return "idle" }
    switch media.playerState {
    case .playing: return "playing"
    case .paused: return "paused"
    // Between two items of a queue (docs/protocol.md 6.4): it is not over.
    case .idle where media.loadingItemID != nil: return "loading"
    case .idle: return media.extendedPlayerState == "LOADING" ? "loading" : "idle"
    case .buffering: return media.extendedPlayerState == "LOADING" ? "loading" : "buffering"
    case .unknown(let word): return word.lowercased()
    }
  }

  private var isIdleScreen: Bool { snapshot.receiver?.application?.isIdleScreen ?? true }

  private var app: JSONObject? {
    guard let receiver = snapshot.receiver else { return nil }
    guard let app = receiver.application else { return ["idle": true] }
    return [
      "id": .string(app.appID), "name": .string(app.displayName), "text": .string(app.statusText),
      "idle": .bool(app.isIdleScreen), "namespaces": .array(app.namespaces.map { .string($0.rawValue) }),
    ]
  }

  private var volume: JSONObject { snapshot.receiver?.volume.documentForm ?? [:] }

  private var breakState: JSONObject? {
    guard let state = media?.breakStatus else { return nil }
    var object = JSONObject()
    object["id"] = state.breakID.map(JSONValue.string)
    object["clip"] = state.breakClipID.map(JSONValue.string)
    object["time"] = breakTime.map { JSONValue($0) }
    object["clip_time"] = clipTime.map { JSONValue($0) }
    object["skippable"] = .bool(isSkippable)
    object["skippable_at"] = skippableAt.map { JSONValue($0) }
    return object
  }

  private var queue: JSONObject {
    var object = JSONObject()
    object["current"] = media?.currentItemID.map(JSONValue.int)
    object["items"] = media?.items.map(JSONValue.array)
    // A status lists a window of a long queue; the order that was fetched has them all.
    object["count"] = (media?.queueItemIDs?.count ?? media?.items?.count).map(JSONValue.int)
    return object
  }

  private var liveRange: JSONObject? {
    guard let range = media?.liveSeekableRange else { return nil }
    var object = JSONObject()
    object["start"] = range.start.map { JSONValue($0) }
    object["end"] = range.end.map { JSONValue($0) }
    object["moving"] = range.isMovingWindow.map(JSONValue.bool)
    object["done"] = range.isLiveDone.map(JSONValue.bool)
    return object
  }

  private var error: JSONObject? {
    guard let code = snapshot.detailedErrorCode else { return nil }
    var object: JSONObject = ["code": .int(code)]
    object["name"] = DetailedErrorCode.name(of: code).map(JSONValue.string)
    return object
  }

  private func track(_ track: MediaInformation.Track) -> JSONValue {
    var object: JSONObject = ["id": .string(trackName(track.trackID)), "kind": .string(track.type.lowercased())]
    object["language"] = track.language.map(JSONValue.string)
    object["name"] = track.name.map(JSONValue.string)
    return .object(object)
  }

  private func trackName(_ id: Int) -> String { loaded?.trackNames[id] ?? String(id) }

  private func raw(_ rest: [String]) -> JSONValue? {
    guard let which = rest.first else { return nil }
    let message = WholeMessage(rawValue: which).flatMap { snapshot[keyPath: $0.path] }?.json
    // A pointer may hold dots, at which the path was split.
    let pointer = rest.dropFirst().joined(separator: ".")
    return pointer.isEmpty ? message : message?.value(atPointer: pointer)
  }

  private func member(_ value: JSONValue?, _ path: [String]) -> JSONValue? {
    if path.isEmpty { return value }
    guard let value else { return nil }
    if let found = path.reduce(Optional(value), { $0?.member($1) }) { return found }
    // Names that hold dots themselves.
    return path.count > 1 ? value.member(path.joined(separator: ".")) : nil
  }
}

extension JSONValue {
  /// A member of an object or, by number, an element of an array.
  fileprivate func member(_ name: String) -> JSONValue? {
    switch self {
    case .object(let object): object[name]
    case .array(let elements): Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
    default: nil
    }
  }

  /// The value a JSON pointer leads to (RFC 6901); the leading slash may be left out.
  fileprivate func value(atPointer pointer: String) -> JSONValue? {
    let path = pointer.hasPrefix("/") ? pointer.dropFirst() : pointer[...]
    return path.split(separator: "/", omittingEmptySubsequences: false).reduce(Optional(self)) { value, part in
      value?.member(String(part).replacing("~1", with: "/").replacing("~0", with: "~"))
    }
  }
}
