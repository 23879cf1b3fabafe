import CastProtocol

/// The apps one connection talks to: their virtual connections, and what still has to be asked of them.
///
/// Times are network time.
struct AppConnections: Sendable {
  /// An app that lists a session without media is asked again after this (quirk 34).
  static let followUpDelay = Duration.seconds(1)

  /// In the order of connecting.
  private(set) var sessions: [AppSession] = []
  private var followUp: (transport: EndpointID, at: Duration)?
  private var followedUp: (transport: EndpointID, mediaSession: Int)?

  var nextDeadline: Duration? { followUp?.at }

  func contains(_ transport: EndpointID) -> Bool { sessions.contains { $0.transportID == transport } }
  func contains(_ session: AppSession) -> Bool {
    sessions.contains { $0.sessionID == session.sessionID && $0.transportID == session.transportID }
  }

  mutating func connect(_ session: AppSession) {
    if let index = sessions.firstIndex(where: { $0.transportID == session.transportID }) {
      sessions[index] = session
    } else {
      sessions.append(session)
    }
  }

  mutating func disconnect(_ transport: EndpointID) { sessions.removeAll { $0.transportID == transport } }

  /// Forgets every app that `status` does not list.
  mutating func keepListed(in status: ReceiverStatus?) {
    let listed = status?.application?.sessionID
    if sessions.contains(where: { $0.sessionID != listed }) { sessions.removeAll { $0.sessionID != listed } }
  }

  mutating func removeAll() {
    sessions = []
    followUp = nil
  }

  /// Plans to ask an app once more that lists a session but not what it plays.
  mutating func planFollowUp(_ status: MediaStatus?, from transport: EndpointID, at now: Duration) {
    guard let status, status.isActive, status.media == nil, status.extendedMedia == nil else { return }
    if let followedUp, followedUp == (transport, status.mediaSessionID) { return }
    followedUp = (transport, status.mediaSessionID)
    followUp = (transport, now + Self.followUpDelay)
  }

  /// The app to ask now, if any; it is returned once.
  mutating func takeFollowUp(at now: Duration) -> EndpointID? {
    guard let due = followUp, due.at <= now else { return nil }
    followUp = nil
    return contains(due.transport) ? due.transport : nil
  }

  /// Why `session` is over, judged by what the device lists; `nil` while it is listed.
  static func loss(of session: AppSession, in status: ReceiverStatus?) -> ClientError? {
    guard let app = status?.application, !app.isIdle else { return gone }
    if app.sessionID == session.sessionID { return nil }
    return ClientError(.takenOver, "\(app.nameForPeople) replaced the app")
  }

  static let gone = ClientError(.appGone, "the app is no longer running")
}
