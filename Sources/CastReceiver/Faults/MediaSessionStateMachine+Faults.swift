import CastProtocol

/// Loads that fail late, and playback that stands or breaks off. Source: docs/protocol.md 6.3.
extension MediaSessionStateMachine {
  /// How a load is to fail.
  struct LateFailure: Hashable, Sendable {
    var code: Int
    var after: Duration
  }

  /// Handles a load that fails once LOADING has been told.
  mutating func receive(
    _ request: JSONObject, failing failure: LateFailure, from sender: ReceiverStateMachine.Sender, at now: Duration
  ) -> [Output] {
    lateFailure = failure
    defer { lateFailure = nil }
    return receive(request, from: sender, at: now)
  }

  /// Ends a load that was to fail.
  mutating func failLoad(_ cause: MediaFault, loader: Int?, at now: Duration) {
    guard let session else { return }
    let fault: JSONObject = cause.members + ["itemId": .int(session.itemID)]
    self.fault = cause
    if let loader {
      keepsReplyID = false
      replyID = 0
      reply(.object(["requestId": .int(loader), "type": "LOAD_FAILED"] + fault))
    } else {
      tellEveryone(.object(["type": "ERROR"] + fault))
    }
    finish(.failed, at: now)
  }

  /// Breaks playback off.
  mutating func fail(code: Int, at now: Duration) -> [Output] {
    performDue(at: now)
    breakOff(code: code, at: now)
    return takeOutputs()
  }

  /// Ends what plays.
  mutating func breakOff(code: Int, at now: Duration) {
    guard let session, session.load == nil else { return }
    tellEveryone(.object(["type": "ERROR", "detailedErrorCode": .int(code), "itemId": .int(session.itemID)]))
    fault = .media(code: code)
    finish(.failed, at: now)
  }

  /// Lets playback stand where it runs.
  mutating func hinder(_ hindrance: ReceiverStateMachine.Hindrance, at now: Duration) -> [Output] {
    performDue(at: now)
    if let session, session.load == nil, session.isRunning {
      setClock(running: false, at: now)
      self.session?.hindrance = hindrance
      self.session?.confirmation = nil
      if hindrance == .stall { broadcastStatus(at: now) }
    }
    return takeOutputs()
  }

  /// Goes on where playback stood by itself.
  mutating func goOn(at now: Duration) -> [Output] {
    performDue(at: now)
    if session?.hindrance != nil {
      session?.hindrance = nil
      setClock(running: true, at: now)
      broadcastStatus(at: now)
    }
    return takeOutputs()
  }

  /// Starts or stops the clock of what is on: a break's clip, or the content.
  private mutating func setClock(running: Bool, at now: Duration) {
    if session?.adBreak != nil {
      session?.adBreak?.clipClock.setRunning(running, at: now)
    } else {
      session?.timeline.setRunning(running, at: now)
    }
  }
}
