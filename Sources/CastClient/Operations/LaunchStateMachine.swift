package import CastProtocol

/// Makes an app run and connects to it.
///
/// Done when a RECEIVER_STATUS, whoever it answers, lists the app with a transport id and its namespaces
/// (docs/protocol.md 6.2, Q5, Q6, Q42, Q45). While that is outstanding the device is asked once a second. An app
/// that lists no media namespace may do so late, or play none: see ``readiness(of:at:)``.
struct LaunchStateMachine: OperationStateMachine {
  /// What the caller wants.
  struct Request: Hashable, Sendable {
    var appID: String
    var language: String?
    var appParams: JSONValue?
    /// `WEB`, `ANDROID_TV`; `nil` leaves it to the device.
    var supportedAppTypes: [String]?
    var join: JoinPolicy
    /// Whether something is to be played there.
    var needsMedia = false

    /// Whether the app is to be told something that only LAUNCH can say.
    var hasLaunchOptions: Bool { language != nil || appParams != nil || supportedAppTypes != nil }
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
  /// How long a person has to allow a launch (docs/design.md 10.3).
  static let consentTime = Duration.seconds(120)
  /// How long an app that lists no namespace of its own may take to list the media namespace.
  static let listingPatience = Duration.seconds(2)
  /// The same for one that lists others and is to play media.
  static let mediaPatience = Duration.seconds(5)
  /// The one app of which everybody knows that it plays media (docs/protocol.md 8).
  static let defaultAppID = "CC1AD845"

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
  /// When the app was first listed with a transport id and without the media namespace.
  private var listedAt: Duration?
  /// What it lists.
  private var listed: ReceiverStatus.Application?
  /// An app that runs already is told something by LAUNCH; its answer counts, no other status.
  private var isUpdatingOptions = false
  private var awaitsConsent = false
  /// Whether the app that was found plays media.
  private var offersMedia = true

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

  var opensAppConnection: Bool { true }
  var wakeAt: Duration? {
    if case .settling(_, let end) = phase { return end }
    return [nextPoll, patienceEnd].compactMap { $0 }.min()
  }

  var changes: Set<OtherSenderAction.Subject> { [.app, .media] }
  var timeout: ClientError {
    if case .launching = phase, !awaitsConsent, listedAt != nil, let listed, listed.namespaces.isEmpty {
      return .noMedia(listed)
    }
    let reason =
      if awaitsConsent {
        "nobody allowed \(request.appID) on the device"
      } else if case .stopping = phase {
        "\(request.appID) still runs after STOP"
      } else if isListedIncompletely {
        listedAt == nil
          ? "\(request.appID) runs, but lists no transport id: it takes no messages"
          : "\(request.appID) runs, but lists no media namespace"
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
      switch readiness(of: running, at: now) {
      case .ready(let session):
        if request.hasLaunchOptions { return resendLaunchOptions(at: now) }
        return enter(session, at: now)
      case .never(let error): return [fail(error)]
      case .waiting: break
      }
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
      if isUpdatingOptions, correlation != .own(.launch), correlation != .own(.receiverStatus) { return [] }
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
    if let listed, let patienceEnd, patienceEnd <= now, case .launching = phase {
      switch readiness(of: listed, at: now) {
      case .ready(let session): return enter(session, at: now)
      case .never(let error): return [fail(error)]
      case .waiting: break
      }
    }
    return poll(at: now)
  }

  // MARK: steps

  private mutating func launch(at now: Duration) -> [OperationEffect] {
    phase = .launching
    nextPoll = now + Self.pollInterval
    // Somebody may have launched the app a moment ago: only what the device said before it read our LAUNCH tells whose
    // the instance is.
    awaitsBaseline = true
    return [.request(.receiver(.getStatus), within: replyTimeout), .request(.receiver(message))]
  }

  private var message: ReceiverRequest {
    .launch(
      appID: request.appID, language: request.language, appParams: request.appParams,
      supportedAppTypes: request.supportedAppTypes)
  }

  /// Gives an app that runs what LAUNCH has to say; nothing restarts (docs/protocol.md 3.1).
  private mutating func resendLaunchOptions(at now: Duration) -> [OperationEffect] {
    phase = .launching
    isUpdatingOptions = true
    nextPoll = now + Self.pollInterval
    return [.request(.receiver(message))]
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
      switch readiness(of: app, at: now) {
      case .ready(let session): return enter(session, at: now)
      case .never(let error): return [fail(error)]
      case .waiting:
        isListedIncompletely = true
        return []
      }
    }
    if app.isIdle || app.sessionID == running?.sessionID { return [] }
    // Another sender's app. It may have come before our LAUNCH was read; a status asked for from here on tells,
    // because a LAUNCH ends the present app first (docs/protocol.md 3.1).
    if isPoll, isProbingRival, rival == app.sessionID {
      return [fail(ClientError(.takenOver, "another sender launched \(app.nameForPeople)"))]
    }
    rival = app.sessionID
    return poll(at: now)
  }

  private mutating func follow(_ status: ReceiverMessage.LaunchStatus) -> [OperationEffect] {
    guard case .launching = phase else { return [] }
    switch status {
    case .userPendingAuthorization:
      awaitsConsent = true
      return [.extend(by: Self.consentTime)]
    case .userNotAllowed: return [fail(ClientError(.launchFailed, "LAUNCH_STATUS USER_NOT_ALLOWED"))]
    case .userNotificationsDisabled:
      return [fail(ClientError(.launchFailed, "LAUNCH_STATUS USER_NOTIFICATIONS_DISABLED"))]
    case .userAllowed, .unknown:
      awaitsConsent = false
      return []
    }
  }

  /// Connects to the app that was found.
  private mutating func enter(_ session: AppSession, at now: Duration) -> [OperationEffect] {
    nextPoll = nil
    listedAt = nil
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
    // Without media there is nothing to ask.
    guard offersMedia else { return [.connect(session.transportID), .finish(.success(.session(session)))] }
    let connect: [OperationEffect] = [
      .connect(session.transportID),
      .request(.media(.getStatus, to: session.transportID), within: replyTimeout),
    ]
    // A new app plays nothing yet: a LOAD can follow at once. A joined one has to tell what it plays.
    if session.isOurs { return connect + [.finish(.success(.session(session)))] }
    phase = .joining(session)
    return connect
  }

  private enum Readiness {
    case ready(AppSession)
    case waiting
    case never(ClientError)
  }

  /// Whether a listed app can be talked to.
  ///
  /// With the media namespace it can. One that lists a namespace of its own and no media is one that plays none, and so
  /// is one that lists neither for a while; where media are to be played, either gets that while.
  private mutating func readiness(of app: ReceiverStatus.Application, at now: Duration) -> Readiness {
    listed = app
    guard let transportID = app.transportID else {
      listedAt = nil
      return .waiting
    }
    let session = AppSession(
      appID: app.appID, sessionID: app.sessionID, transportID: transportID,
      isOurs: request.join != .only && app.sessionID != running?.sessionID)
    offersMedia = app.namespaces.contains(.media)
    if offersMedia { return .ready(session) }
    let since = listedAt ?? now
    listedAt = since
    if request.appID == Self.defaultAppID { return .waiting }
    if request.needsMedia {
      let mayCome = app.namespaces.isEmpty || now < since + Self.mediaPatience
      return mayCome ? .waiting : .never(.noMedia(app))
    }
    let isPlain = app.namespaces.contains { !$0.isOfPlatform } || now >= since + Self.listingPatience
    return isPlain ? .ready(session) : .waiting
  }

  /// When an app that is listed incompletely is taken as it is.
  private var patienceEnd: Duration? {
    guard case .launching = phase, let listedAt, request.appID != Self.defaultAppID else { return nil }
    guard request.needsMedia else { return listedAt + Self.listingPatience }
    return listed?.namespaces.isEmpty == false ? listedAt + Self.mediaPatience : nil
  }

  private var notRunning: ClientError {
    ClientError(
      .launchFailed, "\(request.appID) does not run", help: "start it, or leave out 'join: only' to have it launched")
  }

  private func fail(_ error: ClientError) -> OperationEffect { .finish(.failure(error)) }
}

extension ReceiverStatus.Application {
  /// Whether this is the app that was asked for; some devices run another id under the same universal one (quirk 42).
  package func matches(_ appID: String) -> Bool {
    self.appID.caseInsensitivelyEquals(appID) || universalAppID?.caseInsensitivelyEquals(appID) == true
  }

  /// Whether nothing is shown: the idle screen, on older firmware known only by its id (docs/protocol.md 8).
  var isIdle: Bool { isIdleScreen || appID == "E8C28D3C" }

  var nameForPeople: String { displayName.isEmpty ? appID : displayName }
}

extension String {
  /// Compares ASCII letters without regard to case; app ids are hexadecimal digits.
  fileprivate func caseInsensitivelyEquals(_ other: String) -> Bool {
    self == other || lowercased() == other.lowercased()
  }
}
