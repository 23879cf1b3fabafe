import CastProtocol

/// What callers ask of the device: each call begins an operation, whose outcome comes under its token.
extension ConnectionStateMachine {
  mutating func launch(_ request: LaunchStateMachine.Request, token: Int, until: Duration) {
    let machine = LaunchStateMachine(
      request, running: snapshot.receiver?.application, connected: apps.sessions,
      replyTimeout: timeouts.replyTimeout, connectDelay: timeouts.appConnectDelay)
    start(machine, token: token, until: until)
  }

  mutating func stopApp(_ session: AppSession, token: Int, until: Duration) {
    start(StopAppStateMachine(session, running: snapshot.receiver?.application), token: token, until: until)
  }

  mutating func setVolume(level: Double?, muted: Bool?, token: Int, until: Duration) {
    if snapshot.receiver?.volume.isFixed == true, isOpen {
      let error = ClientError(
        .refusedLocally, "the device's volume is fixed", help: "set it on the television or amplifier it plays through")
      return finish(token, .failure(error))
    }
    let machine = VolumeStateMachine(level: level, muted: muted, before: snapshot.receiver?.volume.level)
    start(machine, token: token, until: until)
  }

  mutating func resume(_ session: AppSession, playing mediaSession: Int?, token: Int, until: Duration) {
    let machine = ResumeStateMachine(
      session, playing: mediaSession, status: snapshot.receiver, replyTimeout: timeouts.replyTimeout)
    start(machine, token: token, until: until)
  }

  mutating func refreshReceiver(until: Duration? = nil, token: Int) {
    start(RefreshStateMachine(replyTimeout: timeouts.replyTimeout), token: token, until: until)
  }

  mutating func inquire(
    _ request: OperationEffect.Request, within limit: Duration? = nil, token: Int
  ) {
    let machine = InquiryStateMachine(request, replyTimeout: limit ?? timeouts.replyTimeout)
    start(machine, token: token, until: nil)
  }

  mutating func refreshMedia(in session: AppSession, until: Duration? = nil, token: Int) {
    start(RefreshStateMachine(session, replyTimeout: timeouts.replyTimeout), token: token, until: until)
  }

  mutating func load(_ request: LoadRequest, in session: AppSession, token: Int, until: Duration) {
    let machine = LoadStateMachine(
      request, in: session, current: current(of: session), position: snapshot.position(at: now.show),
      lastSequence: requests.lastSequence)
    start(machine, token: token, until: until)
  }

  mutating func command(
    _ request: MediaRequest, in session: AppSession, token: Int, until: Duration
  ) {
    switch request.command {
    case .getStatus:
      start(RefreshStateMachine(session, replyTimeout: timeouts.replyTimeout), token: token, until: until)
    case .load(let load):
      self.load(load, in: session, token: token, until: until)
    case .queueLoad(let queue):
      let machine = LoadStateMachine(
        queue, in: session, current: current(of: session), position: snapshot.position(at: now.show),
        lastSequence: requests.lastSequence)
      start(machine, token: token, until: until)
    default:
      let machine = CommandStateMachine(
        request, in: session, current: current(of: session), position: snapshot.position(at: now.show),
        loaded: apps.loadedContents(in: session.transportID), replyTimeout: timeouts.replyTimeout)
      start(machine, token: token, until: until)
    }
  }

  /// Goes on in `session` where another device stood.
  mutating func resume(_ state: JSONValue, in session: AppSession, token: Int, until: Duration) {
    let machine = LoadStateMachine(
      resuming: state, in: session, current: current(of: session), lastSequence: requests.lastSequence)
    start(machine, token: token, until: until)
  }

  mutating func storeSession(in session: AppSession, token: Int, until: Duration) {
    guard let media = media(of: session, token) else { return }
    let machine = StoreSessionStateMachine(
      session, mediaSessionID: media.mediaSessionID, replyTimeout: timeouts.replyTimeout)
    start(machine, token: token, until: until)
  }

  mutating func fetchQueue(
    in session: AppSession, needsItems: Bool, token: Int, until: Duration
  ) {
    guard let media = media(of: session, token) else { return }
    let machine = QueueFetchStateMachine(
      session, status: media, needsItems: needsItems, replyTimeout: timeouts.replyTimeout)
    start(machine, token: token, until: until)
  }

  /// What the app plays.
  private func current(of session: AppSession) -> MediaStatus? {
    snapshot.mediaSource == session.transportID ? snapshot.media : nil
  }

  /// What the app plays; without it the operation is over.
  private mutating func media(of session: AppSession, _ token: Int) -> MediaStatus? {
    if let media = current(of: session) { return media }
    finish(token, .failure(ClientError(.invalidState, "nothing is loaded")))
    return nil
  }

  mutating func send(
    _ payload: CastMessage.Payload, on namespace: Namespace, to target: SendStateMachine.Target, token: Int,
    until: Duration
  ) {
    let running = snapshot.receiver?.application
    var target = target
    if target == .nextApp, running?.namespaces.contains(namespace) == true,
      let session = apps.sessions.first(where: { $0.sessionID == running?.sessionID })
    {
      target = .app(session)
    }
    let machine = SendStateMachine(payload, on: namespace, to: target, running: running)
    start(machine, token: token, until: until)
  }

  mutating func deliver(_ event: OperationEvent, to token: Int) {
    step(token) { $0.receive(event, at: $1) }
  }
}
