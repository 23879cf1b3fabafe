/// A sender's request on the receiver namespace. Source: docs/protocol.md 3.1.
package enum ReceiverRequest: Hashable, Sendable {
  case getStatus
  case launch(appID: String, language: String? = nil, appParams: JSONValue? = nil, supportedAppTypes: [String]? = nil)
  /// `nil` stops whatever runs.
  case stop(sessionID: String?)
  /// One of the two; a level is 0 to 1.
  case setVolume(level: Double?, muted: Bool?)
  case getAppAvailability(appIDs: [String])
}
