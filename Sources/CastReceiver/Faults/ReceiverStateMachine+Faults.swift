import CastProtocol

/// What only the rules of a receiver can do wrong.
extension ReceiverStateMachine {
  /// What a fault makes of a request.
  package enum RequestFault: Hashable, Sendable {
    /// It is refused; a load that is to fail after a time begins first.
    case fail(FaultPlan.Failure, after: Duration)
    /// It is answered by the status, and not carried out.
    case ignore
  }

  /// What goes wrong by itself.
  package enum Directive: Hashable, Sendable {
    /// Another sender has started this app.
    case takeover(appID: String, name: String)
    /// The content cannot be played on.
    case mediaError(code: Int)
    case hinder(Hindrance)
    /// What hindered playback is over.
    case goOn
    /// The status is told.
    case announce
  }

  /// Why playback stands.
  package enum Hindrance: Hashable, Sendable {
    /// It says BUFFERING.
    case stall
    /// It says PLAYING.
    case freeze
  }

  mutating func obey(_ directive: Directive, at now: Duration) {
    switch directive {
    case .takeover(let appID, let name): takeOver(by: appID, named: name)
    case .mediaError(let code):
      warnOfPage("an error of the player")
      if let outputs = application?.media?.fail(code: code, at: now) { deliver(outputs) }
    case .hinder(let hindrance):
      warnOfPage("playback that stands")
      if let outputs = application?.media?.hinder(hindrance, at: now) { deliver(outputs) }
    case .goOn: if let outputs = application?.media?.goOn(at: now) { deliver(outputs) }
    case .announce: broadcastStatus(answering: 0)
    }
  }

  private mutating func takeOver(by appID: String, named name: String) {
    cancelPendingLaunch()
    display = ReceiverDisplay()
    clearScreen()
    var app = RunningApplication(
      appID: appID, sessionID: sessionIDs.next(), seed: random.next(), configuration: configuration)
    app.name = name
    application = app
    broadcastStatus(answering: 0)
  }

  /// Tells the developer of a page that a fault did nothing: a page has a player of its own.
  private mutating func warnOfPage(_ fault: String) {
    guard let app = application, app.page != nil else { return }
    order(.warn(sessionID: app.sessionID, "a fault did nothing: \(fault) needs the receiver's own player"))
  }

  /// Answers a message to a page in its place, as the fault will have it; the page does not get it.
  mutating func spoil(_ message: CastMessage, _ fault: RequestFault, from sender: Sender, of app: RunningApplication) {
    guard case .fail(let failure, after: .zero) = fault else {
      warnOfPage("a request that is answered and not carried out, or fails late,")
      return deliverToPage(message, from: sender)
    }
    guard let request = Self.json(message), let requestID = Self.requestID(request) else { return }
    reply(failure.answer(to: requestID), on: message.namespace, to: sender)
  }

  /// Answers a request that has come over a virtual connection, as the fault will have it.
  mutating func receive(_ request: JSONObject, _ fault: RequestFault, from sender: Sender, at now: Duration) {
    guard let requestID = Self.requestID(request) else { return }
    let namespace: Namespace = sender.endpoint == .receiver ? .receiver : .media
    switch fault {
    case .ignore:
      if namespace == .media {
        guard let media = application?.media else { return }
        reply(media.statusReply(requestID, options: 0, at: now), on: .media, to: sender)
      } else {
        reply(status(answering: requestID), on: .receiver, to: sender)
      }
    case .fail(.loadFailed(let code), let delay) where delay > .zero:
      if let outputs = application?.media?.receive(
        request, failing: .init(code: code, after: delay), from: sender, at: now)
      {
        deliver(outputs)
      }
    case .fail(let failure, _): reply(failure.answer(to: requestID), on: namespace, to: sender)
    }
  }
}

extension FaultPlan.Failure {
  fileprivate func answer(to requestID: Int) -> JSONValue {
    let id = JSONValue.int(requestID)
    return switch self {
    case .loadFailed(let code): ["requestId": id, "type": "LOAD_FAILED", "detailedErrorCode": .int(code)]
    case .loadCancelled: ["requestId": id, "type": "LOAD_CANCELLED"]
    case .invalidRequest(let reason): ["requestId": id, "type": "INVALID_REQUEST", "reason": .string(reason)]
    case .invalidPlayerState: ["requestId": id, "type": "INVALID_PLAYER_STATE"]
    case .launchError(let reason): ["requestId": id, "type": "LAUNCH_ERROR", "reason": .string(reason)]
    }
  }
}
