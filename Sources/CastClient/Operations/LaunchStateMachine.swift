import CastProtocol

/// Makes an app run and connects to it.
///
/// Done when a RECEIVER_STATUS, whoever it answers, lists the app with a transport id and the media namespace
/// (cast-protocol.md 6.2 and quirks 5, 6, 42, 45). While that is outstanding the device is asked once a second.
struct LaunchStateMachine: OperationStateMachine {
  /// What the caller wants.
  struct Request: Hashable, Sendable {
    var appID: String
    var language: String?
    var appParams: JSONValue?
    var join: JoinPolicy
  }

  private enum Phase {
    case stopping(sessionID: String)
    case launching
    /// The app asked for a pause before CONNECT (quirk 33).
    case settling(AppSession, until: Duration)
    /// Joined: waits for what is playing there.
    case joining(AppSession)
  }

  /// How often a device that has not listed the app yet is asked.
  static let pollInterval = Duration.seconds(1)
  /// How long a person has to allow a launch (design.md 10).
  static let consentTime = Duration.seconds(120)

  private let request: Request
  private let replyTimeout: Duration
  private let connectDelay: Duration
  /// What runs before our LAUNCH: as last seen, then as the device answers.
  private var running: ReceiverStatus.Application?
  /// The apps this connection has a virtual connection to.
  private let connected: [AppSession]

  private var phase = Phase.launching
  private var nextPoll: Duration?
  private var isPolling = false
  /// The question that left with LAUNCH is not answered yet; its answer says what ran just before.
  private var awaitsBaseline = false
  /// An app of another session that appeared after our LAUNCH; the next poll that is sent decides.
  private var rival: String?
  private var isProbingRival = false
  private var isListedIncompletely = false
  private var awaitsConsent = false

  init(
    _ request: Request, running: ReceiverStatus.Application?, connected: [AppSession], replyTimeout: Duration,
    connectDelay: Duration = .zero
  ) {
    self.request = request
    self.running = running
    self.connected = connected
    self.replyTimeout = replyTimeout
    self.connectDelay = connectDelay
  }

  var session: AppSession? {
    switch phase {
    case .settling(let session, _), .joining(let session): session
    case .stopping, .launching: nil
    }
  }

  var entersApp: Bool { true }
  var wakeAt: Duration? { if case .settling(_, let end) = phase { end } else { nextPoll } }

  var changes: Set<OthersAct.Subject> { [.app, .media] }
  var timeout: ClientError {
    let reason =
      if awaitsConsent {
        "nobody allowed \(request.appID) on the device"
      } else if case .stopping = phase {
        "\(request.appID) still runs after STOP"
      } else if isListedIncompletely {
        "\(request.appID) runs, but lists no transport id with the media namespace"
      } else {
        "no status listed \(request.appID)"
      }
    return ClientError(.timeout, reason)
  }

  mutating func begin(at now: Duration) -> [OperationEffect] {
    guard let running, running.matches(request.appID) else {
      // To refuse, what we know has to be fresh: somebody may have launched it just now.
      return request.join == .only ? poll(at: now) : launch(at: now)
    }
    switch request.join {
    case .never:
      phase = .stopping(sessionID: running.sessionID)
      nextPoll = now + Self.pollInterval
      return [.request(.receiver(.stop(sessionID: running.sessionID)))]
    case .auto, .only:
      if let session = session(of: running) { return enter(session, at: now) }
      if request.join == .auto { return launch(at: now) }
      isListedIncompletely = true
      return poll(at: now)
    }
  }

  mutating func receive(_ event: OperationEvent, at now: Duration) -> [OperationEffect] {
    switch (phase, event) {
    case (_, .receiverStatus(let status, let correlation)):
      if awaitsBaseline, correlation == .own(.receiverStatus) { return compare(with: status, at: now) }
      // Said before the device read our LAUNCH.
      if awaitsBaseline, correlation != .own(.launch) { return [] }
      awaitsBaseline = false
      if case .own(.receiverStatus) = correlation { isPolling = false }
      return judge(status, isPoll: correlation == .own(.receiverStatus), at: now)
    case (_, .launchStatus(let status)):
      return follow(status)
    case (.stopping, .refused(let refusal, _, .own(.stopApp))) where refusal.kind == .invalidRequest:
      // Nothing left to stop, or not ours to stop: the LAUNCH tells.
      return launch(at: now)
    case (.launching, .refused(let refusal, _, .own(.launch))):
      return [fail(ClientError(refusal))]
    case (.joining(let session), .mediaStatus(_, _, .own(.mediaStatus))),
      (.joining(let session), .refused(_, _, .own(.mediaStatus))):
      return [.finish(.success(.session(session)))]
    case (.joining(let session), .expired(.mediaStatus)):
      // An app that does not say what it plays can still be sent a LOAD.
      return [.finish(.success(.session(session)))]
    case (_, .expired(.receiverStatus)):
      if awaitsBaseline { awaitsBaseline = false } else { isPolling = false }
      return []
    default:
      return []
    }
  }

  mutating func timerFired(at now: Duration) -> [OperationEffect] {
    guard let wakeAt, wakeAt <= now else { return [] }
    if case .settling(let session, _) = phase { return enter(session, at: now) }
    return poll(at: now)
  }

  // MARK: steps

  private mutating func launch(at now: Duration) -> [OperationEffect] {
    phase = .launching
    nextPoll = now + Self.pollInterval
    let launch = ReceiverRequest.launch(
      appID: request.appID, language: request.language, appParams: request.appParams)
    // Somebody may have launched the app a moment ago: only what the device said before it read our LAUNCH tells whose
    // the instance is.
    awaitsBaseline = true
    return [.request(.receiver(.getStatus), within: replyTimeout), .request(.receiver(launch))]
  }

  /// Takes in what ran just before our LAUNCH.
  private mutating func compare(with status: ReceiverStatus, at now: Duration) -> [OperationEffect] {
    awaitsBaseline = false
    running = status.application
    guard case .launching = phase else { return [] }
    if request.join == .never, let running, running.matches(request.appID) {
      phase = .stopping(sessionID: running.sessionID)
      return [.request(.receiver(.stop(sessionID: running.sessionID)))]
    }
    return judge(status, isPoll: false, at: now)
  }

  private mutating func poll(at now: Duration) -> [OperationEffect] {
    nextPoll = now + Self.pollInterval
    if isPolling { return [] }
    isPolling = true
    isProbingRival = rival != nil
    return [.request(.receiver(.getStatus), within: replyTimeout)]
  }

  /// Looks for the app in a status.
  private mutating func judge(_ status: ReceiverStatus, isPoll: Bool, at now: Duration) -> [OperationEffect] {
    let app = status.application
    if case .stopping(let stopped) = phase {
      return app?.sessionID == stopped ? [] : launch(at: now)
    }
    guard case .launching = phase else { return [] }
    guard let app, app.matches(request.appID) || request.join != .only else {
      return request.join == .only && isPoll ? [fail(notRunning)] : []
    }
    if app.matches(request.appID) {
      rival = nil
      if request.join == .never, app.sessionID == running?.sessionID { return [] }
      guard let session = session(of: app) else {
        isListedIncompletely = true
        return []
      }
      return enter(session, at: now)
    }
    if app.isIdle || app.sessionID == running?.sessionID { return [] }
    // Another sender's app. It may have come before our LAUNCH was read; a status asked for from here on tells,
    // because a LAUNCH ends the present app first (cast-protocol.md 3.1).
    if isPoll, isProbingRival, rival == app.sessionID {
      return [fail(ClientError(.takenOver, "another sender launched \(app.nameForPeople)"))]
    }
    rival = app.sessionID
    return poll(at: now)
  }

  private mutating func follow(_ status: String) -> [OperationEffect] {
    guard case .launching = phase else { return [] }
    switch status {
    case "USER_PENDING_AUTHORIZATION":
      awaitsConsent = true
      return [.extend(by: Self.consentTime)]
    case "USER_NOT_ALLOWED", "USER_NOTIFICATIONS_DISABLED":
      return [fail(ClientError(.launchFailed, "LAUNCH_STATUS \(status)"))]
    default:
      awaitsConsent = false
      return []
    }
  }

  /// Connects to the app that was found.
  private mutating func enter(_ session: AppSession, at now: Duration) -> [OperationEffect] {
    nextPoll = nil
    if let known = connected.first(where: { $0.sessionID == session.sessionID }), known == session || !session.isOurs {
      return [.finish(.success(.session(known)))]
    }
    if session.isOurs, connectDelay > .zero {
      if case .settling(_, let end) = phase {
        if now < end { return [] }
      } else {
        phase = .settling(session, until: now + connectDelay)
        return []
      }
    }
    let connect: [OperationEffect] = [
      .connect(session.transportID),
      .request(.media(.getStatus, to: session.transportID), within: replyTimeout),
    ]
    // A new app plays nothing yet: a LOAD can follow at once. A joined one has to tell what it plays.
    if session.isOurs { return connect + [.finish(.success(.session(session)))] }
    phase = .joining(session)
    return connect
  }

  /// The session of a listed app once it can be talked to.
  private func session(of app: ReceiverStatus.Application) -> AppSession? {
    guard let transportID = app.transportID, app.namespaces.contains(.media) else { return nil }
    return AppSession(
      appID: app.appID, sessionID: app.sessionID, transportID: transportID,
      isOurs: request.join != .only && app.sessionID != running?.sessionID)
  }

  private var notRunning: ClientError {
    ClientError(
      .launchFailed, "\(request.appID) does not run", help: "start it, or leave out 'join: only' to have it launched")
  }

  private func fail(_ error: ClientError) -> OperationEffect { .finish(.failure(error)) }
}

extension ReceiverStatus.Application {
  /// Whether this is the app that was asked for; some devices run another id under the same universal one (quirk 42).
  func matches(_ appID: String) -> Bool {
    self.appID.caseInsensitivelyEquals(appID) || universalAppID?.caseInsensitivelyEquals(appID) == true
  }

  /// Whether nothing is shown: the idle screen, on older firmware known only by its id (cast-protocol.md 8).
  var isIdle: Bool { isIdleScreen || appID == "E8C28D3C" }

  var nameForPeople: String { displayName.isEmpty ? appID : displayName }
}

extension String {
  /// Compares ASCII letters without regard to case; app ids are hexadecimal digits.
  fileprivate func caseInsensitivelyEquals(_ other: String) -> Bool {
    self == other || lowercased() == other.lowercased()
  }
}
