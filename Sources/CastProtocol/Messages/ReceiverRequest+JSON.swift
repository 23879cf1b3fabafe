extension ReceiverRequest {
  /// `type` on the wire.
  package var type: String {
    switch self {
    case .getStatus: "GET_STATUS"
    case .launch: "LAUNCH"
    case .stop: "STOP"
    case .setVolume: "SET_VOLUME"
    case .getAppAvailability: "GET_APP_AVAILABILITY"
    }
  }

  /// Reads a request, leniently; `nil` for a type that is none, and where what it cannot do without is missing.
  package init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    switch object["type"]?.string {
    case "GET_STATUS": self = .getStatus
    case "LAUNCH":
      guard let appID = object["appId"]?.string else { return nil }
      self = .launch(
        appID: appID, language: object["language"]?.lenientText, appParams: object["appParams"]?.unlessNull,
        supportedAppTypes: object["supportedAppTypes"]?.lenientList(\.lenientText))
    case "STOP": self = .stop(sessionID: object["sessionId"]?.lenientText)
    case "SET_VOLUME":
      guard let volume = object["volume"]?.object else { return nil }
      self = .setVolume(level: volume["level"]?.lenientNumber, muted: volume["muted"]?.lenientFlag)
    case "GET_APP_AVAILABILITY":
      guard let appIDs = object["appId"]?.lenientList(\.string) else { return nil }
      self = .getAppAvailability(appIDs: appIDs)
    default: return nil
    }
  }

  /// The payload.
  package func json(requestID: Int) -> JSONValue {
    var object = JSONObject()
    object.append("type", type)
    object.append("requestId", requestID)
    switch self {
    case .getStatus: break
    case .launch(let appID, let language, let appParams, let supportedAppTypes):
      object.append("appId", appID)
      object.append("language", language)
      object.append("appParams", appParams)
      object.append("supportedAppTypes", supportedAppTypes.map { .array($0.map { .string($0) }) })
    case .stop(let sessionID): object.append("sessionId", sessionID)
    case .setVolume(let level, let muted): object.append("volume", JSONObject(level: level, muted: muted))
    case .getAppAvailability(let appIDs): object.append("appId", .array(appIDs.map { .string($0) }))
    }
    return .object(object)
  }
}
