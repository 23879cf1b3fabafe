import CastProtocol

/// What comes in.
extension FaultStage {
  /// Looks at a message before the rules get it.
  mutating func received(_ message: CastMessage, on id: ConnectionID, at now: Duration) -> Intake {
    if isEmpty { return .pass }
    if isSilent(id) { return .lose }
    if message.namespace == .deviceAuth {
      for (index, fault) in matching.faults(at: .challenge) {
        guard case .auth(let kind) = fault.action else {
          begin(fault, index, at: now)
          continue
        }
        matching.note(index)
        auth[id] = kind
      }
      return .pass
    }
    let json = ReceiverStateMachine.json(message)
    guard let request = FaultPlan.Request(message, type: json?["type"]?.string) else { return .pass }
    let requestID = json.flatMap(ReceiverStateMachine.requestID)
    // A sender may use an id again: what happened to the request before does not happen to this one.
    if let requestID { forget(Asked(connection: id, requestID: requestID)) }
    var intake = Intake.pass
    for (index, fault) in matching.faults(at: .request(request)) {
      if fault.happensToRequest { matching.note(index) }
      switch fault.action {
      case .fail(let failure): intake = .fault(.fail(failure, after: fault.delay))
      case .ignore: intake = .fault(.ignore)
      case .loseRequest: intake = .lose
      case .message(let kind):
        if let requestID { note(kind, for: Asked(connection: id, requestID: requestID)) }
      case .lateNamespaces(let time):
        // Must hold before the answer goes out.
        namespacesFrom = now + time
        schedule(.effect(.directive(.announce)), at: now + time)
      case .mute, .silence, .cut, .restart, .takeover, .playback, .stalePolls, .slowReads, .auth:
        begin(fault, index, at: now)
      }
    }
    return intake
  }

  private mutating func forget(_ key: Asked) {
    if answers.removeValue(forKey: key) != nil { asked.removeAll { $0 == key } }
  }

  private mutating func note(_ kind: FaultPlan.MessageFault, for key: Asked) {
    if answers[key] == nil {
      asked.append(key)
      if asked.count > ReceiverLimits.faultyRequests { answers[asked.removeFirst()] = nil }
    }
    answers[key, default: []].append(kind)
  }
}

extension FaultPlan.Fault {
  /// Whether it happens to a request as it comes, or to its answers; else it begins after its delay.
  fileprivate var happensToRequest: Bool {
    switch action {
    case .fail, .ignore, .loseRequest, .message, .lateNamespaces: true
    case .mute, .silence, .cut, .restart, .takeover, .playback, .stalePolls, .slowReads, .auth: false
    }
  }
}
