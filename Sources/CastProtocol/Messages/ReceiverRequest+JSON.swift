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

  /// The payload.
  package func json(requestID: Int) -> JSONValue {
    var object = JSONObject()
    object.append("type", type)
    object.append("requestId", requestID)
    switch self {
    case .getStatus: break
    case .launch(let appID, let language, let appParams):
      object.append("appId", appID)
      object.append("language", language)
      object.append("appParams", appParams)
    case .stop(let sessionID): object.append("sessionId", sessionID)
    case .setVolume(let level, let muted): object.append("volume", JSONObject(level: level, muted: muted))
    case .getAppAvailability(let appIDs): object.append("appId", .array(appIDs.map { .string($0) }))
    }
    return .object(object)
  }
}
