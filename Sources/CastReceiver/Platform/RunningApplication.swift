import CastProtocol

/// The app in the foreground: a media app with one media session state machine.
struct RunningApplication: Hashable, Sendable {
  let appID: String
  /// Also the transport id, as on devices of today (cast-protocol.md 2.1).
  let sessionID: String
  let transportID: EndpointID
  var media = MediaSessionStateMachine()
  /// The last `senderConnected` that went out.
  var hasSender = false

  init(appID: String, sessionID: String) {
    self.appID = appID
    self.sessionID = sessionID
    transportID = EndpointID(sessionID)
  }

  static let namespaces = [
    "urn:x-cast:com.google.cast.cac", "urn:x-cast:com.google.cast.debugoverlay",
    "urn:x-cast:com.google.cast.broadcast", Namespace.media.rawValue,
  ]

  var displayName: String { appID == "CC1AD845" ? "Default Media Receiver" : "Virtual Media App \(appID)" }

  /// The entry of `applications` (cast-protocol.md 3.3); `senderConnected` is left out where firmware is older.
  func json(reportingSender: Bool) -> JSONValue {
    var members: [JSONObject.Member] = [
      .init("appId", .string(appID)), .init("appType", "WEB"), .init("displayName", .string(displayName)),
      .init("iconUrl", ""), .init("isIdleScreen", false), .init("launchedFromCloud", false),
      .init("namespaces", .array(Self.namespaces.map { ["name": .string($0)] })),
    ]
    if reportingSender { members.append(.init("senderConnected", .bool(hasSender))) }
    members += [
      .init("sessionId", .string(sessionID)), .init("statusText", .string(displayName)),
      .init("transportId", .string(sessionID)), .init("universalAppId", .string(appID)),
    ]
    return .object(JSONObject(members))
  }
}
