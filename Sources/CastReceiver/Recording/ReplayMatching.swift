import CastProtocol

/// Whether a request is one of the recording: by the members that matter for its type. Ids of requests and sessions are
/// others each time.
enum ReplayMatching {
  /// How far apart a SEEK and that of the recording may go: positions are read at other moments.
  private static let seekTolerance = 2.0
  private static let levelTolerance = 0.001

  static func isSame(_ recorded: JSONObject, _ live: JSONObject, on namespace: Namespace) -> Bool {
    guard recorded["type"]?.string == live["type"]?.string else { return false }
    func same(_ names: String...) -> Bool { names.allSatisfy { isSame(recorded[$0], live[$0]) } }
    guard namespace == .media || namespace == .receiver else { return sameButIDs(recorded, live) }
    switch live["type"]?.string ?? "" {
    case "GET_STATUS", "PLAY", "PAUSE", "STOP", "SKIP_AD", "QUEUE_NEXT", "QUEUE_PREV", "QUEUE_SHUFFLE",
      "QUEUE_GET_ITEM_IDS", "STORE_SESSION", "PLAY_AGAIN":
      return true
    case "LAUNCH", "GET_APP_AVAILABILITY": return same("appId")
    case "LOAD": return content(of: recorded["media"]) == content(of: live["media"])
    case "QUEUE_LOAD", "QUEUE_INSERT": return contents(recorded) == contents(live) && same("insertBefore")
    case "SEEK":
      return isNear(recorded["currentTime"], live["currentTime"], seekTolerance)
        && same("relativeTime", "resumeState")
    case "SET_VOLUME", "VOLUME":
      let (old, new) = (recorded["volume"], live["volume"])
      return isNear(old?["level"], new?["level"], levelTolerance) && isSame(old?["muted"], new?["muted"])
    case "SET_PLAYBACK_RATE": return same("playbackRate", "relativePlaybackRate")
    case "EDIT_TRACKS_INFO": return same("activeTrackIds", "textTrackStyle")
    case "QUEUE_UPDATE": return same("currentItemId", "jump", "repeatMode", "shuffle")
    case "QUEUE_REMOVE", "QUEUE_GET_ITEMS": return same("itemIds")
    case "QUEUE_REORDER": return same("itemIds", "insertBefore")
    default: return sameButIDs(recorded, live)
    }
  }

  private static func isSame(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
    (left ?? .null) == (right ?? .null)
  }

  private static func isNear(_ left: JSONValue?, _ right: JSONValue?, _ tolerance: Double) -> Bool {
    guard let left = left?.number, let right = right?.number else { return isSame(left, right) }
    return abs(left - right) <= tolerance
  }

  private static func sameButIDs(_ recorded: JSONObject, _ live: JSONObject) -> Bool {
    var (left, right) = (recorded, live)
    for name in ["requestId", "sessionId", "mediaSessionId", "transportId"] {
      left[name] = nil
      right[name] = nil
    }
    // What was secret is not in a recording.
    return JSONValue.object(left).withoutCredentials == JSONValue.object(right).withoutCredentials
  }

  private static func contents(_ queue: JSONObject) -> [String] {
    (queue["items"]?.array ?? []).map { content(of: $0["media"]) }
  }

  /// What a `media` plays. A file of this computer has another address in each run, and keeps its name.
  private static func content(of media: JSONValue?) -> String {
    let address =
      media?["contentUrl"]?.string ?? media?["contentId"]?.string ?? media?["entity"]?.string ?? ""
    let parts = address.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 6 && parts[3] == "m" ? "m/\(parts[5])" : address
  }
}
