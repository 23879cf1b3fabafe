import CastProtocol

/// What a status tells that conditions ask for (docs/language/conditions.md "Status fields"), as far as the ledger of a
/// receiver keeps it.
package enum LedgerField: String, CaseIterable, Hashable, Sendable {
  case player, content, title
  case mediaSession = "media_session"
  case idleReason = "idle_reason"
  case breakID = "break.id"
  case breakClip = "break.clip"
  case appID = "app.id"
  case isMuted = "volume.muted"

  /// What the first session of a MEDIA_STATUS tells; `nil`: nothing of this field.
  func value(inMedia status: JSONValue) -> JSONValue? {
    switch self {
    case .player: status["playerState"]?.string.map { .string($0.lowercased()) }
    case .content: status["media"]?["contentId"]
    case .title: status["media"]?["metadata"]?["title"]
    case .mediaSession: status["mediaSessionId"]
    case .idleReason: status["idleReason"]?.string.map { .string($0.lowercased()) }
    // Told with each status of content that has breaks: without, no break plays.
    case .breakID: status["breakStatus"]?["breakId"] ?? .null
    case .breakClip: status["breakStatus"]?["breakClipId"] ?? .null
    case .appID, .isMuted: nil
    }
  }

  /// What the status of a RECEIVER_STATUS tells.
  func value(inReceiver status: JSONValue) -> JSONValue? {
    switch self {
    case .appID: status["applications"]?.array?.first?["appId"] ?? .null
    case .isMuted: status["volume"]?["muted"]
    case .player, .content, .title, .mediaSession, .idleReason, .breakID, .breakClip: nil
    }
  }

  /// The value in what an expectation got, which may nest.
  func value(in got: JSONObject) -> JSONValue? {
    if let value = got[rawValue] { return value }
    let parts = rawValue.split(separator: ".").map(String.init)
    return parts.dropFirst().reduce(got[parts[0]]) { $0?[$1] }
  }
}
