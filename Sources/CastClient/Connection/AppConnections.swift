import CastProtocol

/// The apps one connection talks to: their virtual connections, and what still has to be asked of them.
///
/// Times are network time.
struct AppConnections: Sendable {
  /// An app that lists a session without media is asked again after this (quirk 34).
  static let followUpDelay = Duration.seconds(1)

  /// In the order of connecting.
  private(set) var sessions: [AppSession] = []
  /// When each was connected to; as many as there are sessions.
  private var connectedAt: [EndpointID: Duration] = [:]
  /// In whose name else an app speaks; few, and only who answered a LOAD of ours.
  private var otherNames: [EndpointID: EndpointID] = [:]
  /// What was loaded last in each app: what the content is called.
  private var loaded: [EndpointID: Set<String>] = [:]
  private var followUp: (transport: EndpointID, at: Duration)?
  private var followedUp: (transport: EndpointID, mediaSession: Int)?

  var nextDeadline: Duration? { followUp?.at }

  func contains(_ transport: EndpointID) -> Bool { sessions.contains { $0.transportID == transport } }
  func contains(_ session: AppSession) -> Bool {
    sessions.contains { $0.sessionID == session.sessionID && $0.transportID == session.transportID }
  }

  /// When this connection connected to the app; long ago where it did not.
  func connectedAt(_ transport: EndpointID) -> Duration { connectedAt[transport] ?? .seconds(-86_400) }

  mutating func connect(_ session: AppSession, at now: Duration) {
    if connectedAt[session.transportID] == nil { connectedAt[session.transportID] = now }
    if let index = sessions.firstIndex(where: { $0.transportID == session.transportID }) {
      sessions[index] = session
    } else {
      sessions.append(session)
    }
  }

  mutating func disconnect(_ transport: EndpointID) { remove { $0.transportID == transport } }

  /// Forgets every app but the one that the device lists.
  mutating func keep(_ listed: String?) {
    if sessions.contains(where: { $0.sessionID != listed }) { remove { $0.sessionID != listed } }
  }

  private mutating func remove(_ isGone: (AppSession) -> Bool) {
    for session in sessions where isGone(session) {
      connectedAt[session.transportID] = nil
      loaded[session.transportID] = nil
      otherNames = otherNames.filter { $0.value != session.transportID }
    }
    sessions.removeAll(where: isGone)
  }

  // MARK: who speaks

  /// The app that runs, where it is connected to.
  func current(_ running: String?) -> AppSession? {
    guard let running else { return nil }
    return sessions.first { $0.sessionID == running }
  }

  /// Whether `source` speaks for `app`: the platform, the session's own id, or who has answered us before.
  func speaks(_ source: EndpointID, for app: AppSession) -> Bool {
    source == .receiver || source.rawValue == app.sessionID || otherNames[source] == app.transportID
  }

  mutating func noteName(_ source: EndpointID, of app: AppSession) {
    if otherNames.count < Self.nameLimit { otherNames[source] = app.transportID }
  }
  private static let nameLimit = 16

  mutating func noteLoad(of contents: Set<String>, in transport: EndpointID) {
    if contains(transport) { loaded[transport] = contents }
  }

  func loadedContents(in transport: EndpointID) -> Set<String> { loaded[transport] ?? [] }

  mutating func removeAll() {
    remove { _ in true }
    followUp = nil
  }

  /// Plans to ask an app once more that lists a session but not what it plays.
  mutating func scheduleMediaRefresh(
    _ status: Shared<MediaStatus>.Storage?, from transport: EndpointID, at now: Duration
  ) {
    guard let status, status.value.isActive, status.value.$media == nil, status.value.$extendedMedia == nil else {
      return
    }
    if let followedUp, followedUp == (transport, status.value.mediaSessionID) { return }
    followedUp = (transport, status.value.mediaSessionID)
    followUp = (transport, now + Self.followUpDelay)
  }

  /// The app to ask now, if any; it is returned once.
  mutating func takeDueMediaRefresh(at now: Duration) -> EndpointID? {
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
