package import CastProtocol
package import CastTransport

/// One connection to one device: the sender's side of every virtual connection on it.
package actor CastConnection {
  /// Takes over an open channel: CONNECT to the platform, GET_STATUS, heartbeat from now on.
  ///
  /// Returns when the first RECEIVER_STATUS has come.
  package init(channel: any ByteChannel, times: TimeSources, configuration: ClientConfiguration) { preconditionFailure() }
  package func open() async throws(ClientError) { preconditionFailure() }

  // MARK: status

  /// The merged state as of now.
  package var snapshot: DeviceSnapshot { preconditionFailure() }
  /// The number of the newest observation; 0 before the first.
  package var lastObservation: Int { preconditionFailure() }
  /// What was seen after observation `number`, oldest first, as far as the history reaches.
  package func observations(after number: Int) -> [Observation] { preconditionFailure() }
  /// Waits for something newer than observation `number`; empty when show time `deadline` passed first or the task was cancelled.
  /// After the connection is lost returns at once with what there is (its last observation has scope `connection`), then empty.
  package func nextObservations(after number: Int, until deadline: Duration) async -> [Observation] { preconditionFailure() }

  // MARK: the platform

  /// Makes `appID` the running app and connects to it; the reply is a status that lists it with the media namespace.
  /// Follows LAUNCH_STATUS; extends to 2 minutes while a person is asked. `deadline` is show time.
  package func launch(_ appID: String, language: String? = nil, appParams: JSONValue? = nil, join: JoinPolicy, until deadline: Duration)
    async throws(ClientError) -> AppSession
  { preconditionFailure() }
  package func stopApp(_ session: AppSession, until deadline: Duration) async throws(ClientError) { preconditionFailure() }
  /// `level` is 0 to 1. Returns when the status shows it.
  package func setVolume(level: Double?, muted: Bool?, until deadline: Duration) async throws(ClientError) { preconditionFailure() }
  package func refreshReceiver() async throws(ClientError) { preconditionFailure() }

  // MARK: media

  /// Sends LOAD; returns the media session id as soon as a status of the new media session appeared.
  /// "Done when" beyond that is the caller's to judge from observations.
  package func load(_ request: LoadRequest, in session: AppSession, until deadline: Duration) async throws(ClientError) -> Int { preconditionFailure() }
  /// Sends a command and returns at its reply (a status that carries its id, or a later one).
  package func command(_ request: MediaRequest, in session: AppSession, until deadline: Duration) async throws(ClientError) { preconditionFailure() }
  package func refreshMedia(in session: AppSession) async throws(ClientError) { preconditionFailure() }

  // MARK: the end

  /// CLOSE to app and platform, then the socket. `abruptly` drops TCP without a word.
  package func disconnect(abruptly: Bool = false) async { preconditionFailure() }
}

/// Whether a launch may join a running instance of the app.
package enum JoinPolicy: String, Hashable, Sendable {
  case auto, never, only
}

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
