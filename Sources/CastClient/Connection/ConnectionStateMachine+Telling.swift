import CastProtocol

/// What the wire tap, the log and the runs are told.
extension ConnectionStateMachine {
  /// The record of a request that is over.
  private func record(_ request: RequestStateMachine.Pending, _ outcome: RequestRecord.Outcome) -> RequestRecord {
    RequestRecord(
      id: request.id, name: request.name, namespace: request.role.namespace, destination: request.peer,
      sentAt: request.sentAt, duration: now.show - request.sentAt, outcome: outcome)
  }

  mutating func recordEnd(of request: RequestStateMachine.Pending, as outcome: RequestRecord.Outcome) {
    guard isTraced else { return }
    add(.tap(WireRecord(.finished(record(request, outcome)), at: now.show)))
  }

  /// Tells of a message that passed, where anybody asked.
  mutating func tap(_ content: @autoclosure () -> WireRecord.Content, json: @autoclosure () -> JSONValue? = nil) {
    guard isTraced else { return }
    add(.tap(WireRecord(content(), json: json(), at: now.show)))
  }

  /// Tells of what the heartbeat sent by itself.
  mutating func tapHeartbeat(_ bytes: [UInt8]) {
    guard tracesHeartbeat else { return }
    var decoder = FrameDecoder()
    decoder.append(bytes)
    while let body = try? decoder.next() {
      if let message = try? CastMessage(decoding: body) { tap(.sent(message)) }
    }
  }

  /// What others did, judged by a status that nobody here asked for while nothing of ours could have caused it.
  func acts(since before: DeviceSnapshot, isAnswer: Bool) -> [OtherSenderAction] {
    guard !isAnswer, before.receiver != nil else { return [] }
    let ours = operations.reduce(into: Set<OtherSenderAction.Subject>()) { $0.formUnion($1.machine.changes) }
    return OtherSenderAction.acts(from: before, to: snapshot).filter { act in
      if ours.contains(act.subject) { return false }
      guard act.subject == .volume, let lastVolumeChange else { return true }
      return !lastVolumeChange.change.explains(
        act, after: now.show - lastVolumeChange.at, step: lastVolumeChange.step)
    }
  }
}
