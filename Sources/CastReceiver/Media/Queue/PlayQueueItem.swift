import CastProtocol

/// One item of a queue, checked. Source: docs/protocol.md 5.8.
struct PlayQueueItem: Hashable, Sendable {
  /// Counted from 1 within an app session.
  let id: Int
  var media: LoadedMedia
  let autoplay: Bool
  let startTime: Duration
  /// From where it starts; negative: counted back from the end of the content.
  let playbackDuration: Duration?
  /// How long before the end of the item before; `nil`: it is not loaded ahead.
  let preloadTime: Duration?
  let activeTrackIDs: [Int]
  /// What `items` shows beside `itemId`, `media` and `orderId`, as sent.
  private let extras: JSONObject
  /// Bytes of the JSON, roughly.
  let length: Int
  /// How much of the content is known.
  var stage = LoadedMedia.Stage.queued

  /// The one item of a plain LOAD.
  init(_ load: JSONObject, id: Int, media: LoadedMedia) throws(MediaSessionStateMachine.Refusal) {
    self.id = id
    self.media = media
    autoplay = load["autoplay"]?.flag ?? true
    activeTrackIDs = try MediaSessionStateMachine.trackIDs(load["activeTrackIds"], of: media) ?? []
    startTime = .zero
    playbackDuration = nil
    preloadTime = nil
    (extras, length) = try Self.extras(["activeTrackIds", "customData"], of: load, autoplay, nil, media)
  }

  /// Checks an item of a request; `old` gives what it leaves out.
  init(_ json: JSONValue, id: Int, replacing old: PlayQueueItem? = nil) throws(MediaSessionStateMachine.Refusal) {
    guard let object = json.object else { throw .invalidParameters }
    guard let media = object.given("media").map({ LoadedMedia($0) }) ?? old?.media,
      let autoplay = object.given("autoplay").map({ $0.flag }) ?? old?.autoplay ?? true,
      let startTime = object.given("startTime").map({ Duration(json: $0) }) ?? old?.startTime ?? .zero,
      Self.isNumberOrAbsent(object.given("playbackDuration")), Self.isNumberOrAbsent(object.given("preloadTime"))
    else { throw .invalidParameters }
    self.id = id
    self.media = media
    self.autoplay = autoplay
    self.startTime = max(.zero, startTime)
    playbackDuration = Duration(json: object.given("playbackDuration")) ?? old?.playbackDuration
    preloadTime = (Duration(json: object.given("preloadTime")) ?? old?.preloadTime).map { max(.zero, $0) }
    let tracks = try MediaSessionStateMachine.trackIDs(object.given("activeTrackIds"), of: media)
    activeTrackIDs = tracks ?? old.map { $0.activeTrackIDs.filter { media.canActivate([$0]) } } ?? []

    (extras, length) = try Self.extras(
      ["startTime", "playbackDuration", "preloadTime", "activeTrackIds", "customData"], of: object, autoplay,
      old?.extras, media)
    if let old, object.given("media") == nil { stage = old.stage }
  }

  /// What `items` shows of a request's members `names`, over what `old` had, and the length of it all.
  private static func extras(
    _ names: [String], of object: JSONObject, _ autoplay: Bool, _ old: JSONObject?, _ media: LoadedMedia
  ) throws(MediaSessionStateMachine.Refusal) -> (JSONObject, length: Int) {
    var extras = old ?? [:]
    extras["autoplay"] = .bool(autoplay)
    for name in names {
      if let value = object.given(name) { extras[name] = value }
    }
    let custom = JSONValue.object(extras)
    let length = media.length + custom.serialized().utf8.count
    guard custom.isNested(atMost: ReceiverLimits.mediaDepth), length <= ReceiverLimits.mediaLength else {
      throw .invalidParameters
    }
    return (extras, length)
  }

  /// The entry of `items`.
  func json(orderID: Int) -> JSONValue {
    var json: JSONObject = ["itemId": .int(id), "media": .object(media.json(stage))]
    json.members += extras.members
    json.members.append(.init("orderId", .int(orderID)))
    return .object(json)
  }

  /// The entry of `items` without what plays.
  var bareJSON: JSONValue {
    var json: JSONObject = ["itemId": .int(id)]
    for name in ["autoplay", "startTime", "preloadTime"] { json[name] = extras[name] }
    return .object(json)
  }

  /// The item as a LOAD would send it: without what only the receiver says.
  var loadJSON: JSONValue {
    var json: JSONObject = ["media": .object(media.object)]
    json.members += extras.members
    return .object(json)
  }

  /// Where it ends when it starts at `start`; `nil` for what has no end.
  func end(startingAt start: Duration) -> Duration? {
    guard let playbackDuration else { return media.duration }
    if playbackDuration >= .zero {
      let end = start + playbackDuration
      return media.duration.map { min($0, end) } ?? end
    }
    return media.duration.map { max(start, $0 + playbackDuration) }
  }

  private static func isNumberOrAbsent(_ value: JSONValue?) -> Bool { value.map { $0.amount != nil } ?? true }
}
