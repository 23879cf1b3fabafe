import CastProtocol

/// The `media` of a LOAD, checked: what the receiver has to know of it, and what it echoes.
struct LoadedMedia: Hashable, Sendable {
  enum Category: String, Hashable, Sendable {
    case video = "VIDEO"
    case audio = "AUDIO"
    case image = "IMAGE"
  }

  struct Track: Hashable, Sendable {
    var id: Int
    var type: String
    var language: String?
  }

  /// How much of the content is known.
  enum Stage: Hashable, Sendable {
    /// Nothing but what the sender said.
    case queued
    /// Its category.
    case loading
    /// Its duration, too.
    case played
    /// Everything, as the player shows it.
    case shown
  }

  /// As sent.
  private(set) var object: JSONObject
  /// `nil` for content that no device plays: the load fails.
  let category: Category?
  /// `nil` for live streams and images, which do not end.
  private(set) var duration: Duration?
  /// Whether it has no beginning and no end.
  let isLive: Bool
  /// Why it cannot be played, as a fetch or a player found (docs/protocol.md 5.9).
  private(set) var faultCode: Int?
  let tracks: [Track]
  /// In the order of play.
  var breaks: [AdBreak]
  /// Bytes of the JSON.
  private(set) var length: Int

  /// Checks `media`; a bad one is answered by INVALID_PARAMS (docs/protocol.md 4.2).
  init?(_ media: JSONValue?) {
    guard let object = media?.object, object.contentAddress != nil,
      media?.isNested(atMost: ReceiverLimits.mediaDepth) == true
    else { return nil }
    length = JSONValue.object(object).serialized().utf8.count
    guard length <= ReceiverLimits.mediaLength, let tracks = Self.tracks(object["tracks"]) else { return nil }
    guard Self.isArrayOrAbsent(object["breaks"]), Self.isArrayOrAbsent(object["breakClips"]) else { return nil }
    self.tracks = tracks
    category = ContentType.category(of: object)
    let streamType = object["streamType"]?.string?.uppercased()
    isLive = streamType == "LIVE"
    if isLive || streamType == "NONE" || category == .image {
      duration = nil
    } else if let given = Duration(json: object["duration"]), given > .zero {
      duration = given
    } else {
      duration = Self.standardDuration
    }
    self.object = object
    breaks = AdBreak.schedule(of: object, duration: duration)
  }

  /// How long content lasts of which the sender says no duration.
  static let standardDuration = Duration.seconds(60)

  var isPlayable: Bool { category != nil && faultCode == nil }

  /// Takes what a fetch told of it; what ends learns when.
  mutating func learn(_ outcome: MediaFetch.Outcome) {
    switch outcome {
    case .missing: faultCode = 104
    case .failed(let code): faultCode = code
    case .found(let found):
      guard let found, found > .zero, duration != nil else { return }
      setDuration(found)
    case .played(let found):
      guard category != .image else { return }
      setDuration(found.flatMap { $0 > .zero ? $0 : nil })
    }
  }

  private mutating func setDuration(_ known: Duration?) {
    duration = known
    if known == nil { object["duration"] = nil }
    let watched = Set(breaks.filter(\.isWatched).map(\.index))
    breaks = AdBreak.schedule(of: object, duration: known)
    for index in breaks.indices where watched.contains(breaks[index].index) { breaks[index].isWatched = true }
  }

  var textTracks: [Track] { tracks.filter { $0.type == "TEXT" } }

  /// What messages say of it.
  func json(_ stage: Stage) -> JSONObject {
    var json = object
    if stage != .queued, let category { json["mediaCategory"] = .string(category.rawValue) }
    if stage == .queued || stage == .loading { return json }
    if let duration { json["duration"] = duration.json }
    return stage == .shown ? withParts(json) : json
  }

  /// Adds tracks and breaks.
  private func withParts(_ media: JSONObject) -> JSONObject {
    var json = media
    if json["tracks"]?.array == nil { json["tracks"] = [] }
    if json["breakClips"]?.array == nil { json["breakClips"] = [] }
    var entries = json["breaks"]?.array ?? []
    for adBreak in breaks where adBreak.isWatched && entries.indices.contains(adBreak.index) {
      guard var entry = entries[adBreak.index].object else { continue }
      entry["isWatched"] = true
      entries[adBreak.index] = .object(entry)
    }
    json["breaks"] = .array(entries)
    return json
  }

  /// Whether a status may hold the media more than once.
  var isShort: Bool { length <= ReceiverLimits.repeatedMediaLength }

  /// Replaces the caption style.
  /// - Returns: False for what is no style, or is too long.
  mutating func setTextTrackStyle(_ style: JSONValue) -> Bool {
    var changed = object
    changed["textTrackStyle"] = style
    let changedLength = JSONValue.object(changed).serialized().utf8.count
    guard
      style.object != nil, style.isNested(atMost: ReceiverLimits.mediaDepth - 1),
      changedLength <= ReceiverLimits.mediaLength
    else { return false }
    object = changed
    length = changedLength
    return true
  }

  /// Whether all of `ids` exist, and at most one audio and one video track is among them.
  func canActivate(_ ids: [Int]) -> Bool {
    let chosen = ids.compactMap { id in tracks.first { $0.id == id } }
    return chosen.count == ids.count && chosen.count { $0.type == "AUDIO" } <= 1
      && chosen.count { $0.type == "VIDEO" } <= 1
  }

  private static func tracks(_ value: JSONValue?) -> [Track]? {
    guard isArrayOrAbsent(value) else { return nil }
    let entries = value?.array ?? []
    guard entries.count <= ReceiverLimits.tracks else { return nil }
    let tracks = entries.compactMap { entry -> Track? in
      guard let id = entry["trackId"]?.whole, let type = entry["type"]?.string else { return nil }
      return Track(id: id, type: type, language: entry["language"]?.string)
    }
    return tracks.count == entries.count ? tracks : nil
  }

  private static func isArrayOrAbsent(_ value: JSONValue?) -> Bool {
    guard let value else { return true }
    return value.isNull || value.array != nil
  }
}

extension JSONValue {
  /// Whether arrays and objects nest at most `depth` deep; looks no deeper than that.
  func isNested(atMost depth: Int) -> Bool {
    switch self {
    case .array(let values): depth > 0 && values.allSatisfy { $0.isNested(atMost: depth - 1) }
    case .object(let object): depth > 0 && object.members.allSatisfy { $0.value.isNested(atMost: depth - 1) }
    default: true
    }
  }
}
