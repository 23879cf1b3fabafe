package import CastProtocol

/// A running app this connection has a virtual connection to.
package struct AppSession: Hashable, Sendable {
  package var appID: String
  package var sessionID: String
  package var transportID: EndpointID
  /// Whether we launched it (and may stop it when leaving), or joined it.
  package var isOurs: Bool

  package init(appID: String, sessionID: String, transportID: EndpointID, isOurs: Bool) {
    self.appID = appID
    self.sessionID = sessionID
    self.transportID = transportID
    self.isOurs = isOurs
  }
}

/// Whether a launch may join a running instance of the app.
package enum JoinPolicy: String, Hashable, Sendable {
  case auto, never, only
}
