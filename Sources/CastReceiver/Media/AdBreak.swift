import CastProtocol

/// A break of loaded media with the clips that play in it. Source: docs/protocol.md 5.7.
struct AdBreak: Hashable, Sendable {
  struct Clip: Hashable, Sendable {
    var id: String
    var duration: Duration
    /// Clip time from which SKIP_AD works; `nil`: never.
    var whenSkippable: Duration?
    /// False when no device plays its content type: it is dropped.
    var isPlayable: Bool
    /// Where it is, what it is, and what it is called, as far as the sender says so.
    var address: String?
    var contentType: String?
    var title: String?

    /// How long a clip lasts of which nobody says a duration.
    static let standardDuration = Duration.seconds(10)
  }

  let id: String
  /// Where it stands in `breaks` as sent.
  let index: Int
  /// Content time; `nil` for a post-roll.
  let position: Duration?
  /// Part of the stream: its clips need no loading.
  let isEmbedded: Bool
  var isWatched: Bool
  let clips: [Clip]

  /// Whether it is still to come and has something to show.
  var isPlayable: Bool { !isWatched && clips.contains(where: \.isPlayable) }

  /// The breaks of `media` in the order of play; what is no break is left out.
  static func schedule(of media: JSONObject, duration: Duration?) -> [AdBreak] {
    let clips = self.clips(media["breakClips"]?.array ?? [])
    let breaks = (media["breaks"]?.array ?? []).prefix(ReceiverLimits.breaks).enumerated().compactMap { index, entry in
      AdBreak(entry, index: index, clips: clips, duration: duration)
    }
    return breaks.filter { $0.position != nil }.sorted {
      ($0.position ?? .zero, $0.index) < ($1.position ?? .zero, $1.index)
    }
      + breaks.filter { $0.position == nil }
  }

  private init?(_ json: JSONValue, index: Int, clips: [String: Clip], duration: Duration?) {
    guard let id = json["id"]?.string, let position = Duration(json: json["position"]) else { return nil }
    self.id = id
    self.index = index
    isEmbedded = json["isEmbedded"]?.flag ?? false
    isWatched = json["isWatched"]?.flag ?? false
    // -1 is a post-roll, and so is what lies at the end or behind it.
    if position < .zero || duration.map({ position >= $0 }) == true {
      self.position = nil
    } else {
      self.position = position
    }
    let ids = (json["breakClipIds"]?.array ?? []).prefix(ReceiverLimits.clipsPerBreak).compactMap(\.string)
    self.clips = ids.compactMap { clips[$0] }
  }

  private static func clips(_ entries: [JSONValue]) -> [String: Clip] {
    var clips: [String: Clip] = [:]
    for entry in entries {
      guard let object = entry.object, let id = object["id"]?.string else { continue }
      let duration = Duration(json: object["duration"]).flatMap { $0 > .zero ? $0 : nil }
      // Android senders write -1 for a clip that cannot be skipped.
      let whenSkippable = Duration(json: object["whenSkippable"]).flatMap { $0 >= .zero ? $0 : nil }
      clips[id] = Clip(
        id: id, duration: duration ?? Clip.standardDuration, whenSkippable: whenSkippable,
        isPlayable: ContentType.category(of: object) != nil, address: object.contentAddress,
        contentType: object["contentType"]?.string ?? object["mimeType"]?.string, title: object["title"]?.string)
    }
    return clips
  }
}
