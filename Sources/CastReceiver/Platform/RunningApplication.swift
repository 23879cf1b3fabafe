import CastProtocol

/// The app in the foreground: one of ours that plays media, one of ours that plays none, or a page.
struct RunningApplication: Hashable, Sendable {
  let appID: String
  /// Also the transport id, as on devices of today (docs/protocol.md 2.1).
  let sessionID: String
  let transportID: EndpointID
  /// What the app answers with an echo.
  let customNamespaces: [Namespace]
  /// The media session of an app of ours; `nil` for apps without media, and for pages, which have their own player.
  var media: MediaSessionStateMachine?
  /// Its name, where it is no app of ours.
  var name: String?
  /// The last `senderConnected` that went out.
  var hasSender = false
  /// The page that answers; `nil` where we answer ourselves.
  var page: PageApplication?
  /// The sender that launched it.
  var launchingSender: PageSenderID?

  /// - Parameters:
  ///   - seed: Of everything that looks random in this app session.
  ///   - page: What answers in our place.
  init(
    appID: String, sessionID: String, seed: UInt64, configuration: ReceiverConfiguration, page: PageApplication? = nil
  ) {
    customNamespaces = page == nil ? configuration.customNamespaces[appID] ?? [] : []
    if page == nil, !configuration.plainAppIDs.contains(appID) {
      media = MediaSessionStateMachine(configuration, playing: configuration.appTypes[appID], seed: seed)
    }
    self.page = page
    name = configuration.appNames[appID]
    self.appID = appID
    self.sessionID = sessionID
    transportID = EndpointID(sessionID)
  }

  var playsMedia: Bool { media != nil }

  /// What every media app offers.
  private static let mediaNamespaces = [
    Namespace.commandAndControl.rawValue, "urn:x-cast:com.google.cast.debugoverlay",
    "urn:x-cast:com.google.cast.broadcast", Namespace.media.rawValue,
  ]

  /// What every other app offers.
  private static let plainNamespaces = [
    Namespace.commandAndControl.rawValue, "urn:x-cast:com.google.cast.debugoverlay",
  ]

  var displayName: String {
    if let name { return name }
    if page != nil { return "Receiver Page \(appID)" }
    if appID == "CC1AD845" { return "Default Media Receiver" }
    return playsMedia ? "Virtual Media App \(appID)" : "Virtual App \(appID)"
  }

  /// The status text of the app in RECEIVER_STATUS.
  var statusText: String { page?.statusText ?? displayName }

  private var namespaces: [String] {
    if let page { return page.namespaces.map(\.rawValue) }
    return (playsMedia ? Self.mediaNamespaces : Self.plainNamespaces) + customNamespaces.map(\.rawValue)
  }

  /// The entry of `applications` (docs/protocol.md 3.3); `senderConnected` is left out where firmware is older.
  func json(reportingSender: Bool) -> JSONValue {
    var members: [JSONObject.Member] = [
      .init("appId", .string(appID)), .init("appType", "WEB"), .init("displayName", .string(displayName)),
      .init("iconUrl", ""), .init("isIdleScreen", false), .init("launchedFromCloud", false),
      .init(
        "namespaces", .array(namespaces.map { ["name": .string($0)] })),
    ]
    if reportingSender { members.append(.init("senderConnected", .bool(hasSender))) }
    members += [
      .init("sessionId", .string(sessionID)), .init("statusText", .string(statusText)),
      .init("transportId", .string(sessionID)), .init("universalAppId", .string(appID)),
    ]
    return .object(JSONObject(members))
  }
}
