import CastProtocol
import RunReporting
import ScenarioLanguage

/// A name that a load carries in the free data of its media, so that a later process finds out from the device's status
/// whether the load has come to it (docs/protocol.md 4.2). Receivers tell media again as they were sent.
enum PlayID {
  private static let owner = "showcaller"
  private static let name = "play"
  /// A load that is near to the largest message gets none.
  private static let lengthLimit = 60_000

  /// The media with the name in it; `nil` where they have free data of the document's own, and for files of this computer,
  /// which nobody serves any more when its process has died.
  static func marked(_ media: MediaInformation, _ play: String) -> MediaInformation? {
    guard media.customData == nil, !media.contentID.hasPrefix("file:") else { return nil }
    var media = media
    media.customData = [owner: [name: .string(play)]]
    return media
  }

  /// The name in media that a device tells.
  static func read(_ media: MediaInformation?) -> String? { media?.customData?[owner]?[name]?.string }

  static func fits(_ request: JSONObject) -> Bool { JSONValue.object(request).serialized().utf8.count < lengthLimit }
}

extension DeviceAction {
  /// The same with a name by which the device tells it again; `nil` where it cannot carry one.
  package func marked(_ play: String) -> DeviceAction? {
    switch self {
    case .load(var load):
      guard let media = PlayID.marked(load.request.media, play) else { return nil }
      load.request.media = media
      return PlayID.fits(load.request.json) ? .load(load) : nil
    case .queueLoad(var queue):
      for index in queue.items.indices {
        guard let media = PlayID.marked(queue.items[index].media, play) else { return nil }
        queue.items[index].media = media
      }
      var request = JSONObject()
      request["items"] = .array(queue.request.items.map { $0.media?.json ?? .null })
      return PlayID.fits(request) ? .queueLoad(queue) : nil
    default: return nil
    }
  }

  /// The media that the action loads; `nil` where it loads none that can carry a name.
  var plays:
    (until: Plan.LoadAction.Until, trackNames: [Int: String], tracks: [Int], byContent: [String: [Int: String]])?
  {
    switch self {
    case .load(let load): return (load.until, load.trackNames, load.request.activeTrackIDs ?? [], [:])
    case .queueLoad(let queue):
      let first = queue.items.indices.contains(queue.startAt - 1) ? queue.items[queue.startAt - 1] : queue.items.first
      var names: [String: [Int: String]] = [:]
      for item in queue.items {
        if !item.trackNames.isEmpty { names[item.media.contentID] = item.trackNames }
      }
      return (queue.until, first?.trackNames ?? [:], [], names)
    default: return nil
    }
  }

  /// The app, and the ids and addresses of the contents that the action loads, as the document has them; `nil` where it
  /// loads none.
  var loads: (appID: String?, defaultAppID: String, contents: [String])? {
    switch self {
    case .load(let load): (load.appID, load.defaultAppID, Self.names(of: load.request.media))
    case .queueLoad(let queue): (queue.appID, queue.defaultAppID, queue.items.flatMap { Self.names(of: $0.media) })
    default: nil
    }
  }

  private static func names(of media: MediaInformation) -> [String] {
    [media.contentID] + [media.contentURL].compactMap(\.self)
  }
}
