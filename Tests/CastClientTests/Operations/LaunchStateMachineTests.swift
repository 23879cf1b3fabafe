import CastProtocol
import Testing

@testable import CastClient

@Suite struct LaunchStateMachineTests {
  private typealias Status = ReceiverStatus

  private func machine(
    _ join: JoinPolicy = .auto, running: ReceiverStatus? = nil, connected: [AppSession] = [],
    delay: Duration = .zero
  ) -> LaunchStateMachine {
    LaunchStateMachine(
      .init(appID: "CC1AD845", join: join), running: running?.application, connected: connected,
      replyTimeout: .seconds(5), connectDelay: delay)
  }

  private static let ask = OperationEffect.request(.receiver(.getStatus), within: .seconds(5))
  /// What runs is asked for in the same breath.
  private static let launch = [ask, .request(.receiver(.launch(appID: "CC1AD845")))]
  /// The answer to that.
  private static func before(_ status: ReceiverStatus = .running(nil)) -> OperationEvent {
    .receiverStatus(status, .own(.receiverStatus))
  }
  private static let askMedia = OperationEffect.request(
    .media(.getStatus, to: EndpointID("t-1")), within: .seconds(5))
  private static func entered(_ session: AppSession) -> [OperationEffect] {
    [.connect(session.transportID), askMedia, .finish(.success(.session(session)))]
  }

  /// What the device says after LAUNCH, and whether the launch is done after each.
  static let listings: [(name: String, events: [OperationEvent])] = [
    ("by its reply", [.receiverStatus(.running("CC1AD845"), .own(.launch))]),
    ("by a broadcast", [.receiverStatus(.running("CC1AD845"), .spontaneous)]),
    ("by another sender's reply", [.receiverStatus(.running("CC1AD845"), .foreign)]),
    (
      "after LAUNCH_STATUS by a broadcast (quirk 6)",
      [.launchStatus(.userAllowed), .receiverStatus(.running("CC1AD845"), .spontaneous)]
    ),
    (
      "after a reply without applications (quirk 5)",
      [.receiverStatus(.running(nil), .own(.launch)), .receiverStatus(.running("CC1AD845"), .spontaneous)]
    ),
    (
      "after a reply without the media namespace (quirk 5)",
      [
        .receiverStatus(.running("CC1AD845", namespaces: []), .own(.launch)),
        .receiverStatus(.running("CC1AD845"), .spontaneous),
      ]
    ),
    (
      "after a reply without a transport id",
      [
        .receiverStatus(.running("CC1AD845", transport: nil), .own(.launch)),
        .receiverStatus(.running("CC1AD845"), .spontaneous),
      ]
    ),
    (
      "after the idle screen (quirk 10)",
      [
        .receiverStatus(.running("E8C28D3C", session: "home"), .spontaneous),
        .receiverStatus(.running("CC1AD845"), .own(.launch)),
      ]
    ),
  ]
  @Test("A launch is done when any status lists the app with transport id and media namespace", arguments: listings)
  func done(name: String, events: [OperationEvent]) {
    var machine = machine()
    #expect(machine.begin(at: .zero) == Self.launch)
    #expect(machine.play([Self.before()]) == [[]])
    let effects = machine.play(events)
    #expect(effects.last == Self.entered(film))
    #expect(effects.dropLast().allSatisfy { $0.isEmpty })
  }

  @Test("An app listed under another id with the same universal one is the app (quirk 42)")
  func universalID() {
    var machine = machine()
    _ = machine.begin(at: .zero)
    let status = Status.running("2C6A6E3D", universalID: "cc1ad845")
    var session = film
    session.appID = "2C6A6E3D"
    #expect(machine.receive(.receiverStatus(status, .own(.launch)), at: .zero) == Self.entered(session))
  }

  static let refusals: [(Refusal.Kind, String?, String?, ClientError.Class, String)] = [
    (.launchError, "CANCELLED", nil, .launchCancelled, "LAUNCH_ERROR CANCELLED"),
    (.launchError, "NOT_FOUND", nil, .launchFailed, "LAUNCH_ERROR NOT_FOUND"),
    (.launchError, "SYSTEM_ERROR", nil, .launchFailed, "LAUNCH_ERROR SYSTEM_ERROR"),
    (.launchError, nil, "USER_NOT_ALLOWED", .launchFailed, "LAUNCH_ERROR USER_NOT_ALLOWED"),
    (.launchError, nil, nil, .launchFailed, "LAUNCH_ERROR"),
    (.invalidRequest, "BAD_PARAMETER", nil, .invalidRequest, "INVALID_REQUEST BAD_PARAMETER"),
  ]
  @Test("A refused launch says why, in the words of the wire", arguments: refusals)
  func refused(kind: Refusal.Kind, reason: String?, extended: String?, expected: ClientError.Class, text: String)
    throws
  {
    var machine = machine()
    _ = machine.begin(at: .zero)
    let refusal = try Refusal.sample(kind, reason: reason, extendedError: extended)
    #expect(machine.receive(.refused(refusal, from: .receiver, .foreign), at: .zero).isEmpty)
    let effects = machine.receive(.refused(refusal, from: .receiver, .own(.launch)), at: .zero)
    guard case .finish(.failure(let error))? = effects.first else {
      Issue.record("not refused: \(effects)")
      return
    }
    #expect(error.class == expected && error.message == text && error.wire == refusal.wire)
  }

  @Test("A person who is asked has two minutes; a refusal by LAUNCH_STATUS ends it")
  func consent() {
    var machine = machine()
    _ = machine.begin(at: .zero)
    #expect(machine.receive(.launchStatus(.userPendingAuthorization), at: .zero) == [.extend(by: .seconds(120))])
    #expect(machine.timeout.message == "nobody allowed CC1AD845 on the device")
    #expect(machine.receive(.launchStatus(.userNotAllowed), at: .zero).map(\.failure) == [.launchFailed])
  }

  /// join, what runs, what is sent first.
  static let joins: [(JoinPolicy, ReceiverStatus?, [OperationEffect])] = [
    (.auto, nil, launch),
    (.auto, .running("233637DE", session: "s-0"), launch),
    (.auto, .running("CC1AD845"), [.connect(EndpointID("t-1")), askMedia]),
    (.auto, .running("CC1AD845", namespaces: []), launch),
    (.only, .running("CC1AD845"), [.connect(EndpointID("t-1")), askMedia]),
    (.only, .running("CC1AD845", namespaces: []), [ask]),
    (.never, nil, launch),
    (.never, .running("CC1AD845"), [.request(.receiver(.stop(sessionID: "s-1")))]),
    (.never, .running("233637DE", session: "s-0"), launch),
  ]
  @Test("join decides what happens to an instance that already runs", arguments: joins)
  func join(policy: JoinPolicy, running: ReceiverStatus?, expected: [OperationEffect]) {
    var machine = machine(policy, running: running)
    #expect(machine.begin(at: .zero) == expected)
  }

  @Test(
    "join only fails where the app does not run, however idleness is spelled (quirk 10)",
    arguments: [
      nil, .running(nil), .running("E8C28D3C", session: "home"), .running("11111111", isIdleScreen: true),
    ] as [ReceiverStatus?])
  func joinOnly(running: ReceiverStatus?) {
    var machine = machine(.only, running: running)
    // What was known may be old: the device is asked before the answer is no.
    #expect(machine.begin(at: .zero) == [Self.ask])
    var late = machine
    let status = running ?? .running(nil)
    #expect(machine.receive(.receiverStatus(status, .spontaneous), at: .zero).isEmpty)
    #expect(
      machine.receive(.receiverStatus(status, .own(.receiverStatus)), at: .zero).map(\.failure) == [.launchFailed])
    var joined = film
    joined.isOurs = false
    _ = late.receive(.receiverStatus(.running("CC1AD845"), .own(.receiverStatus)), at: .zero)
    #expect(late.session == joined)
  }

  @Test("A joined app is not ours and tells what it plays first; one that does not is joined all the same")
  func joined() {
    var joined = film
    joined.isOurs = false
    for answer in [
      OperationEvent.mediaStatus(.session(4, .playing), from: film.transportID, .own(.mediaStatus)),
      .mediaStatus(nil, from: film.transportID, .own(.mediaStatus)), .expired(.mediaStatus),
    ] {
      var machine = machine(running: .running("CC1AD845"))
      _ = machine.begin(at: .zero)
      #expect(machine.session == joined)
      #expect(machine.play([.mediaStatus(nil, from: film.transportID, .spontaneous)]) == [[]])
      #expect(machine.play([answer]) == [[.finish(.success(.session(joined)))]])
    }
  }

  @Test("An app this connection launched stays ours when launched again, without another CONNECT")
  func again() {
    var machine = machine(running: .running("CC1AD845"), connected: [film])
    #expect(machine.begin(at: .zero) == [.finish(.success(.session(film)))])
  }

  @Test("join never waits for the old session to end, and takes only a new one")
  func relaunch() {
    var machine = machine(.never, running: .running("CC1AD845"))
    _ = machine.begin(at: .zero)
    let fresh = Status.running("CC1AD845", session: "s-2", transport: "t-2")
    let effects = machine.play([
      .receiverStatus(.running("CC1AD845"), .spontaneous),
      .receiverStatus(.running(nil), .own(.stopApp)),
      .receiverStatus(.running("CC1AD845"), .spontaneous),
      .receiverStatus(fresh, .own(.launch)),
    ])
    #expect(effects[0].isEmpty && effects[1] == Self.launch && effects[2].isEmpty)
    let session = AppSession(appID: "CC1AD845", sessionID: "s-2", transportID: EndpointID("t-2"), isOurs: true)
    #expect(effects[3].last == .finish(.success(.session(session))))
  }

  @Test("An app that ran just before our LAUNCH, unknown to us, is another sender's: joined, not ours")
  func notOurs() {
    var machine = machine()
    _ = machine.begin(at: .zero)
    // Its launcher's reply tells nothing yet; what ran before our LAUNCH does.
    let effects = machine.play([
      .receiverStatus(.running("CC1AD845"), .foreign), Self.before(.running("CC1AD845")),
    ])
    #expect(effects == [[], [.connect(film.transportID), Self.askMedia]])
    var joined = film
    joined.isOurs = false
    #expect(machine.session == joined)
  }

  @Test("join never ends an instance that ran just before our LAUNCH, and launches again")
  func neverAnothers() {
    var machine = machine(.never)
    _ = machine.begin(at: .zero)
    let stop = OperationEffect.request(.receiver(.stop(sessionID: "s-1")))
    #expect(machine.play([Self.before(.running("CC1AD845"))]) == [[stop]])
    #expect(machine.play([.receiverStatus(.running(nil), .own(.stopApp))]) == [Self.launch])
  }

  @Test("join never launches although STOP is refused: there was nothing to stop")
  func relaunchUnstopped() throws {
    var machine = machine(.never, running: .running("CC1AD845"))
    _ = machine.begin(at: .zero)
    let refusal = try Refusal.sample(.invalidRequest, reason: "INVALID_SESSION_ID")
    #expect(machine.play([.refused(refusal, from: .receiver, .own(.stopApp))]) == [Self.launch])
  }

  @Test("A device that says nothing of the app is asked once a second, one question at a time")
  func polling() {
    var machine = machine()
    _ = machine.begin(at: .zero)
    #expect(machine.play([Self.before()]) == [[]])
    #expect(machine.wakeAt == .seconds(1))
    #expect(machine.timerFired(at: .milliseconds(900)).isEmpty)
    #expect(machine.timerFired(at: .seconds(1)) == [Self.ask])
    #expect(machine.timerFired(at: .seconds(2)).isEmpty)
    #expect(machine.receive(.receiverStatus(.running(nil), .own(.receiverStatus)), at: .seconds(2)).isEmpty)
    #expect(machine.timerFired(at: .seconds(3)) == [Self.ask])
    #expect(machine.timeout.class == .timeout && machine.timeout.message == "no status listed CC1AD845")
  }

  @Test("Another sender's app is a takeover only if a status asked for afterwards still lists it (quirk 45)")
  func rival() {
    let other = Status.running("233637DE", session: "s-9", transport: "t-9")
    var machine = machine()
    _ = machine.begin(at: .zero)
    #expect(machine.play([Self.before()]) == [[]])
    #expect(machine.play([.receiverStatus(other, .spontaneous)]) == [[Self.ask]])
    var beaten = machine
    let lost = beaten.play([.receiverStatus(other, .spontaneous), .receiverStatus(other, .own(.receiverStatus))])
    #expect(lost[0].isEmpty && lost[1].map(\.failure) == [.takenOver])
    let won = machine.play([.receiverStatus(.running("CC1AD845"), .own(.receiverStatus))])
    #expect(won[0] == Self.entered(film))
  }

  @Test("What ran before our LAUNCH is no rival while it is still listed")
  func predecessor() {
    let before = Status.running("233637DE", session: "s-0", transport: "t-0")
    var machine = machine(running: before)
    _ = machine.begin(at: .zero)
    #expect(machine.play([Self.before(before)]) == [[]])
    #expect(machine.play([.receiverStatus(before, .spontaneous), .receiverStatus(before, .foreign)]) == [[], []])
  }

  @Test("An app that needs a pause gets it between its listing and CONNECT (quirk 33)")
  func delay() {
    var machine = machine(delay: .seconds(1))
    _ = machine.begin(at: .zero)
    #expect(machine.receive(.receiverStatus(.running("CC1AD845"), .own(.launch)), at: .seconds(3)).isEmpty)
    #expect(machine.wakeAt == .seconds(4))
    #expect(machine.timerFired(at: .seconds(4)) == Self.entered(film))
  }

  // MARK: apps without media, and what LAUNCH has to say

  private static let own = Namespace(rawValue: "urn:x-cast:com.madmod.dashcast")
  private static let platform = Namespace(rawValue: "urn:x-cast:com.google.cast.cac")
  private static let dash = AppSession(
    appID: "84912283", sessionID: "s-1", transportID: EndpointID("t-1"), isOurs: true)

  private static func plain(
    _ namespaces: [Namespace], join: JoinPolicy = .auto, needsMedia: Bool = false, running: ReceiverStatus? = nil
  ) -> (LaunchStateMachine, ReceiverStatus) {
    let request = LaunchStateMachine.Request(appID: "84912283", join: join, needsMedia: needsMedia)
    let machine = LaunchStateMachine(
      request, running: running?.application, connected: [], replyTimeout: .seconds(5))
    return (machine, .running("84912283", namespaces: namespaces))
  }

  @Test("An app with a namespace of its own and no media is up at once: CONNECT, and no question about media")
  func ownNamespace() {
    var (machine, status) = Self.plain([Self.platform, Self.own])
    _ = machine.begin(at: .zero)
    _ = machine.play([Self.before()])
    #expect(
      machine.play([.receiverStatus(status, .own(.launch))]) == [
        [.connect(EndpointID("t-1")), .finish(.success(.session(Self.dash)))]
      ])
  }

  @Test(
    "An app that lists nothing of its own gets two seconds for it, then is taken as it is",
    arguments: [[], [Namespace(rawValue: "urn:x-cast:com.google.cast.cac")]])
  func silent(namespaces: [Namespace]) {
    var (machine, status) = Self.plain(namespaces)
    _ = machine.begin(at: .zero)
    _ = machine.play([Self.before(), .receiverStatus(status, .own(.launch))])
    #expect(machine.timerFired(at: .seconds(1)) == [Self.ask])
    #expect(machine.receive(.receiverStatus(status, .own(.receiverStatus)), at: .seconds(1)).isEmpty)
    #expect(machine.wakeAt == .seconds(2))
    #expect(
      machine.timerFired(at: .seconds(2)) == [
        .connect(EndpointID("t-1")), .finish(.success(.session(Self.dash))),
      ])
  }

  @Test("An app that lists media late is asked what it plays, as any other")
  func late() {
    var (machine, status) = Self.plain([])
    _ = machine.begin(at: .zero)
    _ = machine.play([Self.before(), .receiverStatus(status, .own(.launch))])
    let listed = Status.running("84912283", namespaces: [.media])
    #expect(machine.receive(.receiverStatus(listed, .spontaneous), at: .seconds(1)) == Self.entered(Self.dash))
  }

  @Test("Where media are to be played, an app that lists other namespaces only is refused after five seconds")
  func mediaNeeded() throws {
    var (machine, status) = Self.plain([Self.own], needsMedia: true)
    _ = machine.begin(at: .zero)
    _ = machine.play([Self.before(), .receiverStatus(status, .own(.launch))])
    #expect(machine.receive(.receiverStatus(status, .spontaneous), at: .seconds(3)).isEmpty)
    let end = machine.timerFired(at: .seconds(5))
    guard case .finish(.failure(let error))? = end.first else {
      Issue.record("not refused: \(end)")
      return
    }
    #expect(error.class == .invalidState && error.message == "App 84912283 (84912283) plays no media")
    #expect(error.help?.contains(Self.own.rawValue) == true)
    var (silent, nothing) = Self.plain([], needsMedia: true)
    _ = silent.begin(at: .zero)
    _ = silent.play([Self.before(), .receiverStatus(nothing, .own(.launch))])
    #expect(silent.timerFired(at: .seconds(9)) == [Self.ask])
    #expect(silent.timeout.class == .invalidState)
    #expect(silent.timeout.message == "App 84912283 (84912283) lists no namespaces, so nothing can be played in it")
  }

  @Test("An app without a transport id takes no messages: nothing to join")
  func noTransport() {
    var (machine, _) = Self.plain([])
    _ = machine.begin(at: .zero)
    let status = Status.running("84912283", transport: nil, namespaces: [])
    _ = machine.play([Self.before(), .receiverStatus(status, .own(.launch))])
    #expect(machine.wakeAt == .seconds(1))
    #expect(machine.timeout.message == "84912283 runs, but lists no transport id: it takes no messages")
  }

  @Test("An app without media that runs is joined at once", arguments: [JoinPolicy.auto, .only])
  func joinPlain(join: JoinPolicy) {
    var joined = Self.dash
    joined.isOurs = false
    var (machine, _) = Self.plain([], join: join, running: .running("84912283", namespaces: [Self.own]))
    #expect(
      machine.begin(at: .zero) == [.connect(EndpointID("t-1")), .finish(.success(.session(joined)))])
  }

  @Test(
    "What only LAUNCH can say is told to an app that runs, too, which is then joined",
    arguments: [JoinPolicy.auto, .only])
  func tells(join: JoinPolicy) throws {
    var request = LaunchStateMachine.Request(appID: "CC1AD845", join: join)
    request.language = "pt-BR"
    request.appParams = ["launchCheckerParams": ["credentialsData": ["credentials": "x", "credentialsType": "web"]]]
    request.supportedAppTypes = ["WEB", "ANDROID_TV"]
    func begun() -> LaunchStateMachine {
      var machine = LaunchStateMachine(
        request, running: Status.running("CC1AD845").application, connected: [], replyTimeout: .seconds(5))
      let launch = ReceiverRequest.launch(
        appID: "CC1AD845", language: "pt-BR", appParams: request.appParams, supportedAppTypes: ["WEB", "ANDROID_TV"])
      #expect(machine.begin(at: .zero) == [.request(.receiver(launch))])
      return machine
    }
    var machine = begun()
    let running = Status.running("CC1AD845")
    #expect(
      machine.play([.receiverStatus(running, .spontaneous), .receiverStatus(running, .own(.launch))])
        == [[], [.connect(film.transportID), Self.askMedia]])
    #expect(machine.session?.isOurs == false)
    var refused = begun()
    let refusal = try Refusal.sample(.launchError, extendedError: "USER_NOT_ALLOWED")
    #expect(
      refused.play([.refused(refusal, from: .receiver, .own(.launch))]).map { $0.map(\.failure) } == [[.launchFailed]])
  }
}
